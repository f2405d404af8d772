import { gait, noGait } from "./fixtures/analyses";
import { centres, placeIn, pointAt } from "./fixtures/chart";
import { expect, test } from "./fixtures/page";

test("the gait in words, its motion, and what it asks of the contacts", async ({ page, show }) => {
  await show(gait());
  await expect(page.locator(".answer")).toHaveText("Stable. A motion repeats after 0.8\u202fs, a step of 0.47\u202fm; small disturbances die out.");
  await expect(page.locator("canvas.stage")).toBeVisible();
  await page.getByRole("slider", { name: "Time" }).focus();
  await page.keyboard.press("End");
  await expect(page.locator("canvas.stage")).toHaveAttribute("data-time", "0.8");
  const numbers = page.getByRole("region", { name: "Numbers of the gait" });
  await expect(numbers.getByRole("row", { name: "friction needed" })).toContainText("0.4 (foot, at 0\u202fs)");
  await expect(numbers.getByRole("row", { name: "lost to friction" })).toContainText("0\u202fJ");
});

test("without a gait the page says why", async ({ show }) => {
  const page = await show(noGait());
  await expect(page.locator(".answer")).toHaveText("No gait was found: after 41 steps the motion comes to rest.");
});

test("the ratio of forces follows the data, with a gap where no force acts", async ({ show }) => {
  const page = await show(gait());
  const drawing = page.locator("figure", { hasText: "Ratio of tangential" }).locator(".drawing");
  await pointAt(drawing, 0.4, 0.2);
  await expect(drawing.locator(".note")).toContainText("ratio 0.2");
  await pointAt(drawing, 0.8, 0);
  await expect(drawing.locator(".note")).toContainText("no normal force");
  const [x, y] = await placeIn(drawing, 0, 0.4);
  const [[cx, cy]] = (await centres(drawing.locator(".largest circle"))) as [[number, number]];
  expect(Math.hypot(cx - x, cy - y)).toBeLessThan(0.01);
});

test("exposure is a strip for each part, in the colour of its case", async ({ show }) => {
  const page = await show(gait());
  const drawing = page.locator("figure", { hasText: "Exposure" }).locator(".drawing");
  await expect(drawing.locator("[data-mark=rect] rect")).toHaveCount(2);
  await pointAt(drawing, 0.15, 0);
  await expect(drawing.locator(".note")).toHaveText("foot +t0.1 to 0.2\u202fscase 3: several answers");
});

test("multipliers lie in the unit circle where the data say", async ({ show }) => {
  const page = await show(gait());
  const drawing = page.locator("section", { has: page.getByRole("heading", { name: "Multipliers" }) }).locator(".drawing");
  const wanted = [await placeIn(drawing, 0.3, 0.6), await placeIn(drawing, 0.3, -0.6)];
  const found = await centres(drawing.locator(".multipliers circle"));
  found.forEach(([x, y], i) => expect(Math.hypot(x - wanted[i]![0], y - wanted[i]![1])).toBeLessThan(0.01));
  expect(found).toHaveLength(2);
  const one = (await placeIn(drawing, 1, 0))[0] - (await placeIn(drawing, 0, 0))[0];
  const up = (await placeIn(drawing, 0, 0))[1] - (await placeIn(drawing, 0, 1))[1];
  expect(Math.abs(one - up)).toBeLessThan(1);
});

test("the branch is solid where stable and dashed where not, and passes through its bifurcation", async ({ show }) => {
  const page = await show(gait());
  const branch = page.locator("section", { hasText: "Over alpha" });
  const drawing = branch.locator(".drawing");
  await expect(drawing.locator(".stable path")).toHaveCount(2);
  await expect(drawing.locator(".unstable path")).toHaveCount(1);
  await expect(drawing.locator(".unstable")).toHaveAttribute("stroke-dasharray", /\d/);
  const [x, y] = await placeIn(drawing, 0.25, 0.25);
  const [[cx, cy]] = (await centres(drawing.locator(".bifurcations circle"))) as [[number, number]];
  expect(Math.hypot(cx - x, cy - y)).toBeLessThan(0.01);
  const start = /^M([\d.]+),([\d.]+)/.exec((await drawing.locator(".unstable path").getAttribute("d"))!)!;
  expect(Math.hypot(Number(start[1]) - x, Number(start[2]) - y)).toBeLessThan(0.01);
  await expect(branch).toContainText("ended before the range did: the step grew too small");
  await branch.getByLabel("Show").selectOption("period");
  await pointAt(drawing, 0.3, 1.1);
  await expect(drawing.locator(".note")).toContainText("the gait, unstable");
  await expect(drawing.locator(".note")).toContainText("period = 1.1\u202fs");
});

test("finite slips: outcomes, what is regained, and the basin in words", async ({ show }) => {
  const page = await show(gait());
  const slips = page.locator("section", { hasText: "Finite slips" });
  await expect(slips).toContainText("the gait is regained after forward slips of up to 0.05\u202fm/s, and after backward slips of none of the sizes tried.");
  const counts = await slips.locator(".legend .chip").evaluateAll((chips) => chips.map((chip) => [chip.textContent!.split(/[ :]/)[0], (chip as HTMLElement).dataset["count"]]));
  expect(counts).toEqual([["stick", "2"], ["impact", "1"], ["jam", "1"], ["step", "2"]]);
  const drawing = slips.locator(".drawing");
  await pointAt(drawing, 0.6, 0.2);
  await expect(drawing.locator(".note")).toContainText("the gait is regained");
  await pointAt(drawing, 0.6, -0.2);
  await expect(drawing.locator(".note")).toContainText("jam: the force grows without bound");
  await expect(drawing.locator(".note")).toContainText("the gait is not regained");
});

test("perturbations: outcomes with located borders, the basin in words, and why there is no linear answer", async ({ show }) => {
  const page = await show(gait());
  const lifts = page.locator("section", { hasText: "Lifts of foot" });
  await expect(lifts).toContainText("the gait is regained after positive ones up to 0.12\u202fm, judged after 12 periods.");
  await expect(lifts).toContainText("At some times there is no linear answer: a lifted foot falls.");
  const drawing = lifts.locator(".drawing");
  await pointAt(drawing, 0.6, 0.2);
  await expect(drawing.locator(".note")).toContainText("the gait is not regainedthen it walks on elsewhere");
  await pointAt(drawing, 0.2, 0);
  await expect(drawing.locator(".note")).toContainText("impact foot");
});
