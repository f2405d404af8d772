// Figures of papers drawn again in the papers' own axes: computed curves, and what was printed as dashed lines and points.

import * as Plot from "@observablehq/plot";
import { chart } from "../chart";
import { make, type Child } from "../dom";
import type { Spot } from "../explore";
import { axisLabel, number, withUnit } from "../format";
import { color, seriesColor } from "../palette";
import { kCaseKinds } from "../regions";
import { axisOptions, borderMark, labelsMark, tilesLegend, tilesMark, type Kind, type Plane } from "../tiles";
import { lineKey, verdictChip } from "../words";
import { how, measured, tellCalls, type Claim, type Figure, type FigureAxis, type FigureCurve, type FigureMark, type ClaimKind } from "./reproduce_result";
import { kVerdictKinds } from "./stability_map";

/** The figures with the claims about them. If one cannot be shown, the others still are. */
export function figureCards(figures: Figure[], claims: Claim[]): HTMLElement[] {
  const about = claimsAt(figures, claims);
  return figures.map((figure, i) => {
    try {
      return figureCard(figure, about[i]!);
    } catch (error) {
      return make("article", { class: "panel figure", "aria-label": figure.where }, make("h3", {}, figure.where), make("p", { class: "choice" }, `Could not be drawn: ${String(error)}`));
    }
  });
}

/** A figure with its curves, the claims about it and the calls behind it. */
function figureCard(figure: Figure, claims: Claim[]): HTMLElement {
  const curves = shade(figure);
  const plane = planeOf(figure);
  const kinds = plane ? kindsIn(plane) : [];
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
      marks: () => [plane ? planeMarks(plane, kinds) : [], curves.map(lineMark), Plot.frame({ stroke: "var(--line)" }), ruleMarks(figure.printed, "diamond"), ruleMarks(figure.marks), curves.map(dotMark)],
      spots: { list: curves.flatMap((curve) => spots(figure, curve)) },
    }),
    make(
      "div",
      { class: "legend" },
      curves.map(({ curve, stroke }) => (curve.style === "dots" ? make("span", { class: "key" }, make("span", { style: `color:${stroke}` }, "●"), curve.name) : lineKey(curve.name, stroke, curve.style === "dashed"))),
      figure.printed.length > 0 && make("span", { class: "key" }, figure.printed.every(isPoint) ? "◇ printed" : "┈ printed"),
    ),
    plane && tilesLegend(plane, kinds),
    failures.map((failure) => make("p", { class: "choice" }, `Could not be drawn: ${failure}`)),
    figure.why !== "" && make("p", { class: "small soft" }, figure.why),
    claims.length > 0 && make("ul", { class: "small" }, claims.map(claimLine)),
    how(tellFigure(figure)),
  );
}

/** True if a picture with equal scales would be a narrow strip unless it has the whole width. */
function isFlat({ equal_scales, curves }: Figure): boolean {
  const extent = (values: (number | null | undefined)[]): number => {
    let [low, high] = [Infinity, -Infinity];
    for (const value of values) {
      if (value === null || value === undefined) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    return high - low;
  };
  return equal_scales && extent(curves.flatMap(({ x }) => x)) > 4 * extent(curves.flatMap(({ y }) => y));
}

interface Name {
  number: string;
  /** Letters of the parts; empty for the whole figure. */
  parts: string;
}

/** Which figures a text names: "Figs. 7(b), 8(b)" two parts, "Figs 9 to 11" three figures. */
export function figureNames(where: string): Name[] {
  const one = String.raw`\d+(?:\.\d+)?(?:\([a-z, ]+\))?`;
  return [...where.matchAll(new RegExp(`Figs?\\.?\\s*(${one}(?:(?:,| to| and)\\s*${one})*)`, "g"))].flatMap(([, found = ""]) => {
    const names = [...found.matchAll(/(\d+(?:\.\d+)?)(?:\(([a-z, ]+)\))?/g)].map(([, number = "", parts = ""]) => ({ number, parts: parts.replaceAll(/[, ]/g, "") }));
    const range = /^(\d{1,3}) to (\d{1,3})$/.exec(found);
    if (!range) return names;
    const from = Number(range[1]);
    return Array.from({ length: Math.max(0, Number(range[2]) - from + 1) }, (_, i) => ({ number: String(from + i), parts: "" }));
  });
}

const isSame = (a: Name, b: Name): boolean => a.number === b.number && (a.parts === "" || b.parts === "" || [...a.parts].some((part) => b.parts.includes(part)));

/** The claims about each figure. A claim that names a figure of several charts is shown beside the first that fits. */
function claimsAt(figures: Figure[], claims: Claim[]): Claim[][] {
  const names = figures.map(({ where }) => figureNames(where)[0]);
  const out: Claim[][] = figures.map(() => []);
  for (const claim of claims)
    for (const name of figureNames(claim.where)) {
      const at = names.findIndex((own) => own !== undefined && isSame(own, name));
      if (at >= 0 && !out[at]!.includes(claim)) out[at]!.push(claim);
    }
  return out;
}

/** How the words of a plane are shown: a case, or a verdict, which may have its theorem. */
function kindsIn(plane: Plane): Kind[] {
  const known = [...kCaseKinds, ...kVerdictKinds];
  return [...new Set(plane.words.flat())].sort().flatMap((word) => {
    const [first = "", theorem] = word.split(" ");
    const kind = known.find((other) => other.word === first);
    if (!kind) return [];
    if (theorem === undefined) return [kind];
    return [{ ...kind, word, label: `${kind.label}, Theorem ${theorem}`, short: `${kind.short}\nTheorem ${theorem}`, striped: first === "unstable" && theorem === "1" }];
  });
}

interface Shaded {
  curve: FigureCurve;
  stroke: string;
  points: { x: number; y: number }[];
}

/** Points of a curve's own calls have its colour, others the ink's. */
function shade(figure: Figure): Shaded[] {
  const lines = figure.curves.filter(({ style }) => style !== "dots");
  const strokeOf = (curve: FigureCurve): string => {
    const own = curve.style === "dots" ? lines.filter(({ runs }) => runs.length > 0 && runs.join() === curve.runs.join()) : [curve];
    return own.length === 1 ? seriesColor(lines.indexOf(own[0]!)) : color("ink");
  };
  return figure.curves.map((curve) => ({
    curve,
    stroke: strokeOf(curve),
    points: (curve.x ?? []).map((x, i) => ({ x: near(figure.x, x), y: near(figure.y, curve.y?.[i]) })),
  }));
}

/** Far outside the axis a line only needs its direction; browsers do not dash very long ones. */
function near({ from = -Infinity, to = Infinity }: FigureAxis, value: number | null | undefined): number {
  if (value === null || value === undefined) return Number.NaN;
  return Number.isFinite(to - from) ? Math.min(to + 5 * (to - from), Math.max(from - 5 * (to - from), value)) : value;
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

/** The plane with rising axes, because tiles are laid from the least values on. */
function planeOf(figure: Figure): Plane | null {
  const { x, y, words, borders } = figure.map ?? {};
  if (!x || !y || !words) return null;
  const inOrder = <T>(values: T[], by: number[]): T[] => ((by.at(-1) ?? 0) < (by[0] ?? 0) ? [...values].reverse() : values);
  return {
    x: { name: figure.x.label, unit: figure.x.unit, values: inOrder(x, x) },
    y: { name: figure.y.label, unit: figure.y.unit, values: inOrder(y, y) },
    words: inOrder(words, y).map((row) => inOrder(row.map(String), x)),
    borders: (borders ?? []).flatMap(({ points }) => points),
  };
}

const planeMarks = (plane: Plane, kinds: Kind[]): Plot.Markish => [tilesMark(plane, kinds), borderMark(plane, () => true, { "stroke-width": 1 }), labelsMark(plane, kinds)];

/** With a light edge, so that it is seen on every tile and beside other curves. */
function lineMark({ curve, stroke, points }: Shaded): Plot.Markish {
  if (curve.style === "dots") return [];
  const at = { x: "x", y: "y", clip: true };
  return [
    Plot.line(points, { ...at, stroke: "var(--paper)", strokeWidth: 4, strokeOpacity: 0.8 }),
    Plot.line(points, { ...at, stroke, strokeWidth: 1.8, strokeDasharray: curve.style === "dashed" ? "6 4" : undefined }),
  ];
}

const dotMark = ({ curve, stroke, points }: Shaded): Plot.Markish =>
  curve.style === "dots" ? Plot.dot(points, { x: "x", y: "y", r: 3.5, fill: stroke, stroke: "var(--paper)", strokeWidth: 1 }) : [];

const isPoint = ({ x, y }: FigureMark): boolean => x !== undefined && y !== undefined;

/** Lines across the figure, or points with their names. */
function ruleMarks(marks: FigureMark[], symbol?: Plot.SymbolType): Plot.Markish {
  const line = { stroke: "var(--soft)", strokeDasharray: "2 3" };
  const text = { fill: "var(--ink)", stroke: "var(--paper)", strokeWidth: 3 };
  const points = marks.filter(isPoint);
  const across = marks.filter(({ x }) => x === undefined);
  const upright = marks.filter(({ y }) => y === undefined);
  return [
    Plot.ruleX(upright, { x: "x", ...line }),
    Plot.ruleY(across, { y: "y", ...line }),
    Plot.text(upright, { x: "x", text: "text", frameAnchor: "top", rotate: -90, textAnchor: "end", dx: -6, dy: 4, ...text }),
    Plot.text(across, { y: "y", text: "text", frameAnchor: "right", textAnchor: "end", dx: -4, dy: -7, ...text }),
    symbol ? Plot.dot(points, { x: "x", y: "y", r: 4, stroke: "var(--ink)", symbol }) : [],
    Plot.text(points, { x: "x", y: "y", text: "text", dy: symbol ? -11 : 0, ...text }),
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

const kSaid: Record<ClaimKind, string> = { printed: "printed", formula: "its formula gives", statement: "stated:" };

const claimLine = (claim: Claim): Child =>
  make(
    "li",
    {},
    verdictChip(claim.verdict),
    ` ${claim.claim}: ${kSaid[claim.kind]} ${measured(claim.printed_as, claim.unit)}, computed ${measured(claim.computed, claim.unit)}`,
    claim.why !== "" && make("span", { class: "soft" }, ` (${claim.why})`),
  );

/** The calls behind a figure, curve by curve. */
function tellFigure({ curves, map }: Figure): string {
  const parts = curves
    .filter(({ runs }) => runs.length > 0)
    .map((curve) => `# ${curve.name}\n${tellCalls(curve, [`x = ${curve.expressions.x.join(", ")}`, `y = ${curve.expressions.y.join(", ")}`])}`);
  return [...(map ? [`# regions\n${tellCalls({ runs: map.runs, from: {} }, [])}`] : []), ...parts].join("\n\n");
}
