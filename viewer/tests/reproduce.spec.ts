import AxeBuilder from "@axe-core/playwright";
import { expect, makeDocument, test } from "./fixtures/page";

const claim = (paper: string, verdict: string, computed: number | string | null) => ({
  paper,
  kind: verdict === "erratum" ? "formula" : computed === "rest" ? "statement" : "printed",
  cases: verdict === "erratum" ? [0.3, 0.5].map((value) => ({ at: { m: value }, computed: value })) : [],
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
      { paper: "008", key: "Zhao2008", title: "On one thing", about: "Of a block.", symbols: "b is the block." },
      { paper: "009", key: "Or2014", title: "On another", about: "Of a rod.", symbols: "" },
    ],
    claims: [claim("008", "agrees", 0.2512345), claim("008", "erratum", 0.4), claim("009", "under-determined", null), claim("009", "agrees", "rest")],
  },
});

const figure = (parts: object) => ({
  paper: "008",
  where: "Fig. 3(a)",
  shows: "a line",
  why: "The place is not printed.",
  x: { label: "time", unit: "s", log: false },
  y: { label: "speed", unit: "m/s", log: false },
  equal_scales: false,
  curves: [{ name: "model", style: "line", runs: ["slipstick simulate a"], from: { t: "/t" }, expressions: { x: ["t"], y: ["2*t"] }, x: [0, 1, null, 2], y: [0, 2, null, 4] }],
  printed: [{ text: "measured", x: 0.5 }],
  marks: [{ text: "assumed", y: 1 }],
  ...parts,
});

const withFigures = (figures: object[], where = "eq. (1)") => {
  const { papers, claims } = kDocument.result as { papers: unknown; claims: object[] };
  return { ...kDocument, result: { papers, claims: claims.map((item, i) => (i === 0 ? { ...item, where } : item)), figures } };
};

test("figures have their axes, curves, printed numbers, claims and calls", async ({ show }) => {
  const page = await show(withFigures([figure({}), figure({ where: "Fig. 3(b)" }), figure({ where: "Fig. 30" })], "sec. 2, Figs. 2(a), 3(a, d)"));
  const first = page.getByRole("article", { name: "Fig. 3(a)" });
  await expect(first.locator("svg")).toContainText("time (s)");
  await expect(first.locator("svg")).toContainText("measured");
  await expect(first.locator("svg")).toContainText("assumed");
  await expect(page.getByText("b is the block.")).toBeVisible();
  const [path] = await first.locator('[data-mark="line"]').last().locator("path").all();
  expect(((await path!.getAttribute("d")) ?? "").match(/M/g)).toHaveLength(2);
  await expect(first.getByRole("listitem")).toHaveText([/agrees.*printed 0.25 s, computed 0.2512345 s/]);
  await expect(page.getByRole("article", { name: "Fig. 3(b)" }).getByRole("listitem")).toHaveCount(0);
  await expect(page.getByRole("article", { name: "Fig. 30" }).getByRole("listitem")).toHaveCount(0);
  await first.getByText("how").click();
  await expect(first.locator("pre")).toHaveText("# model\nslipstick simulate a --json\nt = /t\nx = t\ny = 2*t");
});

test("claims stand at the part of a figure that they name", async ({ show }) => {
  const { papers, claims } = kDocument.result as { papers: unknown; claims: object[] };
  const wheres = ["Figs 9 to 11", "Fig. 4(b, e)", "sec. 1, Figs. 7(b), 8(a)", "Fig. 3.2(a)"];
  const figures = ["Fig. 4(a)", "Fig. 4(b)", "Fig. 4(e)", "Fig. 7(b)", "Fig. 10", "Fig. 3.2(b)", "Fig. 3"].map((where) => figure({ where }));
  const page = await show({ ...kDocument, result: { papers, figures, claims: wheres.map((where, i) => ({ ...claims[0], where, claim: `claim ${i}` })) } });
  const at = (where: string) => page.getByRole("article", { name: where, exact: true }).getByRole("listitem");
  await expect(at("Fig. 4(a)")).toHaveCount(0);
  await expect(at("Fig. 4(b)")).toHaveText([/claim 1/]);
  await expect(at("Fig. 4(e)")).toHaveCount(0);
  await expect(at("Fig. 7(b)")).toHaveText([/claim 2/]);
  await expect(at("Fig. 10")).toHaveText([/claim 0/]);
  await expect(at("Fig. 3.2(b)")).toHaveCount(0);
  await expect(at("Fig. 3")).toHaveCount(0);
});

test("planes are drawn from left to right, whatever their order", async ({ show }) => {
  const map = { runs: ["slipstick paradox b"], x: [0, -1, -2], y: [1, 0], words: [[1, 4, 4], [1, 4, 4]], borders: [] };
  const page = await show(withFigures([figure({ map })]));
  const tile = (word: string) => page.locator(`.tiles path[data-word="${word}"]`);
  const left = await tile("4").evaluate((path) => (path as unknown as SVGGraphicsElement).getBBox().x);
  const right = await tile("1").evaluate((path) => (path as unknown as SVGGraphicsElement).getBBox().x);
  expect(left).toBeLessThan(right);
});

test("a flat picture has the whole width; what failed says why", async ({ show }) => {
  const curves = [{ name: "bar", style: "line", runs: ["slipstick simulate a"], from: {}, expressions: { x: ["0"], y: ["0"] }, x: [0, 10], y: [0, 1] }];
  const failed = [{ name: "bar", style: "line", runs: ["slipstick simulate a"], from: {}, expressions: { x: ["0"], y: ["0"] }, failure: "simulate a: exit status 3" }];
  const page = await show(withFigures([figure({ curves, equal_scales: true }), figure({ where: "Fig. 4", curves: failed }), figure({ where: "Fig. 5", curves: null })]));
  await expect(page.locator(".figure.flat")).toHaveCount(1);
  await expect(page.getByRole("article", { name: "Fig. 4" })).toContainText("Could not be drawn: simulate a: exit status 3");
  await expect(page.getByRole("article", { name: "Fig. 5" })).toContainText("Could not be drawn");
});

test("each paper has its claims, with what was printed and computed", async ({ show }) => {
  const page = await show(kDocument);
  const rows = page.locator("table.claims tbody tr");
  await expect(rows).toHaveCount(4);
  await expect(rows.nth(0)).toContainText("0.25 s0.2512345 sagrees");
  await expect(rows.nth(1)).toContainText("for <b>a reason</b>");
  await expect(rows.nth(1)).toContainText("formula0.25 s0.4 s0.3 to 0.5 s over m");
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

test("kinds are counted, and can be hidden", async ({ page, show }) => {
  await show(kDocument);
  await page.getByLabel("printed (2)").uncheck();
  await expect(page.locator("table.claims tbody tr")).toHaveCount(2);
  await page.getByLabel("statement (1)").uncheck();
  await expect(page.locator("table.claims tbody tr")).toHaveText([/formula/]);
});

test("narrow and dark, without serious findings of axe", async ({ page, show }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.emulateMedia({ colorScheme: "dark" });
  await show(withFigures([figure({})]));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
});
