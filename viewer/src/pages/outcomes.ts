// What happens over parameters and initial values: intervals of one, a map over two, cases over more.

import * as Plot from "@observablehq/plot";
import { chart } from "../chart";
import type { Point, SlipstickDocument } from "../document";
import { make, section, table, type Child } from "../dom";
import type { Page } from "../frame";
import { axisLabel, count, list, number } from "../format";
import { posedPicture } from "../motion/still";
import { seriesColor } from "../palette";
import { axisOptions, borderMark, labelsMark, tellAxis, tilesLegend, tilesMark, tileSpots, type Axis, type Kind, type Plane } from "../tiles";
import { unitOf } from "../units";
import { lineKey } from "../words";

type Shares = Record<string, [share: number, error: number]>;

interface Spread {
  mean: number;
  error: number;
  low: number;
  median: number;
  high: number;
}

interface Side {
  distance: number;
  outcome: string;
}

interface Outcomes {
  of: string;
  key?: string;
  call: string;
  axes?: { name: string; spacing: string; values: number[] }[];
  outcome?: string;
  value?: number;
  labels?: string[];
  counts?: Record<string, number>;
  /** Index of the label at every point; one row for one axis. */
  grid?: number[] | number[][];
  values?: (number | null)[] | (number | null)[][];
  intervals?: { from: number; to: number; outcome: string }[];
  thresholds?: { value: number; between: [string, string]; error: number; decided_by_rounding: boolean }[];
  borders?: { between: [string, string]; points: Point[] }[];
  corners?: { at: Point; outcomes: string[] }[];
  contours?: { level: number; points: Point[] }[];
  cases?: { at: Record<string, number>; outcome: string; value?: number }[];
  uncertain?: Record<string, string>;
  draws?: number;
  shares?: Shares | Shares[] | Shares[][];
  numbers?: Spread | (Spread | null)[];
  margins?: { parameter: string; value: number; searched: [number, number]; below: Side | null; above: Side | null }[];
  why?: Record<string, string>;
  unresolved?: number;
  evaluations?: number;
}

export const outcomesPage: Page = (document: SlipstickDocument) => {
  const result = document.result as unknown as Outcomes;
  const axes = (result.axes ?? []).map(({ name, values }): Axis => ({ name, unit: unitOf(document, name), values }));
  const posed = posedPicture(document, { caption: hasStates(document, result) ? "The mechanism at the point that is read above" : "The mechanism at its initial state" });
  const seen = hasStates(document, result) ? posed?.pose : undefined;
  return [
    make("p", { class: "answer" }, answer(result, axes)),
    result.shares !== undefined ? sharesSection(result, axes) : pointsSection(result, axes, seen),
    whySection(result),
    marginsSection(result),
    section("One of these calls", make("pre", {}, result.call), axes.length > 0 && make("p", { class: "soft small" }, "Put values in the place of the names in braces.")),
    posed && section("The mechanism", posed.figure),
  ];
};

/** Called with the number of the point that is read. */
type Seen = ((point: number) => void) | undefined;

/** The motion has a row for every point: the mechanism's state there. */
function hasStates(document: SlipstickDocument, result: Outcomes): boolean {
  const points = (result.axes ?? []).reduce((product, { values }) => product * values.length, 1);
  return points > 1 && document.motion?.runs[0]?.rows === points;
}

function pointsSection(result: Outcomes, axes: Axis[], seen: Seen): Child {
  const [x, y, z] = axes;
  if (x === undefined) return null;
  if (z !== undefined) return casesSection(result, axes);
  if (isNumber(result)) return y === undefined ? curveSection(result, x, seen) : contourSection(result, x, y, seen);
  return y === undefined ? lineSection(result, x, seen) : mapSection(result, x, y, seen);
}

const withSeen = (seen: Seen): { seen?: (point: number) => void } => (seen === undefined ? {} : { seen });

/** The answer is a number at some point. */
const isNumber = (result: Outcomes): boolean => result.values !== undefined;

const asked = (result: Outcomes): string => (result.key === undefined ? result.of : `${result.of} ${result.key}`);

/** As many as a sentence can hold. */
const kFewIntervals = 5;

function answer(result: Outcomes, axes: Axis[]): string {
  const over = list(axes.map(({ name }) => name));
  if (result.shares !== undefined) {
    const names = list(Object.keys(result.uncertain ?? {}));
    const points = axes.length === 0 ? shareWords(result.shares as Shares) : `Shares of the outcomes over ${over}`;
    return `${points} (${names} uncertain, ${count(result.draws ?? 0)} draws${axes.length > 0 ? " per point" : ""}).`;
  }
  if (axes.length === 0) return `${asked(result)}: ${result.value === undefined ? (result.outcome ?? "no answer") : number(result.value, 12)}.`;
  const intervals = result.intervals ?? [];
  if (!isNumber(result) && intervals.length > 1 && intervals.length <= kFewIntervals) {
    return `${axes[0]!.name} from ${list(intervals.map(({ from, to, outcome }) => `${number(from, 6)} to ${number(to, 6)}: ${outcome}`))}.`;
  }
  const counts = Object.entries(result.counts ?? {}).filter(([, times]) => times > 0);
  const all = counts.reduce((sum, [, times]) => sum + times, 0);
  if (isNumber(result)) return `${asked(result)} at ${count(all)} points over ${over}.`;
  if (counts.length === 1 && intervals.length <= 1 && (result.borders ?? []).length === 0) return `Everywhere the same over ${over}: ${counts[0]![0]}.`;
  return `Of ${count(all)} points: ${list(counts.map(([label, times]) => `${count(times)} ${label}`))}.`;
}

const shareWords = (shares: Shares): string => list(Object.entries(shares).map(([label, [share]]) => `${number(100 * share, 4)}\u202f% ${label}`));

// --- colours of outcomes ---

/** Outcomes that readers know by a colour from other pages; numbers of series colours. */
const kUsualSeries: Record<string, number> = { jam: 1, inconsistent: 1, liftoff: 2, indeterminate: 4, consistent: 0, stable: 0, unstable: 1, stick: 5, "slip-reversal": 3 };
const kSeries = 6;
const kNoAnswer = ["refused", "failure"];

function kindsOf(labels: readonly string[]): Kind[] {
  const used = new Set<number>();
  const wanted = labels.map((label) => kUsualSeries[label.split(" ")[0]!]);
  const free = (): number => Array.from({ length: kSeries }, (_, i) => i).find((i) => !used.has(i) && !wanted.includes(i)) ?? -1;
  return labels.map((label, i) => {
    const short = label.replace(" ", "\n");
    if (kNoAnswer.includes(label)) return { word: label, label, short, color: null };
    const own = wanted[i];
    const series = own !== undefined && !used.has(own) ? own : free();
    used.add(series);
    // More outcomes than colours: stripes tell them apart.
    return series < 0 ? { word: label, label, short, color: seriesColor(i), striped: true } : { word: label, label, short, color: seriesColor(series) };
  });
}

const wordOf = (result: Outcomes, index: number | null | undefined): string => result.labels?.[index ?? -1] ?? "not computed";

const valueRows = (result: Outcomes): (number | null)[][] => {
  const values = result.values ?? [];
  return Array.isArray(values[0]) ? (values as (number | null)[][]) : [values as (number | null)[]];
};

// --- one axis ---

function lineSection(result: Outcomes, x: Axis, seen: Seen): Child {
  const words = (result.grid as number[]).map((index) => wordOf(result, index));
  const kinds = kindsOf(result.labels ?? []);
  const row: Axis = { name: "", unit: "", values: [0, 0.5, 1] };
  const thresholds = result.thresholds ?? [];
  const plane: Plane = { x, y: row, words: row.values.map(() => words), borders: thresholds.flatMap(({ value }) => row.values.map((place): Point => [value, place])) };
  const tell = (i: number): string[] => [words[i]!, tellAxis(x, x.values[i]!)];
  return [
    section(
      `Outcomes over ${x.name}`,
      chart({
        title: "",
        description: `Outcomes over ${x.name}.`,
        x: axisOptions(x),
        y: { label: null, ticks: 0, grid: false, domain: [0, 1], tickFormat: () => "" },
        height: 160,
        marks: () => [tilesMark(plane, kinds), borderMark(plane, () => true, { "stroke-width": 1.5 }), labelsMark(plane, kinds), Plot.frame({ stroke: "var(--line)" })],
        spots: { list: words.map((_, i) => ({ x: x.values[i]!, y: 0.5, tell: () => tell(i) })), along: "x", ...withSeen(seen) },
      }),
      tilesLegend({ ...plane, words: [words] }, kinds),
    ),
    section(
      "Intervals",
      table("Intervals", ["from", "to", "outcome"], (result.intervals ?? []).map(({ from, to, outcome }) => [number(from, 12), number(to, 12), outcome]), [0, 1]),
    ),
    section("Thresholds", thresholds.length === 0 ? make("p", {}, "The outcome does not change over this range.") : thresholdTable(thresholds, x)),
  ];
}

const thresholdTable = (thresholds: NonNullable<Outcomes["thresholds"]>, x: Axis): HTMLElement =>
  table(
    "Thresholds",
    [axisLabel(x.name, x.unit), "error", "below", "above", ""],
    thresholds.map(({ value, error, between, decided_by_rounding: band }) => [number(value, 12), number(error, 2), between[0], between[1], band ? "rounding decides within the error" : ""]),
    [0, 1],
  );

function curveSection(result: Outcomes, x: Axis, seen: Seen): Child {
  const values = valueRows(result)[0]!;
  const points = x.values.map((value, i) => ({ value, number: values[i] ?? Number.NaN }));
  const label = asked(result);
  const known = points.map((_, i) => i).filter((i) => !Number.isNaN(points[i]!.number));
  const pose = seen && ((spot: number): void => seen(known[spot] ?? 0));
  return section(
    `${label} over ${x.name}`,
    chart({
      title: "",
      description: `${label} over ${x.name}.`,
      x: axisOptions(x),
      y: { label },
      height: 360,
      marks: () => [Plot.line(points, { x: "value", y: "number", stroke: "var(--ink)", strokeWidth: 2 }), Plot.frame({ stroke: "var(--line)" })],
      spots: { list: known.map((i) => points[i]!).map((point) => ({ x: point.value, y: point.number, tell: () => [`${label} ${number(point.number, 8)}`, tellAxis(x, point.value)] })), along: "x", ...withSeen(pose) },
      values: { head: [x.name, label], rows: points.map((point) => [number(point.value, 10), number(point.number, 10)]) },
    }),
  );
}

// --- two axes ---

function mapSection(result: Outcomes, x: Axis, y: Axis, seen: Seen): Child {
  const words = (result.grid as number[][]).map((row) => row.map((index) => wordOf(result, index)));
  const kinds = kindsOf(result.labels ?? []);
  const borders = result.borders ?? [];
  const plane: Plane = { x, y, words, borders: borders.flatMap(({ points }) => points) };
  const corners = result.corners ?? [];
  return [
    section(
      `Outcomes over ${x.name} and ${y.name}`,
      chart({
        title: "",
        description: `Outcomes in the plane of ${x.name} and ${y.name}. ${answer(result, [x, y])}`,
        x: axisOptions(x),
        y: axisOptions(y),
        height: 520,
        plot: { marginTop: 24 },
        marks: () => [
          tilesMark(plane, kinds),
          borders.map(({ points }) => Plot.line(points, { stroke: "var(--ink)", strokeWidth: 1.5, clip: true })),
          Plot.dot(corners.map(({ at }) => at), { r: 3, fill: "var(--ink)", clip: true }),
          labelsMark(plane, kinds),
          Plot.frame({ stroke: "var(--line)" }),
        ],
        spots: { ...tileSpots(plane, (i, j) => [words[j]![i]!]), ...withSeen(seen) },
      }),
      tilesLegend(plane, kinds),
      (result.unresolved ?? 0) > 0 && make("p", { class: "soft small" }, `In ${count(result.unresolved!)} cells the outcome alternates more often than the search follows.`),
    ),
    corners.length > 0 &&
      section(
        "Corners where three outcomes meet",
        table("Corners", [axisLabel(x.name, x.unit), axisLabel(y.name, y.unit), "outcomes"], corners.map(({ at, outcomes }) => [number(at[0], 9), number(at[1], 9), outcomes.join(" | ")]), [0, 1]),
      ),
  ];
}

function contourSection(result: Outcomes, x: Axis, y: Axis, seen: Seen): Child {
  const rows = valueRows(result);
  const label = asked(result);
  const contours = result.contours ?? [];
  const borders = result.borders ?? [];
  const levels = [...new Set(contours.map(({ level }) => level))];
  return section(
    `${label} over ${x.name} and ${y.name}`,
    chart({
      title: "",
      description: `Contours of ${label} in the plane of ${x.name} and ${y.name}.`,
      x: axisOptions(x),
      y: axisOptions(y),
      height: 520,
      plot: { marginTop: 24 },
      marks: () => [
        contours.map(({ level, points }) => Plot.line(points, { stroke: seriesColor(levels.indexOf(level)), strokeWidth: 1.5, clip: true })),
        borders.map(({ points }) => Plot.line(points, { stroke: "var(--ink)", strokeWidth: 2, clip: true })),
        Plot.text(contours.filter(({ points }) => points.length > 4), {
          x: ({ points }) => points[Math.floor(points.length / 2)]![0],
          y: ({ points }) => points[Math.floor(points.length / 2)]![1],
          text: ({ level }) => number(level),
          fill: "var(--ink)",
          stroke: "var(--paper)",
          strokeWidth: 4,
          clip: true,
        }),
        Plot.frame({ stroke: "var(--line)" }),
      ],
      spots: { ...tileSpots({ x, y }, (i, j) => [`${label} ${number(rows[j]?.[i], 8)}`]), ...withSeen(seen) },
    }),
    make("div", { class: "legend" }, levels.map((level, i) => lineKey(number(level), seriesColor(i)))),
  );
}

// --- more axes ---

const kMostRows = 500;

function casesSection(result: Outcomes, axes: Axis[]): Child {
  const cases = result.cases ?? [];
  const shown = cases.slice(0, kMostRows);
  return section(
    `Cases over ${list(axes.map(({ name }) => name))}`,
    table(
      "Cases",
      [...axes.map(({ name, unit }) => axisLabel(name, unit)), "outcome"],
      shown.map(({ at, outcome, value }) => [...axes.map(({ name }) => number(at[name], 8)), value === undefined ? outcome : number(value, 10)]),
      axes.map((_, i) => i),
    ),
    cases.length > shown.length && make("p", { class: "soft small" }, `${count(cases.length - shown.length)} more are in outcomes.csv.`),
  );
}

// --- uncertain values ---

function sharesSection(result: Outcomes, axes: Axis[]): Child {
  const [x, y] = axes;
  if (x === undefined) return section("Shares", shareTable(result.shares as Shares), spreadLine(result.numbers as Spread | undefined));
  if (y !== undefined) return section("Shares", make("p", {}, "The shares at every point are in outcomes.csv."));
  const points = result.shares as Shares[];
  const labels = [...new Set(points.flatMap((shares) => Object.keys(shares)))];
  const kinds = kindsOf(labels);
  const share = (i: number, label: string): number => points[i]![label]?.[0] ?? 0;
  return section(
    `Shares over ${x.name}`,
    chart({
      title: "",
      description: `Share of each outcome over ${x.name}.`,
      x: axisOptions(x),
      y: { label: "share", domain: [0, 1] },
      height: 320,
      marks: () => [
        kinds.map(({ word, color }) => Plot.line(x.values.map((value, i): Point => [value, share(i, word)]), { stroke: color ?? "var(--soft)", strokeWidth: 2 })),
        Plot.frame({ stroke: "var(--line)" }),
      ],
      spots: { list: x.values.map((value, i) => ({ x: value, y: 0.5, tell: () => [shareWords(points[i]!), tellAxis(x, value)] })), along: "x" },
      values: { head: [x.name, ...labels], rows: x.values.map((value, i) => [number(value), ...labels.map((label) => number(share(i, label)))]) },
    }),
    make("div", { class: "legend" }, kinds.map(({ label, color }) => lineKey(label, color ?? "var(--soft)"))),
  );
}

const shareTable = (shares: Shares): HTMLElement =>
  table("Shares", ["outcome", "share", "standard error"], Object.entries(shares).map(([label, [share, error]]) => [label, number(share, 5), number(error, 2)]), [1, 2]);

const spreadLine = (spread: Spread | undefined): Child =>
  spread && make("p", {}, `Mean ${number(spread.mean, 8)} ± ${number(spread.error, 2)}; median ${number(spread.median, 6)}; 90\u202f% between ${number(spread.low, 6)} and ${number(spread.high, 6)}.`);

// --- beside the picture ---

function whySection(result: Outcomes): Child {
  const whys = Object.entries(result.why ?? {});
  return whys.length > 0 && section("Where there is no answer", make("ul", {}, whys.map(([label, why]) => make("li", {}, make("strong", {}, label), `: ${why}`))));
}

function marginsSection(result: Outcomes): Child {
  const side = (found: Side | null): string => (found === null ? "no other outcome in the range" : `${number(found.distance, 8)}: ${found.outcome}`);
  const rows = (result.margins ?? []).map(({ parameter, value, searched, below, above }) => [parameter, number(value, 8), side(below), side(above), `${number(searched[0])} to ${number(searched[1])}`]);
  return rows.length > 0 && section("Margins: how far a value may move", table("Margins", ["name", "value", "down by", "up by", "looked at"], rows, [1]));
}
