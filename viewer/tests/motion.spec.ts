import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import type { SlipstickEvent } from "../src/document";
import { blockX, branchingBlock, jammingBlock, kBlock, kBranch, kLong, kStop, longMotion, slidingBlock } from "./fixtures/motion";
import { expect, test } from "./fixtures/page";

const stage = (page: Page) => page.locator("canvas.stage");
const slider = (page: Page) => page.getByRole("slider", { name: "Time" });

async function setTime(page: Page, time: number, until = kBlock.until): Promise<void> {
  await slider(page).evaluate((element: HTMLInputElement, share) => {
    element.value = String(share);
    element.dispatchEvent(new Event("input"));
  }, time / until);
  await painted(page, time);
}

/** Waits until the picture shows a time. */
async function painted(page: Page, time: number): Promise<void> {
  await expect.poll(async () => Math.abs(Number(await stage(page).getAttribute("data-time")) - time)).toBeLessThan(1e-9);
}

const shownTime = async (page: Page): Promise<number> => Number(await stage(page).getAttribute("data-time"));

async function contactAt(page: Page): Promise<[number, number]> {
  return (JSON.parse((await stage(page).getAttribute("data-contacts"))!) as [number, number][])[0]!;
}

/** Colour of the canvas at a place in CSS pixels. */
function pixel(page: Page, [x, y]: [number, number]): Promise<number[]> {
  return stage(page).evaluate(
    (canvas: HTMLCanvasElement, at) => {
      const density = canvas.width / canvas.clientWidth;
      return [...canvas.getContext("2d")!.getImageData(Math.round(at[0]! * density), Math.round(at[1]! * density), 1, 1).data];
    },
    [x, y],
  );
}

test("the block is drawn where the data say, in the colour of its mode", async ({ show }) => {
  const page = await show(slidingBlock());
  await page.getByLabel("Follow").uncheck();
  await setTime(page, 0);
  const [first, ground] = await contactAt(page);
  await setTime(page, kBlock.until);
  const [last] = await contactAt(page);
  expect(last - first).toBeGreaterThan(100);
  for (const time of [0.2, 0.4, 0.6]) {
    await setTime(page, time);
    const [x, y] = await contactAt(page);
    // Rows are 6 ms apart: between them the picture goes in straight lines.
    expect(Math.abs(x - first - ((last - first) * blockX(time)) / blockX(kStop))).toBeLessThan(0.2);
    expect(y).toBe(ground);
    expect(await pixel(page, [x, y])).toEqual([0x1f, 0x86, 0xb8, 255]);
  }
  await setTime(page, 0.9);
  expect(await pixel(page, await contactAt(page))).toEqual([0x3f, 0x4a, 0x59, 255]);
});

test("play goes on at the speed that is set, pause stops it, the end stops it too", async ({ page, show }) => {
  await showFrozen(page, show);
  await page.getByLabel("Speed").selectOption("0.1");
  await page.getByRole("button", { name: "Play" }).click();
  await page.clock.runFor(2000);
  const reached = await shownTime(page);
  expect(reached).toBeGreaterThan(0.15);
  expect(reached).toBeLessThan(0.21);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.clock.runFor(1000);
  expect(await shownTime(page)).toBe(reached);
  await page.getByLabel("Speed").selectOption("1");
  await page.getByRole("button", { name: "Play" }).click();
  await page.clock.runFor(3000);
  expect(await shownTime(page)).toBe(kBlock.until);
  await expect(page.getByRole("button", { name: "Play" })).toBeVisible();
});

test("slow motion at events takes longer to the same time", async ({ page, show }) => {
  await showFrozen(page, show);
  await setTimeFrozen(page, 0.5);
  await page.getByLabel("Speed").selectOption("0.1");
  await page.getByLabel("Slow at events").check();
  await page.getByRole("button", { name: "Play" }).click();
  await page.clock.runFor(2000);
  const slow = await shownTime(page);
  expect(slow).toBeLessThan(0.66);
  expect(slow).toBeGreaterThan(0.5);
});

/** Opens the block's page with a clock that only the test advances. */
async function showFrozen(page: Page, show: (document: unknown) => Promise<Page>): Promise<void> {
  await page.clock.install({ time: 0 });
  await show(slidingBlock());
  await page.clock.pauseAt(600_000);
}

async function setTimeFrozen(page: Page, time: number): Promise<void> {
  await slider(page).evaluate((element: HTMLInputElement, share) => {
    element.value = String(share);
    element.dispatchEvent(new Event("input"));
  }, time / kBlock.until);
  await page.clock.runFor(100);
}

test("buttons step by rows and events", async ({ show }) => {
  const page = await show(slidingBlock());
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  await press("One step on");
  await painted(page, kStop / 100);
  await press("One step back");
  await painted(page, 0);
  await page.getByRole("combobox", { name: "Step" }).selectOption("0.01");
  await press("One step on");
  await painted(page, 0.01);
  await press("Next event");
  await painted(page, kStop);
  await expect(page.locator("tr[aria-current]")).toContainText("stick");
  await press("Next event");
  await expect(page.locator("tr[aria-current]")).toContainText("rest");
  await press("Event before");
  await expect(page.locator("tr[aria-current]")).toContainText("stick");
  await press("To the end");
  await painted(page, kBlock.until);
  await press("To the start");
  await painted(page, 0);
});

test("keys do the same, wherever the focus is", async ({ show }) => {
  const page = await show(slidingBlock());
  await page.keyboard.press("ArrowRight");
  await painted(page, kStop / 100);
  await page.keyboard.press("Shift+ArrowRight");
  await painted(page, kStop);
  await page.keyboard.press("Shift+ArrowLeft");
  await page.keyboard.press("End");
  await painted(page, kBlock.until);
  await page.keyboard.press("Home");
  await painted(page, 0);
  const before = await page.getByLabel("Speed").inputValue();
  await page.keyboard.press("+");
  expect(Number(await page.getByLabel("Speed").inputValue())).toBeGreaterThan(Number(before));
  await slider(page).focus();
  await page.keyboard.press("ArrowRight");
  await painted(page, kStop / 100);
  await page.locator("body").evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press("Space");
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await page.keyboard.press("Space");
  await expect(page.getByRole("button", { name: "Play" })).toBeVisible();
});

test("every control is reached by Tab and has a name", async ({ show }) => {
  const page = await show(slidingBlock());
  const controls = await page.locator("#page").locator("button:enabled, select, input").count();
  const names = new Set<string>();
  for (let i = 0; i < controls + 20; ++i) {
    await page.keyboard.press("Tab");
    const name = await page.evaluate(() => {
      const element = document.activeElement!;
      if (!element.matches("button, select, input")) return null;
      const all = [...document.querySelectorAll("button, select, input")];
      const label = element.getAttribute("aria-label") ?? element.closest("label")?.textContent ?? element.textContent;
      return label ? String(all.indexOf(element)) : `no name: ${element.outerHTML}`;
    });
    if (name !== null) names.add(name);
  }
  expect([...names].filter((name) => name.startsWith("no name"))).toEqual([]);
  expect(names.size).toBe(controls);
});

test("a row of the table goes to its event, by click and by Enter, and tells of the choice", async ({ show }) => {
  const page = await show(slidingBlock());
  const rows = page.locator(".events tbody tr");
  await expect(rows).toHaveCount(2);
  await rows.nth(1).click();
  await painted(page, kStop);
  await expect(rows.nth(1)).toHaveAttribute("aria-current", "true");
  await rows.nth(1).focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect(rows.nth(0)).toHaveAttribute("aria-current", "true");
  await expect(page.locator(".event-detail")).toContainText(
    "Several futures were possible here: slip was taken (--on-indeterminate slip). Also admissible: mode S and lift-off.",
  );
});

test("the words of a choice fit its kind", async ({ show }) => {
  const document = slidingBlock();
  const [stick, rest] = document.result["events"] as SlipstickEvent[];
  const kinds: [Partial<SlipstickEvent>, string][] = [
    [{ type: "inconsistent", policy: "impact", alternatives: [] }, "No motion satisfies the laws of contact here: impact was taken (--on-inconsistent impact)."],
    [{ type: "jam", policy: "stop", alternatives: ["impact"] }, "Several futures were possible here: the run was stopped (--on-jam stop). Also admissible: impact."],
    [{ type: "impact", policy: "prefer", alternatives: ["jump 0"] }, "the outcome that the law prefers was taken (--on-impact prefer)."],
    [{ type: "paradox", alternatives: ["PF"] }, "Also admissible just after this: mode PF."],
  ];
  const { policy: _policy, alternatives: _alternatives, ...plain } = stick!;
  document.result["events"] = [...kinds.map(([change]) => ({ ...plain, ...change })), rest];
  const page = await show(document);
  for (const [i, [, sentence]] of kinds.entries()) {
    await page.locator(".events tbody tr").nth(i).click();
    await expect(page.locator(".event-detail")).toContainText(sentence);
  }
});

test("start, end and reason are told in words", async ({ show }) => {
  const page = await show(slidingBlock());
  await expect(page.getByText("The mechanism came to rest, at 0.611621")).toBeVisible();
  await expect(page.locator(".states tbody tr").nth(0)).toHaveText(/^x0.m0\.917431.m$/);
  await expect(page.locator(".states tbody tr").nth(1)).toHaveText(/^x_dot3.m\/s0.m\/s$/);
});

test("curves can be added and removed; missing values are gaps and are told", async ({ show }) => {
  const page = await show(slidingBlock());
  await page.getByLabel("Add a curve").selectOption("p_foot");
  const panel = page.locator(".curve", { hasText: "p_foot (1/kg)" });
  await expect(panel).toContainText("No value in 29 % of the rows shown (the contact does not slide there)");
  await page.keyboard.press("End");
  await expect(panel.locator(".value")).toHaveText("none");
  const before = await page.locator(".curve").count();
  await page.getByRole("button", { name: "Remove p_foot" }).click();
  await expect(page.locator(".curve")).toHaveCount(before - 1);
});

test("a drag zooms all curves, the button shows all again, a click sets the time", async ({ show }) => {
  const page = await show(slidingBlock());
  const drawing = page.locator(".curve .drawing").first();
  await drawing.locator("svg").waitFor();
  const box = (await drawing.boundingBox())!;
  const y = box.y + box.height / 2;
  const ticks = () => page.locator(".curve").last().locator("[data-mark='x-axis tick label'] text").allTextContents();
  const whole = await ticks();
  await page.mouse.move(box.x + box.width / 2, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.7, y, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => Number((await ticks())[0])).toBeGreaterThan(0.3);
  await page.getByRole("button", { name: "Whole time" }).click();
  await expect.poll(ticks).toEqual(whole);
  await page.mouse.click(box.x + box.width / 2, y);
  await expect.poll(() => shownTime(page)).toBeGreaterThan(0.4);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -400);
  await page.keyboard.up("Control");
  await expect.poll(async () => Number((await ticks())[0])).toBeGreaterThan(0.1);
});

test("the phase plane has regions and boundaries, also with its axes exchanged", async ({ show }) => {
  const page = await show(slidingBlock());
  const plane = page.locator("section", { hasText: "Phase plane" });
  const cells = plane.locator(".tiles path");
  await expect(plane.locator(".legend")).toContainText("Where foot slides along +t:");
  await expect(plane.locator(".legend")).toContainText("4: no answer");
  await expect(plane.locator(".legend")).toContainText("p = 0");
  await expect(cells).toHaveCount(4);
  await plane.getByLabel("Across").selectOption("x_dot");
  await expect(cells).toHaveCount(0);
  await plane.getByLabel("Up").selectOption("x");
  await expect(cells).toHaveCount(4);
  await plane.getByLabel("Up").selectOption("energy");
  await expect(cells).toHaveCount(0);
});

test("motion in modes that the regions do not describe is drawn apart, and the legend says so", async ({ show }) => {
  const page = await show(slidingBlock());
  const plane = page.locator("section", { hasText: "Phase plane" });
  await expect(plane.locator(".legend")).toContainText("motion in other modes, to which the cases do not apply");
  await expect(plane.locator(".undescribed path")).toHaveCount(1);
  await plane.getByLabel("Up").selectOption("energy");
  await expect(plane.locator(".undescribed path")).toHaveCount(0);
});

test("a force without bound is no number: the curve breaks, the value and the picture say so", async ({ show }) => {
  const page = await show(jammingBlock());
  const curve = page.locator("figure.curve", { hasText: "force_n_foot" });
  await expect(curve).toContainText("It grows without bound at a jam: the curve breaks there.");
  expect(await curve.locator("path").evaluateAll((paths) => paths.every((path) => !/NaN|Infinity/.test(path.getAttribute("d") ?? "")))).toBe(true);
  await setTime(page, kStop, kStop);
  await expect(curve.locator(".value")).toContainText("\u221e");
  await setTime(page, 0.5 * kStop, kStop);
  await expect(curve.locator(".value")).toContainText("3.2");
});

test("of a branching the tree is shown, one future is chosen, the others stay as ghosts", async ({ show }) => {
  const page = await show(branchingBlock());
  await page.getByLabel("Follow").uncheck();
  const radios = page.locator(".tree").getByRole("radio");
  await expect(radios).toHaveCount(2);
  await expect(page.locator(".run-row").first()).toContainText("several futures at 0.3 s");
  await setTime(page, 0.6);
  const going = await contactAt(page);
  await expect(page.locator(".curve").first().locator("path[stroke='var(--soft)'], g[stroke='var(--soft)'] path")).toHaveCount(1);
  await page.getByLabel("impact").check();
  await expect.poll(async () => (await contactAt(page))[0]).toBeLessThan(going[0] - 20);
  await expect(page.getByText("came to rest, at 0.3")).toBeVisible();
  await page.locator(".events tbody tr").first().click();
  await painted(page, kBranch);
  await expect(page.locator(".event-detail")).toContainText("each was followed (--on-jam branch): this one: impact; the others: slip.");
});

test("a hundred thousand rows are drawn with few points, and no spike or event is lost", async ({ show }) => {
  const page = await show(longMotion());
  const panel = page.locator(".curve", { hasText: "force_n_foot" });
  await panel.locator("svg").waitFor();
  const width = (await panel.locator("svg").boundingBox())!.width;
  const paths = await panel.locator("[data-mark=line] path").evaluateAll((found) => found.map((path) => path.getAttribute("d")!));
  const points = paths.join("").match(/[ML]/g)!.length;
  expect(points).toBeGreaterThan(width / 2);
  expect(points).toBeLessThan(4 * width);
  // The gap is wider than a pixel: a second beginning in the path.
  expect(paths.join("").match(/M/g)!.length).toBeGreaterThan(1);
  await expect(panel).toContainText("Symlog scale");
  await expect(panel.locator("svg")).toHaveAttribute("aria-description", /1\s×\s10⁶\sN/);
  // A thousand events on fewer half pixels than that: each of these has its rule.
  const rules = await panel.locator(".event-rules path").getAttribute("d");
  expect(rules!.match(/M/g)!.length).toBeGreaterThan(width);
  await expect(page.locator(".events tbody tr")).toHaveCount(200);
  await setTime(page, 95, kLong.until);
  await expect(page.locator("tr[aria-current]")).toHaveAttribute("data-event", "949");
  await page.getByLabel("Scale").selectOption("clipped");
  await expect(panel).toContainText("Clipped; the values reach from");
});

test("a narrow window shows all without scrolling sideways", async ({ page, show }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await show(branchingBlock());
  await page.locator(".curve svg").first().waitFor();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(overflow).toBe(0);
});

test("the picture follows the dark scheme, and is light in print", async ({ page, show }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await show(slidingBlock());
  await setTime(page, 0.2);
  expect(await pixel(page, await contactAt(page))).toEqual([0x7f, 0xcd, 0xf5, 255]);
  await page.emulateMedia({ media: "print" });
  await expect.poll(async () => pixel(page, await contactAt(page))).toEqual([0x1f, 0x86, 0xb8, 255]);
  await expect(page.locator(".transport")).toBeHidden();
});

test("names that contain HTML stay text in all parts", async ({ show }) => {
  const hostile = "<img src=x onerror=alert(1)>";
  const text = JSON.stringify(slidingBlock()).replaceAll("foot", JSON.stringify(hostile).slice(1, -1));
  const page = await show(JSON.parse(text));
  await page.keyboard.press("Shift+ArrowRight");
  await expect(page.locator(".mode-line")).toContainText(`${hostile}: stick`);
  await expect(page.locator("#page img")).toHaveCount(0);
});

for (const colorScheme of ["light", "dark"] as const)
  test(`no serious fault of accessibility (${colorScheme})`, async ({ page, show }) => {
    await page.emulateMedia({ colorScheme });
    await show(branchingBlock());
    await page.keyboard.press("Shift+ArrowRight");
    await page.locator(".curve svg").first().waitFor();
    const { violations } = await new AxeBuilder({ page }).analyze();
    const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`)).toEqual([]);
  });
