// What happens after finite slips of the stance foot, over the time of the slip.

import * as Plot from "@observablehq/plot";
import { chart } from "../chart";
import { make, section } from "../dom";
import { withUnit } from "../format";
import { color } from "../palette";
import { axisOptions, borderMark, labelsMark, tilesLegend, tilesMark, tileSpots, type Kind, type Plane } from "../tiles";
import type { Slips } from "./gait_result";

const kKinds: Kind[] = [
  { word: "stick", label: "stick: friction ends the slip", short: "stick", color: color("outcome-stick") },
  { word: "separate", label: "separate: the foot lifts", short: "separate", color: color("outcome-separate") },
  { word: "impact", label: "impact without collision", short: "impact", color: color("outcome-impact") },
  { word: "jam", label: "jam: the force grows without bound", short: "jam", color: color("outcome-jam"), striped: true },
  { word: "indeterminate", label: "indeterminate: several forces", short: "several", color: color("outcome-indeterminate") },
  { word: "step", label: "step: the next foot comes down first", short: "step", color: color("outcome-step") },
  { word: "other", label: "other", short: "other", color: null },
];

export function slipsSection(slips: Slips): HTMLElement {
  const transpose = <T>(rows: T[][]): T[][] => slips.slips.map((_, j) => rows.map((row) => row[j]!));
  const axes = {
    x: { name: "time", unit: "s", values: slips.times },
    y: { name: "slip", unit: "m/s", values: slips.slips },
  };
  const outcomes: Plane = { ...axes, words: transpose(slips.outcome), borders: [] };
  const regained: Plane = { ...axes, words: transpose(slips.regained).map((row) => row.map(String)), borders: [] };
  const words = basinSentence(slips);
  const any = slips.regained.flat().some(Boolean);
  return section(
    "Finite slips",
    make("p", {}, words),
    chart({
      title: "",
      description: `What happens after a slip, over its time and size. ${words}`,
      x: axisOptions(axes.x),
      y: axisOptions(axes.y),
      height: 420,
      plot: { marginTop: 24 },
      marks: () => [
        tilesMark(outcomes, kKinds),
        Plot.ruleY([0], { stroke: "var(--soft)", strokeOpacity: 0.6 }),
        borderMark(regained, () => true, { "stroke-width": 2.5 }),
        labelsMark(outcomes, kKinds),
        Plot.frame({ stroke: "var(--line)" }),
      ],
      spots: tileSpots(outcomes, (i, j) => tell(slips, i, j)),
    }),
    tilesLegend(outcomes, kKinds),
    make("p", { class: "soft small" }, any ? "The dark line separates slips after which the gait is regained from the others." : "The gait is regained after none of these slips."),
  );
}

function tell(slips: Slips, i: number, j: number): string[] {
  const outcome = slips.outcome[i]![j]!;
  const label = kKinds.find(({ word }) => word === outcome)?.label ?? outcome;
  return [label, slips.regained[i]![j] ? "the gait is regained" : "the gait is not regained"];
}

function basinSentence({ basin }: Slips): string {
  const side = (name: string, size: number | null): string =>
    `after ${name} slips of ${size === null ? "none of the sizes tried" : `up to ${withUnit(Math.abs(size), "m/s")}`}`;
  return `Whenever they happen, the gait is regained ${side("forward", basin.forward)}, and ${side("backward", basin.backward)}.`;
}
