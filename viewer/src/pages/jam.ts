// How sliding ends, what a jam needs, and the acceleration centre on its way to the jamming line.

import type { SlipstickDocument } from "../document";
import { make, section, table, type Child } from "../dom";
import type { Page } from "../frame";
import { number, withUnit } from "../format";
import { Motion } from "../motion/motion";
import { Player } from "../motion/player";
import { stage } from "../motion/stage";
import { initialState } from "../motion/still";
import { listenToKeys, transport } from "../motion/transport";
import { stateTable, tellState } from "../state";
import { centreChart, pathChart } from "./jam_charts";
import { fromSection, preventSection } from "./jam_set";
import type { Frictions, Jam, JamEnd, JamPoint } from "./jam_result";

export const jamPage: Page = (document: SlipstickDocument) => {
  const result = document.result as unknown as Jam;
  const run = document.motion?.runs[0];
  const player = run && run.rows > 0 ? new Player(new Motion([run], [])) : null;
  if (player) listenToKeys(player);
  const slides = result.outcome !== null;
  return [
    make("p", { class: "answer" }, answer(result)),
    make(
      "div",
      { class: "columns" },
      player && document.scene ? section("The sliding", stage(document.scene, player, () => []), transport(player)) : initialState(document),
      slides && section("Numbers", facts(document, result)),
    ),
    slides && result.motion.time.length > 1 && section("On the way", pathChart(result), centreChart(result)),
    slides && section("Where p and b vanish together", pointTable(document, result)),
    result.from && fromSection(document, result.from),
    result.prevent && preventSection(result.prevent),
    result.state && section("State at the end", stateTable(document, "State at the end", result.state)),
  ];
};

const kEnds: Record<string, string> = {
  jam: "It jams: the contact force grows without bound",
  "lift-off": "It lifts off: the contact force vanishes first",
  stick: "It sticks: the slip ends first",
  "slip-reversal": "The slip ends, and goes on the other way",
  impact: "A contact collides",
  "leaves-range": "A coordinate leaves the range of shapes",
  inconsistent: "No motion satisfies the laws",
  indeterminate: "Several motions satisfy the laws",
  marginal: "Doubles cannot tell",
  time: "It slides until the end of the run",
  failure: "The numerics failed",
};

function answer(result: Jam): string {
  if (result.outcome === null) return `The state itself does not slide: ${result.reason ?? ""}.`;
  const end = kEnds[result.outcome] ?? result.outcome;
  const candidates = result.candidates ? `: ${result.candidates.join(" or ")}` : "";
  const slip = result.critical_slip === null ? "No slip jams from this state." : `The smallest slip that jams is ${withUnit(Math.abs(result.critical_slip), "m/s", 8)}.`;
  return `${end}${candidates}, at ${withUnit(result.time, "s", 8)}. ${slip}`;
}

function facts(document: SlipstickDocument, result: Jam): HTMLElement {
  const rows: [string, Child][] = [
    ["ends by", tellEnd(result)],
    ["smallest slip that jams", result.critical_slip === null ? `none: ${result.critical_slip_reason ?? ""}` : withUnit(result.critical_slip, "m/s", 10)],
    ["smallest slip that does not end first", result.least_slip === null ? `none: ${result.least_slip_reason ?? ""}` : withUnit(result.least_slip, "m/s", 10)],
  ];
  if (result.exponent !== null) rows.push(["exponent of the force in the time left", number(result.exponent, 8)]);
  const ranged = Object.keys(result.range).length > 0;
  rows.push(...tellFrictions(document, result, ranged ? " in the range" : ""));
  if (ranged && result.unrestricted) rows.push(...tellFrictions(document, result.unrestricted, ", any shape"));
  return make("dl", {}, rows.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
}

const tellEnd = ({ outcome, contacts, coordinate }: JamEnd): string =>
  [outcome ?? "", contacts.length > 0 ? `of ${contacts.join(", ")}` : "", coordinate ? `of ${coordinate}` : ""].filter((part) => part !== "").join(" ");

function tellFrictions(document: SlipstickDocument, frictions: Frictions, where: string): [string, Child][] {
  const at = (state: Record<string, number> | null): string => (state === null ? "" : ` at ${tellState(document, state)}`);
  return [
    [`least friction with a paradox${where}`, frictions.mu_min === null ? "none" : `${number(frictions.mu_min, 8)}${at(frictions.at)}`],
    [`least friction with a jam${where}`, frictions.mu_jam === null ? `none: ${frictions.mu_jam_reason ?? "not known"}` : `${number(frictions.mu_jam, 8)}${at(frictions.mu_jam_at)}`],
  ];
}

const kTypes: Record<JamPoint["type"], string> = {
  jam: "node: jams with unbounded force",
  passes: "node: passes with a finite force",
  "lift-off": "lifts off before",
  saddle: "saddle: one motion arrives",
  leaves: "sliding comes away from it",
};

function pointTable(document: SlipstickDocument, result: Jam): HTMLElement {
  const own: [string, JamPoint][] = result.jam ? [["this motion", result.jam]] : [];
  const points = own.concat(result.points.map((point) => [point.in_range ? "in the range" : "outside of the range", point]));
  const rows = points.map(([whose, point]): Child[] => [whose, tellState(document, point.state), ...point.eigenvalues.map((value) => number(value, 6)), number(point.ratio, 6), kTypes[point.type]]);
  if (rows.length === 0) return make("p", { class: "soft" }, `None is listed: ${result.points_reason ?? ""}.`);
  return make(
    "div",
    {},
    table("Points with p = b = 0", ["whose", "state", "rate of p", "rate of b", "ratio", "what sliding does"], rows, [2, 3, 4]),
    result.points_reason !== null && make("p", { class: "soft" }, `Others are not listed: ${result.points_reason}.`),
  );
}
