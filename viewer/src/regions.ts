// Planes of the Coulomb cases: grids of case numbers as few rectangles, and the curves p = 0 and b = 0.

import * as Plot from "@observablehq/plot";
import type { Point, Region } from "./document";
import { caseColor, color } from "./palette";

interface Cell {
  x1: number;
  x2: number;
  y1: number;
  y2: number;
  number: number;
}

/** Marks of a region: coloured cells under curves. */
export function regionMarks(region: Region): Plot.Markish[] {
  const cells = mergeCells(region);
  return [
    Plot.rect(cells, {
      x1: "x1",
      x2: "x2",
      y1: "y1",
      y2: "y2",
      fill: (cell: Cell) => caseColor(cell.number),
      fillOpacity: 0.28,
      shapeRendering: "crispEdges",
      clip: true,
    }),
    region.boundaries.map((boundary) =>
      Plot.line(boundary.points, {
        x: (point: Point) => point[0],
        y: (point: Point) => point[1],
        stroke: color(`boundary-${boundary.of}`),
        strokeWidth: 1.5,
        strokeDasharray: boundary.of === "b" ? "5 3" : undefined,
        clip: true,
      }),
    ),
    Plot.text(casesIn(region).map((number) => largest(cells, number)), {
      x: (cell: Cell) => (cell.x1 + cell.x2) / 2,
      y: (cell: Cell) => (cell.y1 + cell.y2) / 2,
      text: (cell: Cell) => String(cell.number),
      fill: (cell: Cell) => caseColor(cell.number),
      fontSize: 16,
      fontWeight: 600,
      clip: true,
    }),
  ];
}

/** The largest rectangle of a case: its number stands there. */
function largest(cells: Cell[], number: number): Cell {
  const area = (cell: Cell): number => (cell.x2 - cell.x1) * (cell.y2 - cell.y1);
  return cells.filter((cell) => cell.number === number).reduce((a, b) => (area(b) > area(a) ? b : a));
}

/** The case numbers that occur. */
export const casesIn = (region: Region): number[] => [...new Set(region.cases.flat())].filter((number) => number > 0).sort();

/** The same plane with its axes exchanged. */
export function swapAxes(region: Region): Region {
  return {
    x: region.y,
    y: region.x,
    values_x: region.values_y,
    values_y: region.values_x,
    cases: region.values_x.map((_, i) => region.cases.map((row) => row[i] ?? 0)),
    boundaries: region.boundaries.map(({ of, points }) => ({ of, points: points.map(([x, y]): Point => [y, x]) })),
  };
}

/** Equal neighbours along x become one rectangle, and equal rectangles above each other too. */
function mergeCells(region: Region): Cell[] {
  const x = edges(region.values_x);
  const y = edges(region.values_y);
  const done: Cell[] = [];
  let open = new Map<string, Cell>();
  region.cases.forEach((row, j) => {
    const here = new Map<string, Cell>();
    for (let from = 0; from < row.length; ) {
      const number = row[from]!;
      let to = from;
      while (to < row.length && row[to] === number) ++to;
      const name = `${from} ${to} ${number}`;
      const below = open.get(name);
      if (below) below.y2 = y[j + 1]!;
      if (number > 0) here.set(name, below ?? { x1: x[from]!, x2: x[to]!, y1: y[j]!, y2: y[j + 1]!, number });
      from = to;
    }
    for (const [name, cell] of open) if (!here.has(name)) done.push(cell);
    open = here;
  });
  return [...done, ...open.values()];
}

/** Borders of cells around the given middles. */
function edges(values: number[]): number[] {
  const half = (i: number): number => (values[i + 1]! - values[i]!) / 2;
  if (values.length < 2) return [values[0]! - 0.5, values[0]! + 0.5];
  const inner = values.slice(0, -1).map((value, i) => value + half(i));
  return [values[0]! - half(0), ...inner, values[values.length - 1]! + half(values.length - 2)];
}
