import AxeBuilder from "@axe-core/playwright";
import { expect, makeDocument, test } from "./fixtures/page";

const claim = (paper: string, verdict: string, computed: number | string | null) => ({
  paper,
  where: `eq. (${verdict.length})`,
  claim: `a claim that ${verdict}`,
  printed: 0.25,
  printed_as: "0.25",
  computed,
  unit: "s",
  verdict,
  why: verdict === "agrees" ? "" : "for <b>a reason</b>",
  runs: computed === null ? [] : ["slipstick classify sliding-block"],
  from: computed === null ? {} : { a: "/class" },
  expression: "a",
});

const kDocument = makeDocument({
  verb: "reproduce",
  model: { name: "", title: "The papers, claim by claim", source: "", coordinates: [], contacts: [] },
  result: {
    papers: [
      { paper: "008", key: "Zhao2008", title: "On one thing", about: "Of a block." },
      { paper: "009", key: "Or2014", title: "On another", about: "Of a rod." },
    ],
    claims: [claim("008", "agrees", 0.2512345), claim("008", "erratum", 0.4), claim("009", "under-determined", null), claim("009", "agrees", "rest")],
  },
});

test("each paper has its claims, with what was printed and computed", async ({ show }) => {
  const page = await show(kDocument);
  const rows = page.locator("table.claims tbody tr");
  await expect(rows).toHaveCount(4);
  await expect(rows.nth(0)).toContainText("0.25 s0.2512345 sagrees");
  await expect(rows.nth(1)).toContainText("for <b>a reason</b>");
  await expect(rows.nth(2)).toContainText("–");
  await expect(page.getByRole("heading", { level: 2 })).toHaveText(["[Zhao2008] On one thing", "[Or2014] On another"]);
  await rows.nth(0).getByText("how").click();
  await expect(rows.nth(0).locator("pre")).toHaveText("slipstick classify sliding-block --json\na = /class\ncomputed = a");
});

test("verdicts can be hidden, by keys too", async ({ page, show }) => {
  await show(kDocument);
  await page.getByLabel("agrees (2)").uncheck();
  await expect(page.locator("table.claims tbody tr")).toHaveCount(2);
  await page.getByLabel("erratum (1)").focus();
  await page.keyboard.press("Space");
  await expect(page.locator("table.claims tbody tr")).toHaveCount(1);
});

test("narrow and dark, without serious findings of axe", async ({ page, show }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.emulateMedia({ colorScheme: "dark" });
  await show(kDocument);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
});
