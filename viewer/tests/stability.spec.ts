import { infeasible, stabilityMap, stabilityStrip, unstable } from "./fixtures/analyses";
import { centres, placeIn, pointAt } from "./fixtures/chart";
import { expect, test } from "./fixtures/page";

test("the verdict with its theorem and reason", async ({ show }) => {
  const page = await show(unstable());
  await expect(page.locator(".answer")).toHaveText("Unstable. Some kicks, however small, lead away. Theorem 2: returns at a fixed point grow, by 1.3 at 34.38°.");
  await expect(page.locator("canvas.still")).toBeVisible();
  const margins = page.getByRole("region", { name: /Margins/ });
  await expect(margins.getByRole("row", { name: "friction of foot" })).toContainText("stable below 0.295");
  await expect(margins.getByRole("row", { name: "slope" })).toContainText("infeasible if changed by 0.25\u202frad");
  await expect(margins.getByRole("row", { name: "centre of mass along x" })).toContainText("stable at once");
  await expect(page.getByText("Not the same everywhere, looked at in 201 points.")).toBeVisible();
});

test("the fixed point lies on the diagonal of R and at its growth in the other chart", async ({ show }) => {
  const page = await show(unstable());
  for (const [title, y] of [["Reduced map R", 0.6], ["Growth of the impact speed", 1.3]] as const) {
    const figure = page.locator("figure", { hasText: title });
    const [px, py] = await placeIn(figure.locator(".drawing"), 0.6, y);
    const [[cx, cy]] = (await centres(figure.locator(".fixed-points path"))) as [[number, number]];
    expect(Math.hypot(cx - px, cy - py)).toBeLessThan(0.01);
  }
});

test("pieces tell their paths; where R is not defined that is said", async ({ show }) => {
  const page = await show(unstable());
  const drawing = page.locator("figure", { hasText: "Reduced map R" }).locator(".drawing");
  await pointAt(drawing, -0.6, 0.6);
  await expect(drawing.locator(".note")).toContainText("piece 1: (FN) FN SF");
  await expect(drawing.locator(".note")).toContainText("growth 0.7");
  await pointAt(drawing, 1.2, 0);
  await expect(drawing.locator(".note")).toContainText("R is not defined");
  await expect(page.getByRole("region", { name: "Pieces of the map" })).toContainText("no return: it lifts off");
  await expect(page.getByRole("region", { name: "Stable partition" })).toContainText("unbounded");
  await expect(page.getByRole("region", { name: "Ends" })).toContainText("none: the motion does not return");
});

test("a body that cannot rest has no maps", async ({ show }) => {
  const page = await show(infeasible());
  await expect(page.locator(".answer")).toContainText("Infeasible. The body cannot rest here");
  await expect(page.getByRole("heading", { name: "The return map" })).toHaveCount(0);
});

test("the map has as many points of each verdict as the data, and meets at the refined border", async ({ show }) => {
  const page = await show(stabilityMap());
  await expect(page.locator(".answer")).toHaveText("Of 9 bodies: 4 stable, 2 unstable and 3 infeasible.");
  const counts = await page.locator(".legend .chip").evaluateAll((chips) => chips.map((chip) => (chip as HTMLElement).dataset["count"]));
  expect(counts).toEqual(["4", "2", "3"]);
  const drawing = page.locator(".drawing");
  const [border] = await placeIn(drawing, 1.25, 0);
  const left = await drawing.locator('.tiles path[data-word="unstable"]').evaluate((path: SVGPathElement) => path.getBBox().x);
  expect(Math.abs(left - border)).toBeLessThan(0.2);
  await pointAt(drawing, 2, 0);
  await expect(drawing.locator(".note")).toContainText("unstable, Theorem 2");
  await expect(drawing.locator(".note")).toContainText("growth 1.2");
  await pointAt(drawing, 2, 1);
  await expect(drawing.locator(".note")).toContainText("no growth: no fixed point");
});

test("over one parameter: a strip under the growth, and the border in a table", async ({ show }) => {
  const page = await show(stabilityStrip());
  await expect(page.getByRole("region", { name: "Borders" })).toContainText("0.28");
  const drawing = page.locator(".drawing");
  await pointAt(drawing, 0.2, 1.5);
  await expect(drawing.locator(".note")).toContainText("unstable, Theorem 2growth 1.5mu1 = 0.2");
  const [border] = await placeIn(drawing, 0.28, 1);
  const left = await drawing.locator('.tiles path[data-word="stable"]').evaluate((path: SVGPathElement) => path.getBBox().x);
  expect(Math.abs(left - border)).toBeLessThan(0.2);
});
