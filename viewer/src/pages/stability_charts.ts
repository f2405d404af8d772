// The reduced map R and the growth over the angle of impact, with the pieces on which the sequence of events stays the same.

import * as Plot from "@observablehq/plot";
import { chart } from "../chart";
import { make } from "../dom";
import type { Spot } from "../explore";
import { degrees, number, withUnit } from "../format";
import { color, seriesColor } from "../palette";
import { hatch, kTileOpacity } from "../tiles";
import { tileChip } from "../words";
import type { Part, Piece, Stability } from "./stability_result";

const kQuarter = Math.PI / 2;
const kAngle: Plot.ScaleOptions = { domain: [-kQuarter, kQuarter], ticks: [-90, -45, 0, 45, 90].map((angle) => (angle * Math.PI) / 180) };
const inDegrees = (angle: number): string => degrees(angle, 3);

interface Sample {
  phi: number;
  reduced: number;
  growth: number;
  piece: number;
}

/** Samples and fixed points with the piece they lie in; a curve is not drawn from one piece into the next, where R may jump. */
function samplesOf({ samples, fixed_points, pieces }: Stability): Sample[] {
  const fixed = fixed_points.map(({ phi, growth }) => ({ phi, reduced: phi, growth }));
  return [...samples.filter(({ phi }) => fixed.every((point) => point.phi !== phi)), ...fixed]
    .sort((a, b) => a.phi - b.phi)
    .map(({ phi, reduced, growth }) => ({
      phi,
      reduced: reduced ?? Number.NaN,
      growth: growth ?? Number.NaN,
      piece: pieces.findIndex(({ from, to }) => from <= phi && phi <= to),
    }));
}

export function reducedChart(result: Stability): HTMLElement {
  const samples = samplesOf(result);
  const undefinedOnes = samples.filter(({ reduced }) => Number.isNaN(reduced)).length;
  return chart({
    title: "Reduced map R",
    description: `R over \u03c6 with the diagonal; ${result.fixed_points.length} fixed points.${undefinedOnes > 0 ? ` At ${undefinedOnes} of ${samples.length} angles it is not defined.` : ""}`,
    x: { ...kAngle, label: "\u03c6", tickFormat: inDegrees },
    y: { ...kAngle, label: "R(\u03c6)", tickFormat: inDegrees, grid: false },
    height: 420,
    marks: (width) => [
      pieceBands(result.pieces),
      Plot.line([[-kQuarter, -kQuarter], [kQuarter, kQuarter]], { stroke: "var(--soft)", strokeDasharray: "4 4" }),
      mapMarks(samples, "reduced", width),
      fixedMarks(result, (point) => point.phi),
      pieceNumbers(result.pieces),
      Plot.frame({ stroke: "var(--line)" }),
    ],
    spots: { list: samples.map((sample) => spot(result, sample, Number.isNaN(sample.reduced) ? 0 : sample.reduced)), along: "x" },
    values: {
      head: ["\u03c6 (rad)", "R (rad)", "growth", "piece"],
      rows: samples.map(({ phi, reduced, growth, piece }) => [number(phi), number(reduced), number(growth), piece < 0 ? "" : piece + 1]),
    },
  });
}

export function growthChart(result: Stability): HTMLElement {
  const samples = samplesOf(result);
  const found = [...samples.map(({ growth }) => growth), ...result.fixed_points.map(({ growth }) => growth)].filter((growth) => growth > 0);
  const domain: [number, number] = [Math.min(0.5, ...found) / 1.3, Math.max(2, ...found) * 1.3];
  return chart({
    title: "Growth of the impact speed",
    description: "Growth over \u03c6 on a logarithmic axis, with the line 1: below it impacts grow weaker.",
    x: { ...kAngle, label: "\u03c6", tickFormat: inDegrees },
    y: { type: "log", label: "growth", domain, grid: false, ticks: 4, tickFormat: (value: number) => number(value) },
    height: 420,
    marks: (width) => [
      pieceBands(result.pieces),
      Plot.ruleY([1], { stroke: "var(--soft)", strokeDasharray: "4 4" }),
      mapMarks(samples, "growth", width),
      fixedMarks(result, (point) => point.growth),
      pieceNumbers(result.pieces),
      Plot.frame({ stroke: "var(--line)" }),
    ],
    spots: { list: samples.map((sample) => spot(result, sample, sample.growth > 0 ? sample.growth : 1)), along: "x" },
  });
}

/** Lines through the samples of a piece, and dots where they are few. */
function mapMarks(samples: Sample[], key: "reduced" | "growth", width: number): Plot.Markish {
  const stroke = seriesColor(0);
  const few = samples.length < width / 4;
  return [
    Plot.line(samples, { x: "phi", y: key, z: "piece", stroke, strokeWidth: 2, clip: true }),
    few ? Plot.dot(samples, { x: "phi", y: key, r: 2.5, fill: stroke }) : [],
  ];
}

/** Squares at the fixed points: full where returns grow weaker, open where they grow. */
function fixedMarks(result: Stability, y: (point: Stability["fixed_points"][number]) => number): Plot.Markish {
  return Plot.dot(result.fixed_points, {
    x: "phi",
    y,
    r: 6,
    symbol: "square",
    stroke: (point) => color(point.growth < 1 ? "verdict-stable" : "verdict-unstable"),
    fill: (point) => (point.growth < 1 ? color("verdict-stable") : "var(--paper)"),
    strokeWidth: 2,
    className: "fixed-points",
  });
}

/** Every second piece shaded, those without a return hatched. */
function pieceBands(pieces: Piece[]): Plot.Markish {
  const ends = { x1: "from", x2: "to" };
  return [
    () => hatch(),
    Plot.rect(pieces.filter((piece, i) => i % 2 === 0 && piece.undefined === undefined), { ...ends, fill: "var(--soft)", fillOpacity: 0.09 }),
    Plot.rect(pieces.filter((piece) => piece.undefined !== undefined), { ...ends, fill: "url(#hatch)" }),
  ];
}

function pieceNumbers(pieces: Piece[]): Plot.Markish {
  return Plot.text(pieces.map((piece, i) => ({ ...piece, name: String(i + 1) })).filter(({ from, to }) => to - from > 0.06), {
    x: (piece: Piece) => (piece.from + piece.to) / 2,
    text: "name",
    frameAnchor: "top",
    dy: 6,
    fill: "var(--soft)",
    stroke: "var(--paper)",
    strokeWidth: 3,
  });
}

function spot(result: Stability, sample: Sample, y: number): Spot {
  const piece = result.pieces[sample.piece];
  const path = piece === undefined ? [] : [`piece ${sample.piece + 1}: ${piece.path.join(" ")}`, ...(piece.undefined === undefined ? [] : [`no return: ${piece.undefined}`])];
  const defined = Number.isNaN(sample.reduced) ? ["R is not defined"] : [`R = ${withUnit(sample.reduced, "rad")} (${degrees(sample.reduced)})`, `growth ${number(sample.growth)}`];
  return { x: sample.phi, y, tell: () => [`\u03c6 = ${withUnit(sample.phi, "rad")} (${degrees(sample.phi)})`, ...defined, ...path] };
}

/** The parts of a stable partition in one strip. */
export function partitionStrip(parts: Part[]): HTMLElement {
  const shade = (kind: string): string => color(kind === "safe" ? "verdict-stable" : "verdict-marginal");
  return make(
    "div",
    { class: "panel" },
    chart({
      title: "",
      description: `The partition: ${parts.map(({ from, to, kind }) => `${kind} from ${degrees(from)} to ${degrees(to)}`).join(", ")}.`,
      x: { ...kAngle, label: "\u03c6", tickFormat: inDegrees },
      y: { axis: null, domain: [0, 1], grid: false },
      height: 96,
      marks: () => [
        Plot.rect(parts, { x1: "from", x2: "to", y1: 0, y2: 1, fill: (part: Part) => shade(part.kind), fillOpacity: kTileOpacity, inset: 0.5 }),
        Plot.frame({ stroke: "var(--line)" }),
      ],
      spots: {
        list: parts.map(({ from, to, kind, growth_max }) => ({
          x: (from + to) / 2,
          y: 0.5,
          tell: () => [kind, `${degrees(from)} to ${degrees(to)}`, growth_max === null ? "growth unbounded" : `growth up to ${number(growth_max)}`],
        })),
        along: "x",
      },
    }),
    make("div", { class: "legend" }, tileChip("safe: returns grow weaker", shade("safe")), tileChip("transient: left for good", shade("transient"))),
  );
}
