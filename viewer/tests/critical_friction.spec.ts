import { criticalFriction, frictionMap, noFriction } from "./fixtures/analyses";
import { centres, placeIn, pointAt } from "./fixtures/chart";
import { expect, test } from "./fixtures/page";

test("the least friction, where it is, and why there is no jam", async ({ show }) => {
  const page = await show(criticalFriction());
  await expect(page.locator(".answer")).toContainText("From a friction of 0.4 on");
  await expect(page.locator(".answer")).toContainText("the model can meet it");
  await expect(page.locator("dl")).toContainText("theta = \u22120.5\u202frad (\u221228.65°)");
  await expect(page.locator("dl")).toContainText("none: several contacts slide");
  await expect(page.locator("canvas.still")).toBeVisible();
});

test("over one coordinate: the minimum is marked, and where no friction is enough the curve has a gap", async ({ show }) => {
  const page = await show(criticalFriction());
  const drawing = page.locator(".drawing");
  const [x, y] = await placeIn(drawing, -0.5, 0.4);
  const [[cx, cy]] = (await centres(drawing.locator(".minimum circle"))) as [[number, number]];
  expect(Math.hypot(cx - x, cy - y)).toBeLessThan(0.01);
  await pointAt(drawing, -0.5, 0.4);
  await expect(drawing.locator(".note")).toContainText("paradox from friction 0.4");
  await pointAt(drawing, 0.05, 0.4);
  await expect(drawing.locator(".note")).toContainText("no friction is enough, or the contacts cannot close");
  const [zero] = await placeIn(drawing, 0, 0);
  const path = await drawing.locator("[data-mark=line] path").getAttribute("d");
  expect(Math.max(...[...path!.matchAll(/([\d.]+),[\d.]+/g)].map((match) => Number(match[1])))).toBeLessThan(zero);
});

test("over two coordinates: bands, the line of the model's own friction, and a legend", async ({ show }) => {
  const page = await show(frictionMap());
  const drawing = page.locator(".drawing");
  await pointAt(drawing, -0.5, 0.3);
  await expect(drawing.locator(".note")).toContainText("paradox from friction 0.4025");
  await pointAt(drawing, 1, 1);
  await expect(drawing.locator(".note")).toContainText("no friction is enough, or the contacts cannot close");
  // mu = 0.5 is a circle of radius sqrt(0.1) about (-0.5, 0.25).
  const box = await drawing.locator(".own path").evaluate((path: SVGPathElement) => ({ x: path.getBBox().x, width: path.getBBox().width }));
  const [left] = await placeIn(drawing, -0.5 - Math.sqrt(0.1), 0);
  const [right] = await placeIn(drawing, -0.5 + Math.sqrt(0.1), 0);
  const cell = (await placeIn(drawing, 0.1, 0))[0] - (await placeIn(drawing, 0, 0))[0];
  expect(Math.abs(box.x - left)).toBeLessThan(0.2 * cell);
  expect(Math.abs(box.x + box.width - right)).toBeLessThan(0.2 * cell);
  await expect(page.locator(".legend")).toContainText("the model's friction 0.5");
  await expect(page.locator(".legend")).toContainText("no friction is enough");
});

test("without a paradox the page says so", async ({ show }) => {
  const page = await show(noFriction());
  await expect(page.locator(".answer")).toHaveText("No friction makes sliding paradoxical: every sliding state has exactly one solution.");
  await expect(page.locator(".drawing")).toHaveCount(0);
});
