// What becomes of a gait after perturbations of any size at any time: slips, lifts of a foot, pushes.

import type { Point, SlipstickDocument } from "../document";
import { make } from "../dom";
import { number, withUnit } from "../format";
import { color } from "../palette";
import type { Kind } from "../tiles";
import { unitOf } from "../units";
import { outcomeMapSection } from "./gait_outcome_map";
import type { Perturbation } from "./gait_result";
import { kSlipKinds } from "./gait_slips";

const kVerbs: Record<Perturbation["kind"], string> = { slip: "Slips of", separation: "Lifts of", push: "Pushes of" };
/** Colours of outcomes that have no own one, the most frequent outcome first. */
const kColors = ["outcome-stick", "outcome-step", "outcome-separate", "outcome-indeterminate", "outcome-impact"] as const;

export function perturbationSection(document: SlipstickDocument, found: Perturbation): HTMLElement {
  const unit = unitOfSize(document, found);
  const places = found.times.map((time, i) => ({ time, thresholds: found.thresholds[i]! }));
  const isLost = (labels: [string, string]): boolean => labels.filter((label) => label.endsWith(", regained")).length === 1;
  const points = (wanted: (labels: [string, string]) => boolean): Point[] =>
    places.flatMap(({ time, thresholds }) => thresholds.filter(({ between }) => wanted(between)).map(({ value }): Point => [time, value]));
  const word = (label: string): string => label.slice(0, label.lastIndexOf(", "));
  return outcomeMapSection(
    {
      title: `${kVerbs[found.kind]} ${found.name}`,
      words: basinSentence(found, unit),
      times: found.times,
      sizes: { name: found.kind === "separation" ? "height" : found.kind, unit, values: found.sizes },
      outcome: found.outcome.map((row) => row.map((outcome) => outcome ?? "interrupted")),
      regained: found.regained.map((row) => row.map((regained) => regained ?? false)),
      kinds: found.kind === "slip" ? kSlipKinds : makeKinds(found),
      borders: points(([below, above]) => word(below) !== word(above)),
      basin: points(isLost),
      tell: (i, j) => [`then it ${tellFate(found.fate[i]![j] ?? null)}`],
    },
    make("p", { class: "soft small" }, linearSentence(found)),
  );
}

/** Contacts slip in m/s and rise in m; an impulse on a coordinate has no unit of its own here. */
function unitOfSize(document: SlipstickDocument, { kind, name }: Perturbation): string {
  if (document.model.contacts.includes(name)) return kind === "slip" ? "m/s" : "m";
  const isImpulse = kind === "push" && !name.endsWith("_dot");
  return isImpulse ? "" : unitOf(document, name);
}

function makeKinds(found: Perturbation): Kind[] {
  const counts = new Map<string, number>();
  for (const outcome of found.outcome.flat()) if (outcome !== null) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const words = [...counts.keys()].sort((a, b) => counts.get(b)! - counts.get(a)!);
  return words.map((word, i) => ({ word, label: word, short: word, color: i < kColors.length ? color(kColors[i]!) : null }));
}

const tellFate = (fate: string | null): string =>
  fate === "regained" ? "returns to the gait" : fate === "walks on" ? "walks on elsewhere" : fate === "stops" ? "stops stepping" : "is not known";

function basinSentence({ basin, sizes, periods }: Perturbation, unit: string): string {
  if (periods === 0) return "The gait is unstable, so it is never regained.";
  const side = (words: string, size: number | null, end: number): string =>
    size === null ? `not after ${words} of every size` : `after ${words} up to ${withUnit(Math.abs(size), unit)}${size === end ? " (all that were tried)" : ""}`;
  const [low, high] = [sizes[0]!, sizes[sizes.length - 1]!];
  const parts = [...(high > 0 ? [side("positive ones", basin.forward, high)] : []), ...(low < 0 ? [side("negative ones", basin.backward, low)] : [])];
  return `Whenever they happen, the gait is regained ${parts.join(", and ")}, judged after ${periods} periods.`;
}

function linearSentence({ linear }: Perturbation): string {
  const list = linear.multipliers.map(([re, im]) => (im === 0 ? number(re, 4) : `${number(re, 4)} ${im < 0 ? "\u2212" : "+"} ${number(Math.abs(im), 4)} i`));
  const whys = [...new Set(linear.why.filter((why): why is string => why !== null))];
  const small = `Small ones shrink or grow by the multipliers ${list.join(", ")} from period to period.`;
  return whys.length === 0 ? small : `${small} At some times there is no linear answer: ${whys.join("; ")}.`;
}
