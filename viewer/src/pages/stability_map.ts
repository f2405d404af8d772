// Verdicts on the rest of a body over one or two parameters.

import * as Plot from "@observablehq/plot";
import { chart } from "../chart";
import type { Point, SlipstickDocument } from "../document";
import { make, section, table, type Child } from "../dom";
import type { Page } from "../frame";
import { count, list, number } from "../format";
import { verdictColor } from "../palette";
import { axisOptions, borderMark, labelsMark, tilesLegend, tilesMark, tileSpots, type Axis, type Kind, type Plane } from "../tiles";
import { kVerdictWords } from "../words";

interface StabilityMap {
  axes: { name: string; values: number[] }[];
  verdict: string[][];
  theorem: (string | null)[][];
  growth: (number | null)[][];
  borders: { between: string[]; points: Point[] }[];
}

export const kVerdictKinds: Kind[] = Object.keys(kVerdictWords).map((verdict) => ({
  word: verdict,
  label: kVerdictWords[verdict]!,
  short: kVerdictWords[verdict]!,
  color: verdict === "infeasible" ? null : verdictColor(verdict),
}));

export const stabilityMapPage: Page = (document: SlipstickDocument) => {
  const result = document.result as unknown as StabilityMap;
  const axes = result.axes.map(({ name, values }): Axis => ({ name, unit: "", values }));
  const [x, y] = axes as [Axis, Axis | undefined];
  const over = list(axes.map((axis) => axis.name));
  return [
    make("p", { class: "answer" }, answer(result)),
    section(
      `Verdicts over ${over}`,
      y ? mapChart(result, x, y) : stripChart(result, x),
      tilesLegend({ x, y: y ?? x, words: result.verdict, borders: [] }, kVerdictKinds),
      make("p", { class: "soft small" }, "Parameters in SI units, angles in radians. Read growth (the largest at a fixed point of the reduced map) off the tiles."),
    ),
    y === undefined && section("Borders", borderTable(result, x)),
  ];
};

function answer(result: StabilityMap): string {
  const all = result.verdict.flat();
  const found = Object.keys(kVerdictWords)
    .map((verdict) => [kVerdictWords[verdict]!, all.filter((other) => other === verdict).length] as const)
    .filter(([, times]) => times > 0)
    .map(([words, times]) => `${count(times)} ${words}`);
  return `Of ${count(all.length)} bodies: ${list(found)}.`;
}

function mapChart(result: StabilityMap, x: Axis, y: Axis): HTMLElement {
  const plane: Plane = { x, y, words: result.verdict, borders: result.borders.flatMap(({ points }) => points) };
  const theorems: Plane = { ...plane, words: result.verdict.map((row, j) => row.map((verdict, i) => `${verdict} ${result.theorem[j]![i]}`)) };
  return chart({
    title: "",
    description: `Verdicts in the plane of ${x.name} and ${y.name}. ${answer(result)}`,
    x: axisOptions(x),
    y: axisOptions(y),
    height: 520,
    plot: { marginTop: 24 },
    marks: () => [
      tilesMark(plane, kVerdictKinds),
      borderMark(theorems, sameVerdict, { stroke: "var(--soft)", "stroke-width": 1, "stroke-dasharray": "2 2" }),
      borderMark(plane, () => true, { "stroke-width": 1.5 }),
      labelsMark(theorems, theoremKinds(theorems)),
      Plot.frame({ stroke: "var(--line)" }),
    ],
    spots: tileSpots(plane, (i, j) => tell(result, i, j)),
  });
}

/** A verdict with its theorem, as it is written into a region. */
function theoremKinds(theorems: Plane): Kind[] {
  return [...new Set(theorems.words.flat())].map((word) => {
    const [verdict = "", theorem] = word.split(" ");
    const words = kVerdictWords[verdict] ?? verdict;
    return { word, label: words, short: theorem === "null" ? words : `${words}\nTheorem ${theorem}`, color: null };
  });
}

/** A dotted line separates different theorems of the same verdict. */
const sameVerdict = (a: string, b: string): boolean => a.split(" ")[0] === b.split(" ")[0];

function tell(result: StabilityMap, i: number, j: number): string[] {
  const verdict = result.verdict[j]![i]!;
  const theorem = result.theorem[j]?.[i];
  const growth = result.growth[j]?.[i];
  const words = kVerdictWords[verdict] ?? verdict;
  return [theorem ? `${words}, Theorem ${theorem}` : words, growth === null || growth === undefined ? "no growth: no fixed point" : `growth ${number(growth)}`];
}

/** One parameter: a strip of verdicts under the curve of growth. */
function stripChart(result: StabilityMap, x: Axis): HTMLElement {
  const growth = result.growth[0] ?? [];
  const points = x.values.map((value, i) => ({ value, growth: growth[i] ?? Number.NaN }));
  const known = points.map((point) => point.growth).filter((value) => value > 0);
  const range: [number, number] = known.length > 0 ? [Math.min(...known, 0.8), Math.max(...known, 1.25)] : [0.1, 10];
  const row = { name: "", unit: "", values: range };
  const plane: Plane = {
    x,
    y: row,
    words: [result.verdict[0]!, result.verdict[0]!],
    borders: result.borders.flatMap(({ points: found }) => found.flatMap(([at]) => range.map((end): Point => [at, end]))),
  };
  return chart({
    title: "",
    description: `Verdicts and growth over ${x.name}. ${answer(result)}`,
    x: axisOptions(x),
    y: { label: "growth", type: "log", domain: range, ticks: 4, grid: false, tickFormat: (value: number) => number(value) },
    height: 320,
    marks: () => [
      tilesMark(plane, kVerdictKinds),
      borderMark(plane, () => true, { "stroke-width": 1.5 }),
      Plot.ruleY([1], { stroke: "var(--soft)", strokeDasharray: "3 3" }),
      Plot.line(points, { x: "value", y: "growth", stroke: "var(--ink)", strokeWidth: 2 }),
      Plot.frame({ stroke: "var(--line)" }),
    ],
    spots: {
      list: points.map((point, i) => ({
        x: point.value,
        y: Number.isNaN(point.growth) ? 1 : point.growth,
        tell: () => [...tell(result, i, 0), `${x.name} = ${number(point.value)}`],
      })),
      along: "x",
    },
    values: {
      head: [x.name, "verdict", "theorem", "growth"],
      rows: points.map((point, i) => [number(point.value), result.verdict[0]![i]!, result.theorem[0]?.[i] ?? "", number(growth[i])]),
    },
  });
}

function borderTable(result: StabilityMap, x: Axis): Child {
  const rows = result.borders.flatMap(({ between, points }) => points.map((point) => [between.join(" | "), number(point[0], 9)]));
  return rows.length > 0 ? table("Borders", ["between", x.name], rows, [1]) : make("p", {}, "The verdict does not change over this range.");
}
