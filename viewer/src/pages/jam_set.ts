// The set of initial conditions that jam, and the parameter that prevents it.

import * as Plot from "@observablehq/plot";
import { chart } from "../chart";
import type { Point, SlipstickDocument } from "../document";
import { make, section, table, type Child } from "../dom";
import { axisLabel, list, number } from "../format";
import { color, seriesColor } from "../palette";
import { axisOptions, labelsMark, tileSpots, tilesMark, type Axis, type Kind, type Plane } from "../tiles";
import { unitOf } from "../units";
import { lineKey, tileChip } from "../words";
import type { JamSet, Prevention, PreventionBorder } from "./jam_result";

const kColors: Record<string, string | null> = {
  jam: color("event-jam"),
  "lift-off": color("event-liftoff"),
  stick: color("event-stick"),
  "slip-reversal": color("event-slip-reversal"),
  impact: color("event-impact"),
  inconsistent: color("event-inconsistent"),
  indeterminate: color("event-indeterminate"),
  marginal: color("event-zeno"),
  "leaves-range": color("event-rest"),
  time: color("case-1"),
};
const kindOf = (word: string): Kind => ({ word, label: word, short: word, color: kColors[word] ?? null, striped: word === "inconsistent" });

export function fromSection(document: SlipstickDocument, set: JamSet): HTMLElement {
  const axes = set.axes.map(({ name, values }): Axis => ({ name, unit: unitOf(document, name), values }));
  const title = `How sliding ends over ${list(axes.map((axis) => axis.name))}`;
  if (set.intervals) return section(title, intervalTable(axes[0]!, set.intervals));
  if (axes.length === 2) return section(title, ...map(axes[0]!, axes[1]!, set));
  return section(title, table(title, ["outcome", "points"], Object.entries(set.counts).map(([word, points]) => [word, String(points)]), [1]));
}

function intervalTable(axis: Axis, intervals: NonNullable<JamSet["intervals"]>): HTMLElement {
  const range = (pair: [number, number] | null): string => (pair === null ? "" : pair[0] === pair[1] ? number(pair[0], 6) : `${number(pair[0], 6)} to ${number(pair[1], 6)}`);
  const rows = intervals.map(({ from, to, outcome, critical_slip, least_slip }): Child[] => [number(from, 9), number(to, 9), outcome, range(critical_slip), range(least_slip)]);
  const name = axisLabel(axis.name, axis.unit);
  return table("Intervals", [`${name} from`, "to", "outcome", "smallest slip that jams (m/s)", "smallest slip that lasts (m/s)"], rows, [0, 1, 3, 4]);
}

function map(x: Axis, y: Axis, set: JamSet): Child[] {
  const grid = (set.grid ?? []) as (number | null)[][];
  const words = grid.map((row) => row.map((label) => (label === null ? "" : set.labels[label]!)));
  const borders = (set.borders ?? []).flatMap(({ points }) => points);
  const plane: Plane = { x, y, words, borders };
  const kinds = set.labels.map(kindOf);
  return [
    chart({
      title: "",
      description: `How sliding ends over ${x.name} and ${y.name}: ${list(set.labels)}.`,
      x: axisOptions(x),
      y: axisOptions(y),
      height: 460,
      marks: () => [
        tilesMark(plane, kinds),
        (set.borders ?? []).map(({ points }) => Plot.line(points, { x: (point: Point) => point[0], y: (point: Point) => point[1], stroke: color("ink"), strokeWidth: 1.5, clip: true })),
        labelsMark(plane, kinds),
        Plot.frame({ stroke: "var(--line)" }),
      ],
      spots: tileSpots({ x, y }, (i, j) => [words[j]?.[i] ?? ""]),
    }),
    make("div", { class: "legend" }, kinds.map(({ label, color: shade }) => tileChip(label, shade))),
  ];
}

export function preventSection(prevention: Prevention): HTMLElement {
  const { curve, parameter } = prevention;
  const lines = [
    { name: "paradox", values: curve.mu_min, stroke: seriesColor(0), border: prevention.paradox },
    { name: "jam", values: curve.mu_jam, stroke: seriesColor(1), border: prevention.jam },
  ];
  const rows = (values: (number | null)[]): { value: number; mu: number }[] => curve.value.map((value, i) => ({ value: value ?? 0, mu: values[i] ?? Number.NaN }));
  const top = 1.2 * Math.max(...[...curve.mu_min, ...curve.mu].map((value) => Math.min(value ?? 0, 4 * prevention.mu)));
  const found = lines.filter(({ border }) => border.value !== null);
  return section(
    `What ${parameter} prevents`,
    make("p", {}, lines.map(({ name, border }) => `${tellBorder(name, parameter, border)} `)),
    chart({
      title: "",
      description: `The least friction with a paradox and with a jam over ${parameter}. ${lines.map(({ name, border }) => tellBorder(name, parameter, border)).join(" ")}`,
      x: { label: parameter },
      y: { label: "friction", domain: [0, top || 1] },
      height: 320,
      marks: () => [
        Plot.line(rows(curve.mu), { x: "value", y: "mu", stroke: color("boundary-p"), strokeDasharray: "6 4", clip: true }),
        lines.map(({ values, stroke }) => Plot.line(rows(values), { x: "value", y: "mu", stroke, strokeWidth: 2, clip: true })),
        found.map(({ border, stroke }) => Plot.ruleX([border.value], { stroke, strokeDasharray: "2 3", className: "border" })),
      ],
    }),
    make("div", { class: "legend" }, lineKey("the model's friction", color("boundary-p")), lines.map(({ name, stroke }) => lineKey(`least friction with a ${name}`, stroke))),
  );
}

function tellBorder(name: string, parameter: string, border: PreventionBorder): string {
  const now = `At the present value a ${name} is ${border.now}`;
  if (border.value === null) return `${now}; ${border.reason ?? ""}.`;
  return `${now}; it is impossible ${border.impossible ?? ""} ${parameter} = ${number(border.value, 10)}.`;
}
