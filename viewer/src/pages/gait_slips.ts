// What happens after finite slips of the stance foot, over the time of the slip.

import { withUnit } from "../format";
import { color } from "../palette";
import type { Kind } from "../tiles";
import { outcomeMapSection } from "./gait_outcome_map";
import type { Slips } from "./gait_result";

export const kSlipKinds: Kind[] = [
  { word: "stick", label: "stick: friction ends the slip", short: "stick", color: color("outcome-stick") },
  { word: "separate", label: "separate: the foot lifts", short: "separate", color: color("outcome-separate") },
  { word: "impact", label: "impact without collision", short: "impact", color: color("outcome-impact") },
  { word: "jam", label: "jam: the force grows without bound", short: "jam", color: color("outcome-jam"), striped: true },
  { word: "indeterminate", label: "indeterminate: several forces", short: "several", color: color("outcome-indeterminate") },
  { word: "step", label: "step: the next foot comes down first", short: "step", color: color("outcome-step") },
  { word: "other", label: "other", short: "other", color: null },
];

export const slipsSection = (slips: Slips): HTMLElement =>
  outcomeMapSection({
    title: "Finite slips",
    words: basinSentence(slips),
    times: slips.times,
    sizes: { name: "slip", unit: "m/s", values: slips.slips },
    outcome: slips.outcome,
    regained: slips.regained,
    kinds: kSlipKinds,
  });

function basinSentence({ basin }: Slips): string {
  const side = (name: string, size: number | null): string =>
    `after ${name} slips of ${size === null ? "none of the sizes tried" : `up to ${withUnit(Math.abs(size), "m/s")}`}`;
  return `Whenever they happen, the gait is regained ${side("forward", basin.forward)}, and ${side("backward", basin.backward)}.`;
}
