// Planes of words: every point of a grid has a word (a case, a verdict, an outcome) and a tile of its colour. Where a border between two
// points is known exactly the tiles meet there, so that regions have the shape of the borders and not of the grid.

import * as Plot from "@observablehq/plot";
import { findBlobs } from "./blobs";
import { axisLabel, number, withUnit, degrees } from "./format";
import type { Point } from "./document";
import { make, makeSvg } from "./dom";
import type { Spots } from "./explore";
import { tileChip } from "./words";

export interface Axis {
  name: string;
  unit: string;
  values: number[];
}

export interface Plane {
  x: Axis;
  y: Axis;
  /** Rows of y, columns of x. */
  words: string[][];
  /** Known points of borders on the lines of the grid; others are ignored. */
  borders: Point[];
}

/** How a word is shown; without a colour its tiles are hatched. */
export interface Kind {
  word: string;
  label: string;
  /** Written into its regions. */
  short: string;
  color: string | null;
  /** Stripes over the colour, for a word that shares it with another. */
  striped?: boolean;
}

/** How strongly a tile is coloured, so that lines and letters on it stay readable. */
export const kTileOpacity = 0.4;

/** "theta = −0.12 rad (−6.9°)" */
export const tellAxis = (axis: Pick<Axis, "name" | "unit">, value: number): string =>
  `${axis.name} = ${withUnit(value, axis.unit)}${axis.unit === "rad" ? ` (${degrees(value)})` : ""}`;

/** Options of a chart's axis that shows exactly the range of the grid. */
export const axisOptions = (axis: Axis): Plot.ScaleOptions => ({
  label: axisLabel(axis.name, axis.unit),
  domain: [axis.values[0] ?? 0, axis.values[axis.values.length - 1] ?? 1],
  grid: false,
});

let clips = 0;

/** The coloured tiles, one path per word, cut at the frame. */
export function tilesMark(plane: Plane, kinds: Kind[]): Plot.Markish {
  return (_index, scales, _values, frame) => {
    const place = ([x, y]: Point): string => `${round(scales.x!(x))},${round(scales.y!(y))}`;
    const paths = new Map<string, string[]>();
    for (const [word, corners] of tiles(plane)) {
      const list = paths.get(word) ?? paths.set(word, []).get(word)!;
      list.push(`M${corners.map(place).join("L")}Z`);
    }
    const path = (word: string, fill: Record<string, string | number>): SVGElement =>
      makeSvg("path", { d: paths.get(word)!.join(""), "data-word": word, "shape-rendering": "crispEdges", ...fill });
    const drawn = kinds
      .filter(({ word }) => paths.has(word))
      .map(({ word, color, striped }) => [
        color !== null && path(word, { fill: color, "fill-opacity": kTileOpacity }),
        (color === null || striped) && path(word, { fill: "url(#hatch)" }),
      ]);
    const clip = `tiles-${++clips}`;
    const window = makeSvg("rect", {
      x: frame.marginLeft,
      y: frame.marginTop,
      width: Math.max(0, frame.width - frame.marginLeft - frame.marginRight),
      height: Math.max(0, frame.height - frame.marginTop - frame.marginBottom),
    });
    return makeSvg("g", { class: "tiles" }, hatch(), makeSvg("clipPath", { id: clip }, window), makeSvg("g", { "clip-path": `url(#${clip})` }, drawn));
  };
}

/** The short word in every region that has room for it, so that no region is known by its colour alone. */
export function labelsMark(plane: Plane, kinds: Kind[]): Plot.Markish {
  const columns = plane.words[0]?.length ?? 0;
  const least = 0.012 * plane.words.length * columns;
  const deep = 0.02 * Math.min(plane.words.length, columns);
  const short = new Map(kinds.map((kind) => [kind.word, kind.short]));
  const labels = findBlobs(plane.words).filter((blob) => blob.size >= least && blob.depth > deep && short.has(blob.word));
  const anchors = ["start", "middle", "end"] as const;
  return anchors.map((textAnchor) =>
    Plot.text(labels.filter((blob) => anchors[side(blob.i / (columns - 1))] === textAnchor), {
      x: (blob) => plane.x.values[blob.i],
      y: (blob) => plane.y.values[blob.j],
      text: (blob) => short.get(blob.word),
      textAnchor,
      fill: "var(--ink)",
      fontSize: 12,
      fontWeight: 600,
      clip: true,
    }),
  );
}

/** Labels near the left or right edge begin or end there: 0, 1, 2 for left, middle, right. */
const side = (part: number): 0 | 1 | 2 => (part < 0.06 ? 0 : part > 0.94 ? 2 : 1);

/** Stripes for what has no answer to show. */
export function hatch(): SVGElement {
  const pattern = makeSvg("pattern", { id: "hatch", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" });
  pattern.append(makeSvg("line", { y2: 6, stroke: "var(--soft)", "stroke-width": 1.2, "stroke-opacity": 0.6 }));
  return makeSvg("defs", {}, pattern);
}

/** Lines along which two different points meet: `keep` says which pairs. */
export function borderMark(plane: Plane, keep: (a: string, b: string) => boolean, style: Record<string, string | number>): Plot.Markish {
  return (_index, scales) => {
    const place = ([x, y]: Point): string => `${round(scales.x!(x))},${round(scales.y!(y))}`;
    const d = borderLines(plane, keep).map(([a, b]) => `M${place(a)}L${place(b)}`).join("");
    return makeSvg("path", { d, fill: "none", stroke: "var(--ink)", "stroke-linecap": "round", ...style });
  };
}

/** The words with their colours and how many points of the grid have them. */
export function tilesLegend(plane: Plane, kinds: Kind[]): HTMLElement {
  const all = plane.words.flat();
  const items = kinds.map(({ word, label, color, striped }) => {
    const count = all.filter((other) => other === word).length;
    if (count === 0) return null;
    const item = tileChip(`${label}, ${number((100 * count) / all.length, 3)}\u202f%`, color);
    item.dataset["count"] = String(count);
    if (striped) item.classList.add("striped");
    return item;
  });
  return make("div", { class: "legend" }, items);
}

/** The values at each point of the grid; `tell` adds lines to those of the axes. */
export const tileSpots = ({ x, y }: Pick<Plane, "x" | "y">, tell: (i: number, j: number) => string[]): Spots => ({
  x: x.values,
  y: y.values,
  tell: (i, j) => [...tell(i, j), tellAxis(x, x.values[i]!), tellAxis(y, y.values[j]!)],
});

/** Where words change along the lines of the grid: at the known border, else half-way. */
class Crossings {
  private readonly known = new Map<string, Point>();

  constructor(private readonly plane: Plane) {
    const { x, y } = plane;
    for (const point of plane.borders) {
      const i = indexOf(x.values, point[0]);
      const j = indexOf(y.values, point[1]);
      if (Number.isInteger(j)) this.known.set(`x ${Math.floor(i)} ${j}`, point);
      if (Number.isInteger(i)) this.known.set(`y ${i} ${Math.floor(j)}`, point);
    }
  }

  differ(i: number, j: number, k: number, l: number): boolean {
    return this.plane.words[j]![i] !== this.plane.words[l]![k];
  }
  /** Between (i, j) and its neighbour along an axis. */
  at(axis: "x" | "y", i: number, j: number): Point {
    const [k, l] = axis === "x" ? [i + 1, j] : [i, j + 1];
    const known = this.differ(i, j, k, l) ? this.known.get(`${axis} ${i} ${j}`) : undefined;
    const { x, y } = this.plane;
    return known ?? [(x.values[i]! + x.values[k]!) / 2, (y.values[j]! + y.values[l]!) / 2];
  }
}

interface Square {
  i: number;
  j: number;
  bottom: Point;
  right: Point;
  top: Point;
  left: Point;
  /** Sides on which the word changes. */
  changed: Point[];
  middle: Point;
}

/** Every square of the grid, cut by the borders that pass through it. */
function* squares(plane: Plane): Generator<Square> {
  const crossings = new Crossings(plane);
  for (let j = 0; j + 1 < plane.y.values.length; ++j)
    for (let i = 0; i + 1 < plane.x.values.length; ++i) {
      const bottom = crossings.at("x", i, j);
      const top = crossings.at("x", i, j + 1);
      const left = crossings.at("y", i, j);
      const right = crossings.at("y", i + 1, j);
      const changed: Point[] = [];
      if (crossings.differ(i, j, i + 1, j)) changed.push(bottom);
      if (crossings.differ(i + 1, j, i + 1, j + 1)) changed.push(right);
      if (crossings.differ(i, j + 1, i + 1, j + 1)) changed.push(top);
      if (crossings.differ(i, j, i, j + 1)) changed.push(left);
      const ends = changed.length > 0 ? changed : [bottom, right, top, left];
      const middle: Point = [mean(ends.map((point) => point[0])), mean(ends.map((point) => point[1]))];
      yield { i, j, bottom, right, top, left, changed, middle };
    }
}

/** The tiles; squares of one word beside each other are one tile. */
function* tiles(plane: Plane): Generator<[word: string, corners: Point[]]> {
  const corner = (i: number, j: number): Point => [plane.x.values[i]!, plane.y.values[j]!];
  const word = (i: number, j: number): string => plane.words[j]![i]!;
  const columns = plane.x.values.length;
  let begin = 0;
  for (const { i, j, bottom, right, top, left, changed, middle } of squares(plane)) {
    const ends = changed.length > 0 || i + 2 === columns;
    if (!ends) continue;
    const end = changed.length > 0 ? i : i + 1;
    if (end > begin) yield [word(begin, j), [corner(begin, j), corner(end, j), corner(end, j + 1), corner(begin, j + 1)]];
    begin = i + 2 === columns ? 0 : i + 1;
    if (changed.length === 0) continue;
    yield [word(i, j), [corner(i, j), bottom, middle, left]];
    yield [word(i + 1, j), [corner(i + 1, j), right, middle, bottom]];
    yield [word(i + 1, j + 1), [corner(i + 1, j + 1), top, middle, right]];
    yield [word(i, j + 1), [corner(i, j + 1), left, middle, top]];
  }
}

function borderLines(plane: Plane, keep: (a: string, b: string) => boolean): [Point, Point][] {
  const lines: [Point, Point][] = [];
  for (const { i, j, bottom, right, top, left, middle } of squares(plane)) {
    const word = (k: number, l: number): string => plane.words[j + l]![i + k]!;
    const sides: [Point, string, string][] = [
      [bottom, word(0, 0), word(1, 0)],
      [right, word(1, 0), word(1, 1)],
      [top, word(0, 1), word(1, 1)],
      [left, word(0, 0), word(0, 1)],
    ];
    for (const [point, a, b] of sides) if (a !== b && keep(a, b)) lines.push([point, middle]);
  }
  return lines;
}

/** The index of a value in rising or falling values, whole on a line of the grid, between two of them a half. */
function indexOf(values: number[], value: number): number {
  const near = 1e-9 * Math.abs(values[values.length - 1]! - values[0]!);
  const on = values.findIndex((other) => Math.abs(other - value) <= near);
  if (on >= 0) return on;
  const after = values.findIndex((other, i) => i > 0 && (other - value) * (values[i - 1]! - value) < 0);
  return after < 0 ? Number.NaN : after - 0.5;
}

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const round = (value: number): number => Math.round(10 * value) / 10;
