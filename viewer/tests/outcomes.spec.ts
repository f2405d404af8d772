import { outcomesLine, outcomesMap } from "./fixtures/analyses";
import { makeRun } from "./fixtures/motion";
import { placeIn, pointAt } from "./fixtures/chart";
import { expect, test } from "./fixtures/page";

test("the map draws the located border and names its regions", async ({ show }) => {
  const page = await show(outcomesMap());
  await expect(page.locator(".answer")).toHaveText("Of 9 points: 8 liftoff foot and 1 jam foot.");
  const drawing = page.locator(".drawing");
  const [left] = await placeIn(drawing, -1, 0);
  const [right] = await placeIn(drawing, 1, 0);
  const width = await drawing.locator('[data-mark="line"] path').first().evaluate((path: SVGPathElement) => path.getBBox().width);
  expect(Math.abs(width - (right - left))).toBeLessThan(1);
  await pointAt(drawing, 0, 0);
  await expect(drawing.locator(".note")).toContainText("jam foot");
  await expect(drawing.locator(".note")).toContainText("l = 0");
});

test("one axis: tiles meet at the thresholds, reasons and margins are told as text", async ({ show }) => {
  const page = await show(outcomesLine());
  const drawing = page.locator(".drawing");
  const [border] = await placeIn(drawing, 0.4, 0);
  const jam = await drawing.locator('.tiles path[data-word="jam foot"]').evaluate((path: SVGPathElement) => path.getBBox().x);
  expect(Math.abs(jam - border)).toBeLessThan(0.2);
  const thresholds = page.getByRole("region", { name: "Thresholds" });
  await expect(thresholds.getByRole("row")).toHaveCount(3);
  await expect(thresholds).toContainText("rounding decides within the error");
  await expect(page.locator("section", { hasText: "Where there is no answer" })).toContainText("expected <b>less</b>");
  await expect(page.locator("section", { hasText: "Margins" })).toContainText("0.2: jam foot");
  await expect(page.locator("section", { hasText: "One of these calls" })).toContainText("--set mu={mu}");
});

test("pointing at the map poses the mechanism at that point", async ({ show }) => {
  const rows = Array.from({ length: 9 }, (_, i) => ({ time: 0, word: "P", values: { x: i, force_n_foot: 0, force_t_foot: 0 } }));
  const page = await show({ ...outcomesMap(), motion: { runs: [makeRun(rows)], regions: [] } });
  await expect(page.locator("figcaption.below")).toHaveText("The mechanism at the point that is read above");
  await pointAt(page.locator(".drawing"), 2, 0);
  await expect(page.locator("canvas.still")).toHaveAttribute("data-row", "5");
});
