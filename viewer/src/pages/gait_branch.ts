// A gait followed over a parameter: stable parts solid, unstable ones dashed, bifurcations marked.

import * as Plot from "@observablehq/plot";
import { chart } from "../chart";
import type { SlipstickDocument } from "../document";
import { make, section, select, table, type Child } from "../dom";
import { axisLabel, list, number, withUnit } from "../format";
import { color, seriesColor } from "../palette";
import { unitOf } from "../units";
import { complex } from "./gait_charts";
import type { Bifurcation, Branch, BranchPoint, Gait } from "./gait_result";
import { lineKey } from "../words";

/** The quantities that can be drawn over the parameter. */
interface Measure {
  key: string;
  unit: string;
  of: (point: Place) => number;
}

export function branchSection(document: SlipstickDocument, result: Gait): Child {
  if (result.branch === undefined || result.branch.length === 0) return null;
  const branches: { name: string; shade: string; branch: Branch }[] = [
    { name: "the gait", shade: seriesColor(0), branch: { branch: result.branch, bifurcations: result.bifurcations ?? [], branch_end: result.branch_end ?? null } },
    ...(result.doubled ? [{ name: "of twice the period", shade: seriesColor(3), branch: result.doubled }] : []),
  ];
  const parameter = branches.flatMap(({ branch }) => branch.bifurcations)[0]?.parameter ?? parameterOf(document) ?? "parameter";
  const measures = measuresOf(document, result.branch);
  const box = make("div", {});
  const draw = (key: string): void => box.replaceChildren(branchChart(branches, parameter, measures.find((measure) => measure.key === key) ?? measures[0]!));
  draw(measures[0]!.key);
  const ends = branches.flatMap(({ name, branch }) => (branch.branch_end === null ? [] : [`The branch of ${name} ended before the range did: ${branch.branch_end}.`]));
  return section(
    `Over ${parameter}`,
    make("div", { class: "controls" }, select("Show", measures.map(({ key, unit }): [string, string] => [key, axisLabel(key, unit)]), measures[0]!.key, draw)),
    box,
    make(
      "div",
      { class: "legend" },
      branches.map(({ name, shade }) => lineKey(name, shade)),
      lineKey("unstable", "var(--soft)", true),
    ),
    make("p", { class: "soft small" }, `${parameter} in SI units, angles in radians.`),
    ends.map((sentence) => make("p", {}, sentence)),
    bifurcationTable(branches.flatMap(({ name, branch }) => branch.bifurcations.map((found) => ({ name, found })))),
  );
}

/** The parameter named after --continue, for a branch without bifurcations. */
const parameterOf = (document: SlipstickDocument): string | undefined => /--continue\s+["']?([A-Za-z_]\w*)=/.exec(document.command)?.[1];

function measuresOf(document: SlipstickDocument, branch: BranchPoint[]): Measure[] {
  const names = Object.keys(branch[0]!.state).filter((name) => branch.some(({ state }) => Math.abs(state[name]! - branch[0]!.state[name]!) > 1e-9));
  const states = names.map((name): Measure => ({ key: name, unit: unitOf(document, name), of: ({ state }) => state[name]! }));
  const period: Measure = { key: "period", unit: "s", of: (point) => point.period ?? Number.NaN };
  const modulus: Measure = { key: "largest multiplier", unit: "", of: ({ multipliers }) => (multipliers[0] ? Math.hypot(...multipliers[0]) : Number.NaN) };
  return [...states, period, modulus];
}

/** A point of a branch or a bifurcation on it. */
type Place = Pick<BranchPoint, "value" | "state" | "multipliers"> & { period?: number };

interface Piece {
  stable: boolean;
  points: Place[];
}

/** Parts of a branch with the same stability, which changes at a bifurcation; the branch passes through all of these. */
function pieces({ branch, bifurcations }: Branch): Piece[] {
  const found: Piece[] = [];
  branch.forEach((point, i) => {
    const last = found[found.length - 1];
    const before = branch[i - 1];
    if (!last || !before) {
      found.push({ stable: point.stable, points: [point] });
      return;
    }
    const between = bifurcations.filter(({ value }) => (value - before.value) * (value - point.value) <= 0);
    last.points.push(...between.sort((a, b) => Math.abs(a.value - before.value) - Math.abs(b.value - before.value)));
    if (last.stable === point.stable) last.points.push(point);
    else found.push({ stable: point.stable, points: [last.points[last.points.length - 1]!, point] });
  });
  return found;
}

function branchChart(branches: { name: string; shade: string; branch: Branch }[], parameter: string, measure: Measure): HTMLElement {
  const bifurcations = branches.flatMap(({ branch }) => branch.bifurcations.map((found) => ({ ...found, y: bifurcationHeight(found, branch, measure) })));
  const told = bifurcations.map(({ type, value }) => `${type} at ${number(value)}`);
  const points = branches.flatMap(({ name, branch }) => branch.branch.map((point) => ({ name, point })));
  return chart({
    title: "",
    description: `${measure.key} over ${parameter}${told.length > 0 ? `; ${list(told)}` : ""}.`,
    x: { label: parameter, nice: false },
    y: { label: axisLabel(measure.key, measure.unit), nice: true, inset: 10 },
    height: 380,
    marks: () => [
      measure.key === "largest multiplier" ? Plot.ruleY([1], { stroke: "var(--soft)", strokeDasharray: "4 4" }) : [],
      branches.map(({ shade, branch }) =>
        pieces(branch).map(({ stable, points: part }) =>
          Plot.line(part.filter((place) => !Number.isNaN(measure.of(place))), { x: "value", y: measure.of, stroke: shade, strokeWidth: 2, strokeDasharray: stable ? undefined : "6 4", className: stable ? "stable" : "unstable" }),
        ),
      ),
      Plot.dot(bifurcations, { x: "value", y: "y", r: 5, fill: "var(--paper)", stroke: color("ink"), strokeWidth: 2, className: "bifurcations" }),
      labels(bifurcations, branches.flatMap(({ branch }) => branch.branch.map(({ value }) => value))),
    ],
    spots: {
      list: points.map(({ name, point }) => ({
        x: point.value,
        y: measure.of(point),
        tell: () => [`${name}, ${point.stable ? "stable" : "unstable"}`, `${parameter} = ${number(point.value)}`, `${measure.key} = ${withUnit(measure.of(point), measure.unit)}`, `period ${withUnit(point.period, "s")}`],
      })),
    },
    values: {
      head: [parameter, axisLabel(measure.key, measure.unit), "stable"],
      rows: points.map(({ point }) => [number(point.value, 7), number(measure.of(point), 7), point.stable ? "yes" : "no"]),
    },
  });
}

/** Types of bifurcations, alternately above and below, because neighbours may be close; away from the edges of the chart. */
function labels(bifurcations: (Bifurcation & { y: number })[], values: number[]): Plot.Markish {
  const [least, greatest] = [Math.min(...values), Math.max(...values)];
  return bifurcations.map((found, i) => {
    const part = (found.value - least) / (greatest - least);
    const textAnchor = part > 0.75 ? "end" : part < 0.25 ? "start" : "middle";
    return Plot.text([found], { x: "value", y: "y", text: "type", dy: i % 2 === 0 ? -14 : 16, textAnchor, fill: "var(--ink)", stroke: "var(--paper)", strokeWidth: 3 });
  });
}

/** A bifurcation has a state but no period; the period is interpolated on the branch between its neighbours. */
function bifurcationHeight(found: Bifurcation, { branch }: Branch, measure: Measure): number {
  const own = measure.of(found);
  if (!Number.isNaN(own)) return own;
  const after = branch.findIndex((point, i) => i > 0 && (point.value - found.value) * (branch[i - 1]!.value - found.value) <= 0);
  if (after < 0) return Number.NaN;
  const [a, b] = [branch[after - 1]!, branch[after]!];
  const part = a.value === b.value ? 0 : (found.value - a.value) / (b.value - a.value);
  return measure.of(a) + part * (measure.of(b) - measure.of(a));
}

function bifurcationTable(all: { name: string; found: Bifurcation }[]): Child {
  if (all.length === 0) return make("p", { class: "soft" }, "No bifurcation was met.");
  const rows = all.map(({ name, found }): Child[] => [
    found.type,
    name,
    number(found.value, 9),
    list(found.multipliers.map(([re, im]) => complex(re, im))),
    found.before === undefined ? "" : `${found.before} \u2192 ${found.after ?? ""}`,
  ]);
  return table("Bifurcations", ["bifurcation", "on the branch of", all[0]!.found.parameter, "multipliers", "sequence of events"], rows, [2]);
}
