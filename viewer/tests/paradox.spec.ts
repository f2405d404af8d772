import { paradoxAlong, paradoxMap } from "./fixtures/analyses";
import { placeIn, pointAt } from "./fixtures/chart";
import { expect, test } from "./fixtures/page";

test("along a coordinate: bands where the data say, gaps where nothing can close, degrees on hover", async ({ show }) => {
  const page = await show(paradoxAlong());
  await expect(page.locator(".answer")).toContainText("from \u221222.92° to \u22125.73° (\u22120.4 to \u22120.1\u202frad)");
  const drawing = page.locator(".drawing");
  const band = drawing.locator(".paradox rect");
  const [left] = await placeIn(drawing, -0.4, 0);
  const [right] = await placeIn(drawing, -0.1, 0);
  await expect(band).toHaveCount(1);
  expect(Math.abs(Number(await band.getAttribute("x")) - left)).toBeLessThan(1);
  expect(Math.abs(Number(await band.getAttribute("width")) - (right - left))).toBeLessThan(1);
  await pointAt(drawing, -0.2, -0.02);
  await expect(drawing.locator(".note")).toHaveText(/theta = \u22120\.2\u202frad \(\u221211\.46°\)p, without friction 1: \u22120\.02/);
  await pointAt(drawing, 0.8, 0);
  await expect(drawing.locator(".note")).toContainText("the contacts cannot close");
  await expect(page.locator("details")).toContainText("cannot close");
});

test("the curve ends where the contacts no longer close", async ({ show }) => {
  const page = await show(paradoxAlong());
  const drawing = page.locator(".drawing");
  const [end] = await placeIn(drawing, 0.5, 0);
  const path = await drawing.locator("[data-mark=line] path").getAttribute("d");
  const last = Number(/([\d.]+),[\d.]+$/.exec(path!)![1]);
  expect(Math.abs(last - end)).toBeLessThan(1);
});

test("in a plane: the number of states of each case, tiles that end at p = 0", async ({ show }) => {
  const page = await show(paradoxMap());
  await expect(page.locator(".answer")).toHaveText("Of 15 states 40\u202f% have no answer and 13.3\u202f% have several answers. In 6.67\u202f% the contacts cannot close (blank).");
  const counts = await page.locator(".legend .chip").evaluateAll((chips) => chips.map((chip) => [chip.textContent!.slice(0, 1), (chip as HTMLElement).dataset["count"]]));
  expect(counts).toEqual([["1", "6"], ["3", "2"], ["4", "6"]]);
  const drawing = page.locator(".drawing");
  const [border] = await placeIn(drawing, 0.3, 0);
  const box = await drawing.locator('.tiles path[data-word="4"]').evaluate((path: SVGPathElement) => path.getBBox().x);
  expect(Math.abs(box - border)).toBeLessThan(0.2);
  await expect(page.getByText("b = 0", { exact: true })).toBeVisible();
});

test("values are read by pointer and by arrow keys", async ({ page, show }) => {
  await show(paradoxMap());
  const drawing = page.locator(".drawing");
  const note = drawing.locator(".note");
  await pointAt(drawing, 0.75, 1);
  await expect(note).toContainText("Case 4: no answer");
  await expect(note).toContainText("theta = 0.75\u202frad (42.97°)");
  await pointAt(drawing, 1, 2);
  await expect(note).toContainText("the contacts cannot close");
  await page.mouse.move(0, 0);
  await expect(note).toBeHidden();
  await drawing.focus();
  for (const key of ["ArrowRight", "ArrowRight", "ArrowUp", "ArrowUp", "ArrowRight"]) await page.keyboard.press(key);
  await expect(note).toContainText("Case 3: several answers");
  await expect(note).toContainText("theta_dot = 2\u202frad/s");
  await page.keyboard.press("Escape");
  await expect(note).toBeHidden();
});
