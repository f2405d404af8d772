import { impact, jump, noImpact } from "./fixtures/analyses";
import { centres, placeIn, pointAt } from "./fixtures/chart";
import { expect, test } from "./fixtures/page";

test("outcomes: laws with the same one share a row, a law that is left out has its reason", async ({ show }) => {
  const page = await show(impact());
  await expect(page.locator(".answer")).toContainText("Collision. foot closes at the surface. 4 laws, 2 different outcomes.");
  await expect(page.locator(".choice").first()).toContainText("stronge: Stronge's law says how one contact rebounds.");
  const outcomes = page.getByRole("region", { name: "Outcomes" });
  await expect(outcomes.getByRole("row", { name: "poisson and newton" })).toContainText("0.125");
  await expect(outcomes.locator("tbody tr")).toHaveCount(2);
});

test("the path turns in the plane of impulses where the data say, and its values can be read", async ({ show }) => {
  const page = await show(impact());
  const drawing = page.locator(".drawing").first();
  const corners = await centres(drawing.locator(".corner circle"));
  expect(corners).toHaveLength(3);
  for (const [i, at] of ([[0, 0], [-0.4, 0.8], [-0.4, 1]] as const).entries()) {
    const [x, y] = await placeIn(drawing, at[0], at[1]);
    expect(Math.hypot(corners[i]![0] - x, corners[i]![1] - y)).toBeLessThan(0.01);
  }
  await pointAt(drawing, -0.4, 0.8);
  await expect(drawing.locator(".note")).toContainText("end of compression: slip along +t");
  await expect(drawing.locator(".note")).toContainText("gap rate \u22120.2");
});

test("another outcome: its path goes on into the restitution, its note is shown", async ({ show }) => {
  const page = await show(impact());
  await page.getByRole("combobox", { name: "Outcome" }).selectOption({ label: "poisson and newton: F to F" });
  await expect(page.locator(".drawing").first().locator(".corner circle")).toHaveCount(4);
  await expect(page.getByRole("region", { name: "Path" })).toContainText("restitution");
  await expect(page.getByText("The law created energy.")).toBeVisible();
});

test("a family: its ranges in words and in the plane, the size of the jump", async ({ show }) => {
  const page = await show(jump());
  await expect(page.locator(".answer")).toContainText("Jam. At foot p is zero");
  await expect(page.getByText("changes by 0 to 7.436872\u202frad/s")).toBeVisible();
  await expect(page.locator(".family rect")).toHaveCount(1);
  await expect(page.getByRole("region", { name: "Impulses" })).toContainText("0 to 4");
  await expect(page.getByRole("region", { name: "Velocities" })).toContainText("\u22121 to 6.4");
});

test("no impact: the reason, and no charts", async ({ show }) => {
  const page = await show(noImpact());
  await expect(page.locator(".answer")).toHaveText("No impact. No contact is at its surface, so no impulse acts.");
  await expect(page.locator(".drawing")).toHaveCount(0);
});
