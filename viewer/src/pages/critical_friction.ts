// The least friction with a paradox, and how it depends on the configuration.

import type { SlipstickDocument } from "../document";
import { make, section, table, type Child } from "../dom";
import type { Page } from "../frame";
import { number } from "../format";
import { stillPicture } from "../motion/still";
import { kModeWords } from "../palette";
import { tellState } from "../state";
import { answer, landscape, ownFriction, type CriticalFriction } from "./critical_friction_landscape";

export const criticalFrictionPage: Page = (document: SlipstickDocument) => {
  const result = document.result as unknown as CriticalFriction;
  const still = result.at !== null && stillPicture(document, { caption: "Where the least friction is attained", modes: modesOf(document, result) });
  return [
    make("p", { class: "answer" }, answer(result)),
    make(
      "div",
      { class: "columns" },
      section("Numbers", facts(document, result), contactTable(result)),
      still && section("The configuration", still),
    ),
    result.landscape && result.landscape.axes.length > 0 && section(...landscape(document, result, result.landscape)),
  ];
};

/** The sliding contacts, in the direction in which they meet the paradox. */
const modesOf = (document: SlipstickDocument, { contacts }: CriticalFriction): string =>
  document.model.contacts.map((name) => contacts.find((contact) => contact.name === name)?.slip ?? "F").join("");

function facts(document: SlipstickDocument, result: CriticalFriction): HTMLElement {
  const own = ownFriction(document);
  const rows: [string, Child][] = [
    ["least friction with a paradox", result.mu_min === null ? "none" : number(result.mu_min, 8)],
    ["attained at", result.at === null ? "nowhere" : tellState(document, result.at)],
    ["least friction with a jam", result.mu_jam === null ? `none: ${result.mu_jam_reason ?? "not known"}` : number(result.mu_jam, 8)],
  ];
  if (own !== null) rows.push(["the model's friction", number(own)]);
  return make("dl", {}, rows.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
}

function contactTable(result: CriticalFriction): HTMLElement {
  const rows = result.contacts.map(({ name, mu_min, slip }) => [name, mu_min === null ? "never" : number(mu_min, 6), kModeWords[slip] ?? slip]);
  return table("Sliding contacts", ["contact", "least friction", "direction"], rows, [1]);
}
