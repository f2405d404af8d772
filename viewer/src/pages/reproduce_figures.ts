// Figures of papers drawn again in the papers' own axes: computed curves, and what was printed as dashed lines and points.

import * as Plot from "@observablehq/plot";
import { chart } from "../chart";
import { make, type Child } from "../dom";
import type { Spot } from "../explore";
import { axisLabel, number, withUnit } from "../format";
import { seriesColor } from "../palette";
import { kCaseKinds } from "../regions";
import { axisOptions, borderMark, labelsMark, tilesLegend, tilesMark, type Plane } from "../tiles";
import { lineKey, verdictChip } from "../words";
import { how, measured, tellCalls, type Claim, type Figure, type FigureAxis, type FigureCurve } from "./reproduce_result";
import { kVerdictKinds } from "./stability_map";

/** A figure with its curves, the claims about it and the calls behind it. */
export function figureCard(figure: Figure, claims: Claim[]): HTMLElement {
  const curves = shade(figure.curves);
  const plane = planeOf(figure);
  const failures = [...figure.curves, ...(figure.map ? [figure.map] : [])].flatMap(({ failure }) => (failure === undefined ? [] : [failure]));
  return make(
    "article",
    { class: isFlat(figure) ? "panel figure flat" : "panel figure", "aria-label": figure.where },
    make("h3", {}, figure.where),
    make("p", {}, figure.shows),
    chart({
      title: "",
      description: `${figure.where}: ${figure.shows}.`,
      x: scale(figure.x, plane?.x),
      y: scale(figure.y, plane?.y),
      ...(figure.equal_scales ? { plot: { aspectRatio: 1, height: undefined } } : { height: plane ? 380 : 260 }),
      marks: () => [plane ? planeMarks(plane) : [], curves.map(curveMark), printedMarks(figure), Plot.frame({ stroke: "var(--line)" })],
      spots: { list: curves.flatMap((curve) => spots(figure, curve)) },
    }),
    make(
      "div",
      { class: "legend" },
      curves.map(({ curve, color }) => (curve.style === "dots" ? make("span", { class: "key", style: `color:${color}` }, "●", make("span", { class: "soft" }, curve.name)) : lineKey(curve.name, color, curve.style === "dashed"))),
      figure.printed.length > 0 && lineKey("printed", "var(--soft)", true),
    ),
    plane && tilesLegend(plane, kKinds),
    failures.map((failure) => make("p", { class: "choice" }, `Could not be drawn: ${failure}`)),
    figure.why !== "" && make("p", { class: "small soft" }, figure.why),
    claims.length > 0 && make("ul", { class: "small" }, claims.map(claimLine)),
    how(tellFigure(figure)),
  );
}

/** Whether a picture with equal scales would be a strip, unless it has the whole width. */
function isFlat({ equal_scales, curves }: Figure): boolean {
  const extent = (values: (number | null | undefined)[]): number => {
    const known = values.filter((value) => value !== null && value !== undefined);
    return Math.max(...known) - Math.min(...known);
  };
  return equal_scales && extent(curves.flatMap(({ x }) => x)) > 4 * extent(curves.flatMap(({ y }) => y));
}

/** Which figures a text names: "Figs. 7(b), 8(b)" are 7 and 8, "Figs 9 to 11" three. */
export function figureNumbers(where: string): string[] {
  const part = String.raw`\d+(?:\.\d+)?(?:\([a-z, ]+\))?`;
  return [...where.matchAll(new RegExp(`Figs?\\.?\\s*(${part}(?:(?:,| to| and)\\s*${part})*)`, "g"))].flatMap(([, found = ""]) => {
    const numbers = found.replaceAll(/\([a-z, ]+\)/g, "").match(/\d+(?:\.\d+)?/g) ?? [];
    if (!found.includes(" to ")) return numbers;
    const [from = 0, to = 0] = numbers.map(Number);
    return Array.from({ length: to - from + 1 }, (_, i) => String(from + i));
  });
}

const kKinds = [...kCaseKinds, ...kVerdictKinds];

interface Shaded {
  curve: FigureCurve;
  color: string;
  points: { x: number; y: number }[];
}

/** Lines and dots count their colours apart, so that points of a curve may have its colour. */
function shade(curves: FigureCurve[]): Shaded[] {
  const used = { dots: 0, lines: 0 };
  return curves.map((curve) => ({
    curve,
    color: seriesColor(used[curve.style === "dots" ? "dots" : "lines"]++),
    points: (curve.x ?? []).map((x, i) => ({ x: x ?? Number.NaN, y: curve.y?.[i] ?? Number.NaN })),
  }));
}

function scale(axis: FigureAxis, values?: Plane["x"]): Plot.ScaleOptions {
  if (values) return axisOptions(values);
  const { from, to } = axis;
  return {
    label: axisLabel(axis.label, axis.unit),
    ...(axis.log ? { type: "log", ticks: 4, grid: false, tickFormat: (value: number) => number(value) } : {}),
    ...(from !== undefined && to !== undefined ? { domain: [from, to] } : {}),
  };
}

/** The plane with rising axes: tiles are laid from the least values on. */
function planeOf(figure: Figure): Plane | null {
  const { x, y, words, borders } = figure.map ?? {};
  if (!x || !y || !words) return null;
  const turned = (x.at(-1) ?? 0) < (x[0] ?? 0);
  const inOrder = <T>(values: T[]): T[] => (turned ? [...values].reverse() : values);
  return {
    x: { name: figure.x.label, unit: figure.x.unit, values: inOrder(x) },
    y: { name: figure.y.label, unit: figure.y.unit, values: y },
    words: words.map((row) => inOrder(row.map(String))),
    borders: (borders ?? []).flatMap(({ points }) => points),
  };
}

const planeMarks = (plane: Plane): Plot.Markish => [tilesMark(plane, kKinds), borderMark(plane, () => true, { "stroke-width": 1 }), labelsMark(plane, kKinds)];

/** With a light edge, so that it is seen on every tile and beside other curves. */
function curveMark({ curve, color, points }: Shaded): Plot.Markish {
  const at = { x: "x", y: "y", clip: true };
  if (curve.style === "dots") return Plot.dot(points, { ...at, r: 3.5, fill: color, stroke: "var(--paper)", strokeWidth: 1 });
  return [
    Plot.line(points, { ...at, stroke: "var(--paper)", strokeWidth: 4, strokeOpacity: 0.8 }),
    Plot.line(points, { ...at, stroke: color, strokeWidth: 1.8, strokeDasharray: curve.style === "dashed" ? "6 4" : undefined }),
  ];
}

/** Numbers of the paper: lines across the figure, or points with their names. */
function printedMarks({ printed }: Figure): Plot.Markish {
  const line = { stroke: "var(--soft)", strokeDasharray: "2 3" };
  const text = { fill: "var(--ink)", stroke: "var(--paper)", strokeWidth: 3 };
  const points = printed.filter(({ x, y }) => x !== undefined && y !== undefined);
  const across = printed.filter(({ x }) => x === undefined);
  const upright = printed.filter(({ y }) => y === undefined);
  return [
    Plot.ruleX(upright, { x: "x", ...line }),
    Plot.ruleY(across, { y: "y", ...line }),
    Plot.text(upright, { x: "x", text: "text", frameAnchor: "top", rotate: -90, textAnchor: "end", dx: -6, dy: 4, ...text }),
    Plot.text(across, { y: "y", text: "text", frameAnchor: "right", textAnchor: "end", dx: -4, dy: -7, ...text }),
    Plot.dot(points, { x: "x", y: "y", r: 4, stroke: "var(--ink)", symbol: "diamond" }),
    Plot.text(points, { x: "x", y: "y", text: "text", dy: -11, ...text }),
  ];
}

function spots({ x, y }: Figure, { curve, points }: Shaded): Spot[] {
  const known = ({ x: at, y: value }: { x: number; y: number }): boolean => isWithin(x, at) && isWithin(y, value);
  return points.filter(known).map((point) => ({
    ...point,
    tell: () => [curve.name, `${x.label} ${withUnit(point.x, x.unit, 6)}`, `${y.label} ${withUnit(point.y, y.unit, 6)}`],
  }));
}

const isWithin = ({ from = -Infinity, to = Infinity }: FigureAxis, value: number): boolean => from <= value && value <= to;

const claimLine = (claim: Claim): Child =>
  make("li", {}, verdictChip(claim.verdict), ` ${claim.claim}: printed ${claim.printed_as}${claim.unit === "" ? "" : ` ${claim.unit}`}, computed ${measured(claim.computed, claim.unit)}`);

/** The calls behind a figure, curve by curve. */
function tellFigure({ curves, map }: Figure): string {
  const parts = curves
    .filter(({ runs }) => runs.length > 0)
    .map((curve) => `# ${curve.name}\n${tellCalls(curve, [`x = ${curve.expressions.x.join(", ")}`, `y = ${curve.expressions.y.join(", ")}`])}`);
  return [...(map ? [`# regions\n${tellCalls({ runs: map.runs, from: {} }, [])}`] : []), ...parts].join("\n\n");
}
