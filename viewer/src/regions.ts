// Planes of the Coulomb cases, with the curves p = 0 and b = 0.

import * as Plot from "@observablehq/plot";
import type { Point, Region } from "./document";
import { caseColor, color, kCaseWords } from "./palette";
import { labelsMark, tilesMark, type Kind, type Plane } from "./tiles";
import { lineKey } from "./words";

export const kCaseKinds: Kind[] = [1, 2, 3, 4].map((number) => ({
  word: String(number),
  label: `${number}: ${kCaseWords[number]}`,
  short: String(number),
  color: caseColor(number),
}));

/** A region as tiles; cases meet at the curves. */
export const planeOf = (region: Region, units: { x: string; y: string } = { x: "", y: "" }): Plane => ({
  x: { name: region.x, unit: units.x, values: region.values_x },
  y: { name: region.y, unit: units.y, values: region.values_y },
  words: region.cases.map((row) => row.map(String)),
  borders: region.boundaries.flatMap(({ points }) => points),
});

/** Marks of a region: coloured tiles under curves, with the numbers of the cases. */
export function regionMarks(region: Region): Plot.Markish[] {
  const plane = planeOf(region);
  return [tilesMark(plane, kCaseKinds), region.boundaries.map(boundaryMark), labelsMark(plane, kCaseKinds)];
}

function boundaryMark({ of, points }: Region["boundaries"][number]): Plot.Markish {
  const line = { x: (point: Point) => point[0], y: (point: Point) => point[1], clip: true };
  return [
    Plot.line(points, { ...line, stroke: "var(--paper)", strokeWidth: 4, strokeOpacity: 0.8 }),
    Plot.line(points, { ...line, stroke: color(`boundary-${of}`), strokeWidth: 2, strokeDasharray: of === "b" ? "6 4" : undefined }),
  ];
}

/** The curves that are drawn, as a legend. */
export function boundaryKeys(region: Region): HTMLElement[] {
  return [...new Set(region.boundaries.map(({ of }) => of))].map((of) => lineKey(`${of} = 0`, color(`boundary-${of}`), of === "b"));
}

/** The case numbers that occur. */
export const casesIn = (region: Region): number[] => [...new Set(region.cases.flat())].filter((number) => number > 0).sort();

/** The same plane with its axes exchanged. */
export function swapAxes(region: Region): Region {
  return {
    ...region,
    x: region.y,
    y: region.x,
    values_x: region.values_y,
    values_y: region.values_x,
    cases: region.values_x.map((_, i) => region.cases.map((row) => row[i] ?? 0)),
    boundaries: region.boundaries.map(({ of, points }) => ({ of, points: points.map(([x, y]): Point => [y, x]) })),
  };
}
