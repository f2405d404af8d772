import { centres, placeIn, pointAt } from "./fixtures/chart";
import { jammed, jamsAlong, jamsInPlane, prevented } from "./fixtures/jam";
import { expect, test } from "./fixtures/page";

test("how sliding ends, the smallest slip, and the frictions within the range first", async ({ show }) => {
  const page = await show(jammed());
  await expect(page.locator(".answer")).toContainText("It jams: the contact force grows without bound, at 0.1\u202fs");
  await expect(page.locator(".answer")).toContainText("The smallest slip that jams is 0.4\u202fm/s");
  const facts = await page.locator("dl").first().innerText();
  expect(facts.indexOf("jam in the range")).toBeLessThan(facts.indexOf("jam, any shape"));
  expect(facts).toContain("0.3 at theta = \u22120.2");
  await expect(page.locator("main")).toContainText("node: jams with unbounded force");
  await expect(page.locator("main")).toContainText("saddle: one motion arrives");
});

test("the acceleration centre comes to the jamming line", async ({ show }) => {
  const page = await show(jammed());
  const drawing = page.locator(".drawing", { has: page.locator(".jamming-line") });
  await expect(drawing).toBeVisible();
  const [[cx]] = (await centres(drawing.locator("[data-mark=dot] circle"))) as [[number, number]];
  const [x] = await placeIn(drawing, 0, 1.2);
  expect(Math.abs(cx - x)).toBeLessThan(0.01);
  await pointAt(drawing, 0.3, 1);
  await expect(drawing.locator(".note")).toContainText("0.3 m along t");
});

test("over one value the intervals with their slips", async ({ show }) => {
  const page = await show(jamsAlong());
  const row = page.locator("tr", { hasText: "stick" }).last();
  await expect(row).toContainText("0.75");
  await expect(row).toContainText("0.4 to 0.5");
});

test("over two values a map with its border and a legend", async ({ show }) => {
  const page = await show(jamsInPlane());
  const drawing = page.locator(".drawing", { has: page.locator(".tiles") });
  await pointAt(drawing, 0, 2);
  await expect(drawing.locator(".note")).toContainText("jam");
  await pointAt(drawing, 2, 0);
  await expect(drawing.locator(".note")).toContainText("lift-off");
  await expect(page.locator("main")).toContainText("How sliding ends over x_dot and theta");
});

test("what a parameter prevents", async ({ show }) => {
  const page = await show(prevented());
  await expect(page.locator("main")).toContainText("it is impossible above rho = 0.125");
  await expect(page.locator("main")).toContainText("a jam with unbounded force is possible at all values");
  await expect(page.locator(".border")).toHaveCount(1);
});
