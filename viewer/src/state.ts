// A state or configuration in a table: name, value, degrees where it is an angle.

import type { SlipstickDocument } from "./document";
import { table, type Child } from "./dom";
import { degrees, number, withoutRounding } from "./format";
import { tellAxis } from "./tiles";
import { unitOf } from "./units";

/** "theta = −0.19 rad (−11.1°)", several joined by commas. */
export const tellState = (document: SlipstickDocument, state: Record<string, number>): string =>
  Object.entries(state)
    .map(([name, value]) => tellAxis({ name, unit: unitOf(document, name) }, withoutRounding(value)))
    .join(", ");

export function stateTable(document: SlipstickDocument, caption: string, state: Record<string, number>): HTMLElement {
  const rows = Object.entries(state).map(([name, exact]): Child[] => {
    const value = withoutRounding(exact);
    const unit = unitOf(document, name);
    return [name, number(value, 6), unit, unit.startsWith("rad") ? `${degrees(value, 5)}${unit.slice(3)}` : ""];
  });
  return table(caption, ["name", "value", "unit", "in degrees"], rows, [1, 3]);
}
