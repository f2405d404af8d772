// The Coulomb cases in a plane of two coordinates or rates.

import * as Plot from "@observablehq/plot";
import { chart } from "../chart";
import type { Point, SlipstickDocument } from "../document";
import { make, section, type Child } from "../dom";
import { count, list, number } from "../format";
import { caseColor, color, kCaseWords } from "../palette";
import { axisOptions, labelsMark, tilesLegend, tilesMark, tileSpots, type Axis, type Kind, type Plane } from "../tiles";
import { unitOf } from "../units";

export interface ParadoxMap {
  axes: { name: string; from: number; to: number; count: number }[];
  regions: number[][];
  boundaries: { what: string; points: Point[] }[];
}

const kKinds: Kind[] = [1, 2, 3, 4].map((number) => ({
  word: String(number),
  label: `${number}: ${kCaseWords[number]}`,
  short: String(number),
  color: caseColor(number),
}));
const kSigns: Record<string, string> = { 1: "p > 0, b < 0", 2: "p > 0, b > 0", 3: "p < 0, b > 0", 4: "p < 0, b < 0", 0: "the contacts cannot close" };

export function mapPage(document: SlipstickDocument, result: ParadoxMap): Child[] {
  const [x, y] = result.axes.map((axis) => gridAxis(document, axis)) as [Axis, Axis];
  const plane: Plane = { x, y, words: result.regions.map((row) => row.map(String)), borders: result.boundaries.flatMap(({ points }) => points) };
  return [
    make("p", { class: "answer" }, answer(result)),
    section(
      `Cases over ${x.name} and ${y.name}`,
      chart({
        title: "",
        description: `Cases in the plane of ${x.name} and ${y.name}. ${answer(result)}`,
        x: axisOptions(x),
        y: axisOptions(y),
        height: 520,
        plot: { marginTop: 24 },
        marks: () => [tilesMark(plane, kKinds), result.boundaries.map(boundaryMark), labelsMark(plane, kKinds), Plot.frame({ stroke: "var(--line)" })],
        spots: tileSpots(plane, (i, j) => tellCase(result.regions[j]![i]!)),
      }),
      tilesLegend(plane, kKinds),
      legendOfBoundaries(result),
    ),
  ];
}

function answer(result: ParadoxMap): string {
  const all = result.regions.flat();
  const share = (wanted: number): number => all.filter((found) => found === wanted).length / all.length;
  const found = ([[4, "no answer"], [3, "several answers"]] as const).filter(([wanted]) => share(wanted) > 0);
  const states = `Of ${count(all.length)} states`;
  const open = share(0) > 0 ? ` In ${percent(share(0))} the contacts cannot close.` : "";
  if (found.length === 0) return `${states} none has a paradox: sliding has exactly one answer wherever the contacts close.${open}`;
  return `${states} ${list(found.map(([wanted, words]) => `${percent(share(wanted))} have ${words}`))}.${open}`;
}

const percent = (share: number): string => `${number(100 * share, 3)}\u202f%`;

const tellCase = (found: number): string[] =>
  found === 0 ? [kSigns[0]!] : [`Case ${found}: ${kCaseWords[found] ?? ""}`, kSigns[found] ?? ""];

function boundaryMark({ what, points }: ParadoxMap["boundaries"][number]): Plot.Markish {
  const lines = { x: (point: Point) => point[0], y: (point: Point) => point[1], clip: true };
  const dash = isP(what) ? undefined : "6 4";
  return [
    Plot.line(points, { ...lines, stroke: "var(--paper)", strokeWidth: 4, strokeOpacity: 0.8 }),
    Plot.line(points, { ...lines, stroke: color(isP(what) ? "boundary-p" : "boundary-b"), strokeWidth: 2, strokeDasharray: dash }),
  ];
}

const isP = (what: string): boolean => what.startsWith("p");

function legendOfBoundaries(result: ParadoxMap): Child {
  const found = [...new Set(result.boundaries.map(({ what }) => what))];
  const items = found.map((what) => {
    const line = make("span", { class: isP(what) ? "line" : "line dashed", style: `--chip:${color(isP(what) ? "boundary-p" : "boundary-b")}` });
    return make("span", { class: "key" }, line, what);
  });
  return found.length > 0 && make("div", { class: "legend" }, items);
}

function gridAxis(document: SlipstickDocument, { name, from, to, count: points }: ParadoxMap["axes"][number]): Axis {
  const values = Array.from({ length: points }, (_, i) => from + ((to - from) * i) / Math.max(1, points - 1));
  return { name, unit: unitOf(document, name), values };
}
