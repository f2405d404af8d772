// The start and the end of a motion, in numbers and words.

import type { RunEnd, SlipstickDocument } from "../document";
import { make, table } from "../dom";
import { withUnit } from "../format";
import { endSentence } from "../words";
import type { Motion } from "./motion";

/** Coordinates and rates at the start and at the end. The end is the result's own state: full precision, after relabelling. */
export function states(document: SlipstickDocument, motion: Motion, last: Record<string, number>, end?: RunEnd): HTMLElement {
  const moved = motion.rows > 0;
  const rows = document.model.coordinates.flatMap(({ name, unit, rate_unit }) => [
    row(motion, name, unit, last),
    row(motion, `${name}_dot`, rate_unit, last),
  ]);
  return make("div", { class: "states" }, end && make("p", {}, endSentence(end)), table("First and last state", moved ? ["", "start", "end"] : ["", "state"], rows, [1, 2]));
}

function row(motion: Motion, key: string, unit: string, last: Record<string, number>): (HTMLElement | string)[] {
  const start = motion.rows > 0 ? [withUnit(motion.values(key)[0], unit, 6)] : [];
  return [make("code", {}, key), ...start, withUnit(last[key], unit, 6)];
}
