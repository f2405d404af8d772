// Where sliding has no solution or several, along one coordinate.

import * as Plot from "@observablehq/plot";
import { chart } from "../chart";
import type { SlipstickDocument } from "../document";
import { make, section, table, type Child } from "../dom";
import type { Spot } from "../explore";
import { axisLabel, degrees, list, number, withUnit } from "../format";
import { initialState } from "../motion/still";
import { color } from "../palette";
import { hatch, kTileOpacity, tellAxis } from "../tiles";
import { unitOf } from "../units";
import { tileChip } from "../words";

type Range = [from: number, to: number];

export interface ParadoxAlong {
  along: string;
  range: Range;
  intervals: Range[];
  reachable: Range[];
  /** p over its value without friction, of several contacts the least determinant; null where the contacts cannot close. */
  curve?: { values: number[]; p: (number | null)[] };
}

const kScaled = "p, without friction 1";

export function alongPage(document: SlipstickDocument, result: ParadoxAlong): Child[] {
  const unit = unitOf(document, result.along);
  return [
    make("p", { class: "answer" }, answer(result, unit)),
    section(
      `Along ${result.along}`,
      bands(result, unit),
      make(
        "div",
        { class: "legend" },
        result.intervals.length > 0 && tileChip("no solution or several", color("boundary-p")),
        closed(result).length > 0 && tileChip("the contacts cannot close", null),
      ),
      result.curve && make("p", { class: "soft small" }, "p of the sliding contact over its value without friction; of several contacts the least determinant of the law's pieces, scaled alike."),
    ),
    make("div", { class: "columns" }, section("Intervals", intervalTable(result, unit)), initialState(document)),
  ];
}

function answer(result: ParadoxAlong, unit: string): string {
  const tell = ([from, to]: Range): string => {
    const [a, b] = [withUnit(from, unit), withUnit(to, unit)];
    return unit === "rad" ? `from ${degrees(from)} to ${degrees(to)} (${number(from)} to ${b})` : `from ${a} to ${b}`;
  };
  if (result.reachable.length === 0) return `The contacts close nowhere in this range of ${result.along}.`;
  if (result.intervals.length === 0) return `Sliding has exactly one solution for every ${result.along} at which the contacts close.`;
  return `Sliding has no solution, or several, for ${result.along} ${list(result.intervals.map(tell))}.`;
}

/** Parts of the range in which the contacts cannot close. */
function closed({ range, reachable }: ParadoxAlong): Range[] {
  const parts: Range[] = [];
  let from = range[0];
  for (const [a, b] of [...reachable].sort((one, other) => one[0] - other[0])) {
    if (a > from) parts.push([from, a]);
    from = Math.max(from, b);
  }
  if (from < range[1]) parts.push([from, range[1]]);
  return parts;
}

function bands(result: ParadoxAlong, unit: string): HTMLElement {
  const { curve } = result;
  const points = (curve?.values ?? []).map((x, i) => ({ x, p: curve?.p[i] ?? Number.NaN }));
  const band = (className: string, ranges: Range[], fill: string, fillOpacity: number): Plot.Markish =>
    Plot.rect(ranges, { x1: (range: Range) => range[0], x2: (range: Range) => range[1], fill, fillOpacity, className, clip: true });
  return chart({
    title: "",
    description: `Bands over ${result.along}. ${answer(result, unit)}`,
    x: { label: axisLabel(result.along, unit), domain: result.range },
    y: curve ? { label: kScaled, nice: true } : { axis: null, domain: [0, 1], grid: false },
    height: curve ? 380 : 120,
    marks: () => [
      () => hatch(),
      band("closed", closed(result), "url(#hatch)", 1),
      band("paradox", result.intervals, color("boundary-p"), kTileOpacity),
      curve ? [Plot.ruleY([0], { stroke: "var(--soft)" }), Plot.line(points, { x: "x", y: "p", stroke: color("ink"), strokeWidth: 2, clip: true })] : [],
      Plot.frame({ stroke: "var(--line)" }),
    ],
    spots: { list: curve ? points.map((point) => spot(result, unit, point)) : ends(result, unit), along: "x" },
    values: curve && {
      head: [axisLabel(result.along, unit), kScaled],
      rows: points.map(({ x, p }) => [number(x), Number.isNaN(p) ? "cannot close" : number(p)]),
    },
  });
}

function spot(result: ParadoxAlong, unit: string, { x, p }: { x: number; p: number }): Spot {
  const gap = Number.isNaN(p);
  return { x, y: gap ? 0 : p, tell: () => [tellAxis({ name: result.along, unit }, x), gap ? "the contacts cannot close" : `${kScaled}: ${number(p)}`] };
}

/** Without a curve: the ends of the bands. */
function ends(result: ParadoxAlong, unit: string): Spot[] {
  const tell = (what: string) => (x: number): Spot => ({ x, y: 0.5, tell: () => [what, tellAxis({ name: result.along, unit }, x)] });
  return [...result.intervals.flat().map(tell("end of a paradox")), ...result.reachable.flat().map(tell("end of what can close"))].sort((a, b) => a.x - b.x);
}

function intervalTable(result: ParadoxAlong, unit: string): HTMLElement {
  const row = (what: string) => ([from, to]: Range): Child[] =>
    [what, withUnit(from, unit, 6), withUnit(to, unit, 6), ...(unit === "rad" ? [degrees(from, 6), degrees(to, 6)] : [])];
  const head = ["what", `${result.along} from`, "to", ...(unit === "rad" ? ["from (degrees)", "to (degrees)"] : [])];
  const rows = [...result.intervals.map(row("no solution or several")), ...result.reachable.map(row("contacts can close"))];
  return table("Intervals", head, rows, [1, 2, 3, 4]);
}
