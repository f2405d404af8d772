import { colliding, family, inconsistent, indeterminate } from "./fixtures/analyses";
import { centres, placeIn, pointAt } from "./fixtures/chart";
import { expect, test } from "./fixtures/page";

test("several solutions: the verdict, a picture and the forces of each, the contact's case", async ({ show }) => {
  const page = await show(indeterminate());
  await expect(page.locator(".answer")).toContainText("Indeterminate. 2 solutions satisfy the laws");
  await expect(page.locator("canvas.still")).toHaveCount(2);
  const second = page.locator("section", { hasText: "Solution 2: P" });
  await expect(second.getByRole("row", { name: "foot 20" })).toContainText("\u221210");
  await expect(second.getByRole("row", { name: "foot 20" })).toContainText("0.5");
  await expect(page.getByRole("region", { name: "Contacts" })).toContainText("3: several answers");
  await expect(page.getByRole("region", { name: "State" })).toContainText("28.648°");
});

test("a state that collides is called so, never consistent", async ({ show }) => {
  const page = await show(colliding());
  await expect(page.locator(".answer")).toHaveText("Colliding. foot closes at its surface: an impact comes first (slipstick impact). The solutions below leave it out.");
});

test("the sliding contact lies in the plane of p and b where the data say, and tells its values", async ({ show }) => {
  const page = await show(indeterminate());
  const drawing = page.locator(".drawing");
  const [x, y] = await placeIn(drawing, -0.05, 2);
  const [[cx, cy]] = (await centres(page.locator(".sliding circle"))) as [[number, number]];
  expect(Math.hypot(cx - x, cy - y)).toBeLessThan(0.01);
  await pointAt(drawing, -0.05, 2);
  await expect(drawing.locator(".note")).toContainText("p = \u22120.05\u202f1/kg");
  await expect(page.getByText("not a P-matrix")).toBeVisible();
});

test("arrow: the force of a solution is drawn from the contact, upwards and against the slip", async ({ show }) => {
  const page = await show(indeterminate());
  const force = (canvas: HTMLCanvasElement): [number, number] => {
    const { data, width, height } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
    let [sum, x, y] = [0, 0, 0];
    for (let i = 0; i < width * height; ++i)
      if (data[4 * i] === 0xc2 && data[4 * i + 1] === 0x41 && data[4 * i + 2] === 0x0c) [sum, x, y] = [sum + 1, x + (i % width), y + Math.floor(i / width)];
    return [sum, sum === 0 ? 0 : x / sum / width];
  };
  const [free, pressed] = await Promise.all([0, 1].map((i) => page.locator("canvas.still").nth(i).evaluate(force)));
  expect(free![0]).toBe(0);
  expect(pressed![0]).toBeGreaterThan(20);
  expect(pressed![1]).toBeLessThan(0.5);
});

test("no solution: said, drawn without forces, with what is marginal", async ({ show }) => {
  const page = await show(inconsistent());
  await expect(page.locator(".answer")).toContainText("Inconsistent. No contact forces satisfy the laws");
  await expect(page.locator("canvas.still")).toHaveCount(1);
  await expect(page.locator(".choice")).toContainText("a minor of P");
  await expect(page.getByRole("region", { name: "Contacts" })).toContainText("4: no answer");
});

test("a family of forces is told with its ends, also where there is none; rounding is told as zero", async ({ show }) => {
  const page = await show(family());
  await expect(page.locator(".choice")).toContainText("a family of dimension 1. The motion is unique");
  await expect(page.getByRole("region", { name: "Contact forces" })).toContainText("\u22122.5 to \u221e");
  await expect(page.getByRole("row", { name: "x 0" }).first()).toContainText("0\u202fm/s²");
  await expect(page.locator(".drawing")).toHaveCount(0);
});
