// The Coulomb cases in a plane of two coordinates or rates.

import * as Plot from "@observablehq/plot";
import { chart } from "../chart";
import type { Point, Region, SlipstickDocument } from "../document";
import { make, section, type Child } from "../dom";
import { count, list, number } from "../format";
import { initialState } from "../motion/still";
import { kCaseWords } from "../palette";
import { boundaryKeys, kCaseKinds, planeOf, regionMarks } from "../regions";
import { axisOptions, tilesLegend, tileSpots } from "../tiles";
import { unitOf } from "../units";

export interface ParadoxMap {
  axes: { name: string; from: number; to: number; count: number }[];
  regions: number[][];
  boundaries: { what: string; points: Point[] }[];
}

const kSigns: Record<number, string> = { 1: "p > 0, b < 0", 2: "p > 0, b > 0", 3: "p < 0, b > 0", 4: "p < 0, b < 0" };

export function mapPage(document: SlipstickDocument, result: ParadoxMap): Child[] {
  const region = regionOf(result);
  const plane = planeOf(region, { x: unitOf(document, region.x), y: unitOf(document, region.y) });
  const words = answer(result);
  return [
    make("p", { class: "answer" }, words),
    section(
      `Cases over ${region.x} and ${region.y}`,
      chart({
        title: "",
        description: `Cases in the plane of ${region.x} and ${region.y}. ${words}`,
        x: axisOptions(plane.x),
        y: axisOptions(plane.y),
        height: 520,
        plot: { marginTop: 24 },
        marks: () => [...regionMarks(region), Plot.frame({ stroke: "var(--line)" })],
        spots: tileSpots(plane, (i, j) => tellCase(result.regions[j]![i]!)),
      }),
      tilesLegend(plane, kCaseKinds),
      make("div", { class: "legend" }, boundaryKeys(region)),
    ),
    initialState(document),
  ];
}

function answer(result: ParadoxMap): string {
  const all = result.regions.flat();
  const share = (wanted: number): number => all.filter((found) => found === wanted).length / all.length;
  const found = ([[4, "no answer"], [3, "several answers"]] as const).filter(([wanted]) => share(wanted) > 0);
  const states = `Of ${count(all.length)} states`;
  const open = share(0) > 0 ? ` In ${percent(share(0))} the contacts cannot close (blank).` : "";
  if (found.length === 0) return `${states} none has a paradox: sliding has exactly one answer wherever the contacts close.${open}`;
  return `${states} ${list(found.map(([wanted, words]) => `${percent(share(wanted))} have ${words}`))}.${open}`;
}

const percent = (share: number): string => `${number(100 * share, 3)}\u202f%`;

const tellCase = (found: number): string[] =>
  found === 0 ? ["the contacts cannot close"] : [`Case ${found}: ${kCaseWords[found] ?? ""}`, kSigns[found] ?? ""];

function regionOf({ axes, regions, boundaries }: ParadoxMap): Region {
  const [x, y] = axes as [ParadoxMap["axes"][number], ParadoxMap["axes"][number]];
  return {
    x: x.name,
    y: y.name,
    values_x: gridValues(x),
    values_y: gridValues(y),
    cases: regions,
    boundaries: boundaries.map(({ what, points }) => ({ of: what.startsWith("p") ? "p" : "b", points })),
  };
}

const gridValues = ({ from, to, count: points }: ParadoxMap["axes"][number]): number[] =>
  Array.from({ length: points }, (_, i) => from + ((to - from) * i) / Math.max(1, points - 1));
