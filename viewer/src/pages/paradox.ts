// Where sliding has no solution or several: along a coordinate, or in a plane of two.

import type { SlipstickDocument } from "../document";
import type { Page } from "../frame";
import { alongPage, type ParadoxAlong } from "./paradox_along";
import { mapPage, type ParadoxMap } from "./paradox_map";

export const paradoxPage: Page = (document: SlipstickDocument) => {
  const result = document.result as unknown as ParadoxAlong | ParadoxMap;
  return "regions" in result ? mapPage(document, result) : alongPage(document, result);
};
