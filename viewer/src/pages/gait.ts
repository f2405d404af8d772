// A periodic motion: how it looks, whether it is stable, what it needs of the contacts.

import type { SlipstickDocument } from "../document";
import { make, section, table, type Child } from "../dom";
import type { Page } from "../frame";
import { number, withoutRounding, withUnit } from "../format";
import { eventTable } from "../motion/events";
import { Motion } from "../motion/motion";
import { phasePlane } from "../motion/phase";
import { Player } from "../motion/player";
import { stage } from "../motion/stage";
import { initialState } from "../motion/still";
import { listenToKeys, transport } from "../motion/transport";
import { stateTable } from "../state";
import { verdictLine } from "../words";
import { branchSection } from "./gait_branch";
import { exposureChart, frictionChart, multiplierChart } from "./gait_charts";
import type { Gait } from "./gait_result";
import { perturbationSection } from "./gait_perturbation";
import { slipsSection } from "./gait_slips";

export const gaitPage: Page = (document: SlipstickDocument) => {
  const result = document.result as unknown as Gait;
  if (result.state === null)
    return [make("p", { class: "answer" }, `No gait was found: ${result.reason ?? "the motion does not repeat"}.`), initialState(document)];
  const run = document.motion?.runs[0];
  const player = run && run.rows > 0 ? new Player(new Motion([run], result.events)) : null;
  if (player) listenToKeys(player);
  return [
    verdictLine(result.stable ? "stable" : "unstable", result.stable ? "stable" : "unstable", answer(result)),
    make(
      "div",
      { class: "columns" },
      player && section("One period", document.scene && stage(document.scene, player, () => []), transport(player)),
      section("What it needs of the contacts", player && frictionChart(document, result, player.motion), exposureChart(result), facts(result)),
    ),
    make(
      "div",
      { class: "columns" },
      player && section("Orbit", phasePlane(player, () => [], document.motion?.regions ?? [], document.model.contacts)),
      section("Multipliers", multiplierChart(result.multipliers), multiplierSentence(result)),
    ),
    branchSection(document, result),
    result.slips && slipsSection(result.slips),
    result.perturbation && perturbationSection(document, result.perturbation),
    make(
      "div",
      { class: "columns" },
      section("State at the section", stateTable(document, "State at the section", result.state)),
      player && result.events.length > 0 && section("Events", eventTable(player, document.model.contacts)),
    ),
  ];
};

function answer(result: Gait): string {
  const length = result.step_length === null ? "" : ` of ${withUnit(result.step_length, "m")}`;
  const found = `A motion repeats after ${withUnit(result.period, "s")}${length === "" ? "" : `, a step${length}`}`;
  return `${found}; small disturbances ${result.stable ? "die out" : "grow"}.`;
}

function multiplierSentence({ multipliers, stable }: Gait): Child {
  if (multipliers.length === 0) return make("p", { class: "soft" }, "There are none: every disturbance vanishes within one period.");
  const largest = Math.hypot(...multipliers[0]!);
  return make("p", { class: "soft" }, `After each period the slowest disturbance is ${number(largest)} times as large: the gait is ${stable ? "stable" : "unstable"}.`);
}

function facts(result: Gait): HTMLElement {
  const { energy, search } = result;
  const at = (extreme: Gait["mu_stick_at"]): string => (extreme === null ? "" : ` (${extreme.contact}, at ${withUnit(extreme.time, "s")})`);
  const rows: Child[][] = [
    ["friction needed to stick", result.mu_stick === null ? "no contact sticks" : `${number(result.mu_stick, 6)}${at(result.mu_stick_at)}`],
    ["largest ratio of impulses", result.impulse_ratio === null ? "no impact" : number(result.impulse_ratio, 6)],
    ["least normal force", result.least_normal_force === null ? "no contact is closed" : `${withUnit(result.least_normal_force.value, "N")}${at(result.least_normal_force)}`],
    ["work of gravity", withUnit(energy.gravity, "J")],
    ["lost at impacts", withUnit(energy.impacts, "J")],
    ["lost to friction", withUnit(withoutRounding(energy.friction, energy.gravity), "J")],
    ["search", `${search.maps} periods followed, ${search.derivatives} derivatives; repeats to ${number(search.residual, 2)}`],
  ];
  return table("Numbers of the gait", ["what", "value"], rows);
}
