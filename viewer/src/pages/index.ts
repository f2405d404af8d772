import type { Verb } from "../document";
import type { Page } from "../frame";
import { plainPage } from "./plain";
import { paradoxPage } from "./paradox";
import { simulatePage } from "./simulate";
import { stabilityMapPage } from "./stability_map";

/** The page of each verb. */
export const kPages: Record<Verb, Page> = {
  simulate: simulatePage,
  classify: plainPage,
  paradox: paradoxPage,
  "critical-friction": plainPage,
  stability: plainPage,
  "stability-map": stabilityMapPage,
  gait: plainPage,
};
