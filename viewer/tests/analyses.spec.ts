// What every page of an analysis must do.

import AxeBuilder from "@axe-core/playwright";
import { kAnalyses } from "./fixtures/analyses";
import { expect, test } from "./fixtures/page";

for (const [name, make] of Object.entries(kAnalyses)) {
  for (const colorScheme of ["light", "dark"] as const)
    test(`${name}: no serious findings of axe, ${colorScheme}`, { tag: colorScheme === "dark" ? "@long" : [] }, async ({ page, show }) => {
      await page.emulateMedia({ colorScheme });
      await show(make());
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
    });

  test(`${name}: a narrow window scrolls in one direction only`, async ({ page, show }) => {
    await page.setViewportSize({ width: 390, height: 800 });
    await show(make());
    for (const drawing of await page.locator(".drawing svg").all()) expect((await drawing.boundingBox())!.width).toBeLessThanOrEqual(390);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });

  test(`${name}: every chart has words and is reached by the tab key`, async ({ page, show }) => {
    await show(make());
    const charts = page.locator(".drawing[role=group]");
    const count = await charts.count();
    for (const label of await charts.evaluateAll((all) => all.map((chart) => chart.getAttribute("aria-label")!))) expect(label.length).toBeGreaterThan(20);
    const seen = new Set<number>();
    for (let press = 0; press < 80 && seen.size < count; ++press) {
      await page.keyboard.press("Tab");
      const index = await page.evaluate(() => [...document.querySelectorAll(".drawing[role=group]")].indexOf(document.activeElement!));
      if (index >= 0) seen.add(index);
    }
    expect(seen.size).toBe(count);
  });

  test(`${name}: names with HTML are text`, { tag: "@long" }, async ({ show }) => {
    const hostile = "<b onclick=alert(1)>bold</b>";
    const json = JSON.stringify(make()).replaceAll('"foot', JSON.stringify(hostile).slice(0, -1)).replaceAll("theta", JSON.stringify(hostile).slice(1, -1));
    const page = await show(JSON.parse(json));
    await expect(page.locator("h1")).toHaveText("Block");
    await expect(page.locator("#page b")).toHaveCount(0);
  });
}
