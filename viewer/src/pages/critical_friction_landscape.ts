// The least friction with a paradox over one or two coordinates.

import * as Plot from "@observablehq/plot";
import { chart } from "../chart";
import type { SlipstickDocument } from "../document";
import { make, type Child } from "../dom";
import { axisLabel, list, number } from "../format";
import { color } from "../palette";
import { axisOptions, hatch, tellAxis, tileSpots, type Axis } from "../tiles";
import { unitOf } from "../units";
import { tileChip, lineKey } from "../words";

export interface CriticalFriction {
  mu_min: number | null;
  at: Record<string, number> | null;
  mu_jam: number | null;
  mu_jam_reason: string | null;
  scale: number | null;
  contacts: { name: string; mu_min: number | null; slip: string }[];
  landscape?: Landscape;
}

/** The least friction with a paradox over one or two coordinates; null: no friction is enough, or the contacts cannot close. */
interface Landscape {
  axes: { name: string; values: number[] }[];
  mu: (number | null)[] | (number | null)[][];
}

/** What was found, in a sentence. */
export function answer({ mu_min, scale }: CriticalFriction): string {
  if (mu_min === null) return "No friction makes sliding paradoxical: every sliding state has exactly one solution.";
  const compared =
    scale === null ? "" : scale <= 1 ? `, ${number(scale)} times the model's own: the model can meet it` : `, ${number(scale)} times the model's own: the model never meets it`;
  return `From a friction of ${number(mu_min)} on, sliding can have no solution or several${compared}.`;
}

/** The largest friction of the model's contacts, which scales all others. */
export function ownFriction(document: SlipstickDocument): number | null {
  const all = document.scene?.contacts.map((contact) => contact.mu) ?? [];
  return all.length > 0 ? Math.max(...all) : null;
}

export function landscape(document: SlipstickDocument, result: CriticalFriction, found: Landscape): [string, ...Child[]] {
  const axes = found.axes.map(({ name, values }): Axis => ({ name, unit: unitOf(document, name), values }));
  const title = `Friction with a paradox over ${list(axes.map((axis) => axis.name))}`;
  const [x, y] = axes as [Axis, Axis | undefined];
  if (y) return [title, ...map(document, result, x, y, found.mu as (number | null)[][])];
  const mu = found.mu as (number | null)[];
  return [title, curve(document, result, x, mu), mu.includes(null) && make("div", { class: "legend" }, tileChip("no friction is enough, or the contacts cannot close", null))];
}

interface CurvePoint {
  value: number;
  mu: number;
}

/** One coordinate: a curve, cut at some multiple of its least value since it may grow without bound. */
function curve(document: SlipstickDocument, result: CriticalFriction, x: Axis, mu: (number | null)[]): HTMLElement {
  const own = ownFriction(document);
  const points = x.values.map((value, i): CurvePoint => ({ value, mu: mu[i] ?? Number.NaN }));
  const top = shownUpTo(result, own, points.map((point) => point.mu));
  const domain = domainOf(points);
  const missing = points.filter((point) => Number.isNaN(point.mu));
  return chart({
    title: "",
    description: `The least friction with a paradox over ${x.name}. ${answer(result)}${missing.length > 0 ? ` At ${missing.length} of ${points.length} values no friction is enough, or the contacts cannot close.` : ""}`,
    x: { ...axisOptions(x), domain },
    y: { label: "friction", domain: [0, top] },
    height: 380,
    marks: () => [
      () => hatch(),
      Plot.rect(gaps(points), { x1: "0", x2: "1", fill: "url(#hatch)", clip: true }),
      Plot.line(points, { x: "value", y: "mu", stroke: color("ink"), strokeWidth: 2, clip: true }),
      ownLine(own, domain[1]),
      Plot.frame({ stroke: "var(--line)" }),
      minimum(result, x),
    ],
    spots: {
      list: points
        .filter(({ value }) => value >= domain[0] && value <= domain[1])
        .map(({ value, mu: friction }) => ({ x: value, y: Math.min(top, Number.isNaN(friction) ? top : friction), tell: () => tellFriction(friction, [tellAxis(x, value)]) })),
      along: "x",
    },
    values: {
      head: [axisLabel(x.name, x.unit), "friction"],
      rows: points.map(({ value, mu: friction }) => [number(value), Number.isNaN(friction) ? "none" : number(friction)]),
    },
  });
}

/** The range in which some friction is enough, and a little more. */
function domainOf(points: CurvePoint[]): [number, number] {
  const found = points.filter(({ mu }) => !Number.isNaN(mu));
  const [first, last] = [points[0]?.value ?? 0, points[points.length - 1]?.value ?? 1];
  if (found.length === 0) return [first, last];
  const [least, greatest] = [found[0]!.value, found[found.length - 1]!.value];
  const room = 0.15 * (greatest - least);
  return [Math.max(first, least - room), Math.min(last, greatest + room)];
}

/** Where the curve has no value. */
function gaps(points: CurvePoint[]): [from: number, to: number][] {
  const found: [number, number][] = [];
  points.forEach(({ value, mu }, i) => {
    if (!Number.isNaN(mu)) return;
    const open = Number.isNaN(points[i - 1]?.mu ?? 0) ? found[found.length - 1] : undefined;
    if (open) open[1] = points[i + 1]?.value ?? value;
    else found.push([points[i - 1]?.value ?? value, points[i + 1]?.value ?? value]);
  });
  return found;
}

const tellFriction = (friction: number | null | undefined, where: string[]): string[] => [
  friction === null || friction === undefined || Number.isNaN(friction) ? "no friction is enough, or the contacts cannot close" : `paradox from friction ${number(friction)}`,
  ...where,
];

/** The model's own friction. Where the curve lies below it, the model can meet the paradox. */
const ownLine = (own: number | null, right: number): Plot.Markish =>
  own === null
    ? []
    : [
        Plot.ruleY([own], { stroke: color("boundary-p"), strokeDasharray: "6 4" }),
        Plot.text([own], { x: () => right, y: (value: number) => value, text: () => "the model's friction", textAnchor: "end", dy: -7, dx: -6, fill: color("boundary-p"), stroke: "var(--paper)", strokeWidth: 4 }),
      ];

const minimum = (result: CriticalFriction, x: Axis): Plot.Markish =>
  result.at === null || result.mu_min === null || result.at[x.name] === undefined
    ? []
    : Plot.dot([result], { x: () => result.at![x.name], y: "mu_min", r: 5, fill: color("series-0"), stroke: "var(--paper)", strokeWidth: 1.5, className: "minimum" });

/** Frictions are drawn up to here: a few times the least, or what is found if that is less. */
function shownUpTo(result: CriticalFriction, own: number | null, found: number[]): number {
  const largest = Math.max(0, ...found.filter(Number.isFinite));
  const wanted = Math.max(4 * (result.mu_min ?? 0.25), 1.3 * (own ?? 0), 0.1);
  return Math.min(wanted, 1.05 * largest || wanted);
}

/** Two coordinates: bands between rounded frictions, darker where less is enough. */
function map(document: SlipstickDocument, result: CriticalFriction, x: Axis, y: Axis, mu: (number | null)[][]): Child[] {
  const own = ownFriction(document);
  const values = mu.flatMap((row) => row.map((value) => value ?? Number.NaN));
  const levels = kLevels.filter((level) => level > (result.mu_min ?? 0) && values.some((value) => value > level)).slice(0, 8);
  const missing = values.filter(Number.isNaN).length;
  const grid = { ...bounds(x, y), width: x.values.length, height: y.values.length, interpolate: null, clip: true as const };
  const shade = (i: number): string => `color-mix(in srgb, ${color("series-0")} ${Math.round(85 - (80 * i) / Math.max(1, levels.length))}%, var(--paper))`;
  // Contours enclose values at or above a level; missing values count as below all levels.
  const floor = [0, ...levels];
  return [
    chart({
      title: "",
      description: `The least friction with a paradox over ${x.name} and ${y.name}. ${answer(result)}${missing > 0 ? ` At ${missing} of ${values.length} points no friction is enough, or the contacts cannot close.` : ""}`,
      x: axisOptions(x),
      y: axisOptions(y),
      height: 520,
      plot: { marginTop: 24 },
      marks: () => [
        () => hatch(),
        Plot.frame({ fill: "url(#hatch)", stroke: "none" }),
        floor.map((level, i) => Plot.contour(values, { ...grid, thresholds: [level], fill: shade(i), stroke: "var(--paper)", strokeWidth: 0.8 })),
        // Negative, so that the inside of the line is where less is enough; points without a value count as far outside.
        own === null ? [] : Plot.contour(values.map((value) => (Number.isNaN(value) ? -1e9 : -value)), { ...grid, thresholds: [-own], fill: "none", stroke: color("boundary-p"), strokeWidth: 2, className: "own" }),
        minimumInPlane(result, x, y),
        Plot.frame({ stroke: "var(--line)" }),
      ],
      spots: tileSpots({ x, y }, (i, j) => tellFriction(mu[j]?.[i], [])),
    }),
    levelLegend(floor, shade, own, missing > 0),
  ];
}

const kLevels = [0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1, 1.5, 2, 3, 5, 10, 20, 50, 100];

/** The grid's points are middles of cells. */
function bounds(x: Axis, y: Axis): { x1: number; x2: number; y1: number; y2: number } {
  const ends = ({ values }: Axis): [number, number] => {
    const half = values.length < 2 ? 0.5 : (values[values.length - 1]! - values[0]!) / (values.length - 1) / 2;
    return [values[0]! - half, values[values.length - 1]! + half];
  };
  const [x1, x2] = ends(x);
  const [y1, y2] = ends(y);
  return { x1, x2, y1, y2 };
}

const minimumInPlane = (result: CriticalFriction, x: Axis, y: Axis): Plot.Markish =>
  result.at === null
    ? []
    : Plot.dot([result.at], { x: x.name, y: y.name, r: 5, fill: "var(--paper)", stroke: "var(--ink)", strokeWidth: 2, className: "minimum" });

function levelLegend(floor: number[], shade: (i: number) => string, own: number | null, missing: boolean): HTMLElement {
  const bands = floor.map((level, i) => {
    const text = i + 1 < floor.length ? `${i === 0 ? "up to" : `${number(level)} to`} ${number(floor[i + 1]!)}` : `above ${number(level)}`;
    return make("span", { class: "chip", style: `--chip:${shade(i)}` }, text);
  });
  return make(
    "div",
    { class: "legend" },
    bands,
    missing && tileChip("no friction is enough, or the contacts cannot close", null),
    own !== null && lineKey(`the model's friction ${number(own)}`, color("boundary-p")),
    make("span", { class: "key" }, "\u25cb the least"),
  );
}
