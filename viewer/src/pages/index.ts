import type { Verb } from "../document";
import type { Page } from "../frame";
import { classifyPage } from "./classify";
import { criticalFrictionPage } from "./critical_friction";
import { gaitPage } from "./gait";
import { impactPage } from "./impact";
import { jamPage } from "./jam";
import { outcomesPage } from "./outcomes";
import { paradoxPage } from "./paradox";
import { reproducePage } from "./reproduce";
import { simulatePage } from "./simulate";
import { stabilityPage } from "./stability";
import { stabilityMapPage } from "./stability_map";

/** The page of each verb. */
export const kPages: Record<Verb, Page> = {
  simulate: simulatePage,
  classify: classifyPage,
  paradox: paradoxPage,
  "critical-friction": criticalFrictionPage,
  stability: stabilityPage,
  "stability-map": stabilityMapPage,
  outcomes: outcomesPage,
  gait: gaitPage,
  impact: impactPage,
  jam: jamPage,
  reproduce: reproducePage,
};
