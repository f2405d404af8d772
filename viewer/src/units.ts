// Units of coordinates and rates, from the model. A model file gives no units of parameters; they are in SI units.

import type { SlipstickDocument } from "./document";

/** The unit of a coordinate ("theta") or a rate ("theta_dot"); "" of anything else. */
export function unitOf(document: SlipstickDocument, name: string): string {
  for (const coordinate of document.model.coordinates) {
    if (coordinate.name === name) return coordinate.unit;
    if (`${coordinate.name}_dot` === name) return coordinate.rate_unit;
  }
  return "";
}
