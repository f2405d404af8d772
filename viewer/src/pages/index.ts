import type { Verb } from "../document";
import type { Page } from "../frame";
import { plainPage } from "./plain";
import { simulatePage } from "./simulate";

/** The page of each verb. */
export const kPages: Record<Verb, Page> = {
  simulate: simulatePage,
  classify: plainPage,
  paradox: plainPage,
  "critical-friction": plainPage,
  stability: plainPage,
  "stability-map": plainPage,
  gait: plainPage,
};
