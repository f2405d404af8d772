// Every outcome of one impact: a table of all, and each in the planes of impulses and velocities.

import type { SlipstickDocument } from "../document";
import { make, section, select, table, type Child } from "../dom";
import { list, number, withoutRounding, withUnit } from "../format";
import type { Page } from "../frame";
import { stillPicture } from "../motion/still";
import { color, kModeWords } from "../palette";
import { stateTable } from "../state";
import { unitOf } from "../units";
import { lineKey, modeWord, verdictLine } from "../words";
import { impulseChart, velocityChart } from "./impact_charts";
import { joinEqual, nameOf, type Impact, type Outcome, type Range, type Shown } from "./impact_result";

export const impactPage: Page = (document: SlipstickDocument) => {
  const result = document.result as unknown as Impact;
  const shown = joinEqual(result.outcomes);
  const missing = result.laws.filter(({ reason }) => reason !== null);
  return [
    verdictLine(kKindWords[result.kind], kVerdicts[result.kind], answer(result, shown)),
    missing.length > 0 && make("div", { class: "choice" }, missing.map(({ law, reason }) => make("p", {}, `${law}: ${reason}.`))),
    shown.length > 0 && section("Outcomes", outcomeTable(document, shown)),
    shown.length > 0 && chosen(document, shown),
    make("div", { class: "columns even" }, section("The state", stillPicture(document, { caption: "Before the impact" })), section("State", stateTable(document, "State", result.state))),
  ];
};

const kKindWords: Record<Impact["kind"], string> = { none: "no impact", collision: "collision", "without-collision": "impact without collision", jam: "jam" };
const kVerdicts: Record<Impact["kind"], string> = { none: "consistent", collision: "colliding", "without-collision": "inconsistent", jam: "marginal" };

function answer({ kind, contacts, only, reason, laws }: Impact, shown: Shown[]): string {
  if (kind === "none") return `${capital(reason ?? "no impulse acts here")}.`;
  const why: Record<string, string> = {
    collision: `${list(contacts)} close${contacts.length > 1 ? "" : "s"} at the surface.`,
    "without-collision": `Friction drives in ${list(contacts)} (p < 0).`,
    jam: `At ${list(contacts)} p is zero within tolerance: the limit from below.`,
  };
  const alone = only === null ? "" : ` Only ${only} gets an impulse, whatever other contacts feel.`;
  const count = shown.length === 0 ? `There is no outcome: ${reason}.` : `${laws.length} law${laws.length > 1 ? "s" : ""}, ${shown.length} different outcome${shown.length > 1 ? "s" : ""}.`;
  return `${why[kind]}${alone} ${count}`;
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

function outcomeTable(document: SlipstickDocument, shown: Shown[]): HTMLElement {
  const rows = shown.map(({ laws, outcome }): Child[] => [
    list(laws),
    list(outcome.contacts),
    modeWord(outcome.modes_before, document.model.contacts),
    modeWord(outcome.modes_after, document.model.contacts),
    withUnit(outcome.energy_before, "J"),
    withUnit(outcome.energy_after, "J"),
    outcome.family === null ? "unique" : `a family of dimension ${outcome.family.dimension}`,
  ]);
  return table("Outcomes", ["law", "contacts", "before", "after", "energy before", "after", "impulses"], rows, [4, 5]);
}

/** One outcome and one contact at a time. */
function chosen(document: SlipstickDocument, shown: Shown[]): HTMLElement {
  const place = make("div", {});
  let [at, contact] = [0, shown[0]!.outcome.planes[0]?.contact ?? ""];
  const draw = (): void => {
    const { outcome } = shown[at]!;
    const plane = outcome.planes.find((item) => item.contact === contact) ?? outcome.planes[0];
    const pickers = make(
      "div",
      { class: "fields" },
      shown.length > 1 &&
        select("Outcome", shown.map((item, i) => [String(i), nameOf(item)]), String(at), (value) => {
          at = Number(value);
          draw();
        }),
      outcome.planes.length > 1 &&
        select("Contact", outcome.planes.map((item) => [item.contact, item.contact]), plane?.contact ?? "", (value) => {
          contact = value;
          draw();
        }),
    );
    const charts = plane && make("div", { class: "columns even" }, impulseChart(outcome, plane, document.model.contacts.indexOf(plane.contact)), velocityChart(outcome, plane));
    place.replaceChildren(pickers, ...(charts ? [charts, legend()] : []), details(document, shown[at]!));
  };
  draw();
  return section("In impulse space", place);
}

const legend = (): HTMLElement =>
  make(
    "p",
    { class: "soft small" },
    ["P", "N", "S"].map((letter) => [lineKey(kModeWords[letter] ?? letter, color(`mode-${letter}`)), " "]),
    lineKey("restitution", "var(--ink)", true),
    " ",
    lineKey("no slip", color("series-2")),
    " ",
    lineKey("no gap rate", color("series-4")),
    " Dotted: the friction cone. Shaded: the ranges of a family.",
  );

const rangeWords = (range: Range | undefined): string => (range ? `${range[0] === null ? "\u2212\u221e" : number(range[0])} to ${range[1] === null ? "\u221e" : number(range[1])}` : "");

function details(document: SlipstickDocument, { outcome }: Shown): HTMLElement {
  const jump = outcome.largest_jump === null ? [] : [`The law leaves the size of the jump open: the turn rate changes by 0 to ${withUnit(outcome.largest_jump, "rad/s", 7)}.`];
  const notes = [...jump, ...outcome.notes.map((note) => `${capital(note)}.`)];
  return make(
    "div",
    {},
    notes.map((note) => make("p", { class: "choice" }, note)),
    pathTable(outcome),
    make("div", { class: "columns even" }, impulseTable(document, outcome), velocityTable(document, outcome)),
  );
}

function pathTable({ path }: Outcome): HTMLElement {
  const fastest = Math.max(...path.flatMap(({ end }) => [Math.abs(end.slip), Math.abs(end.gap_rate)]), 0);
  const rows = path.map((piece): Child[] => [
    piece.phase,
    piece.contact,
    kModeWords[piece.motion] ?? piece.motion,
    number(piece.impulse_n),
    number(piece.impulse_t),
    number(withoutRounding(piece.end.slip, Math.max(fastest, 1e-12))),
    number(withoutRounding(piece.end.gap_rate, Math.max(fastest, 1e-12))),
  ]);
  return table("Path", ["phase", "contact", "motion", "P_n (N\u202fs)", "P_t (N\u202fs)", "slip at its end (m/s)", "gap rate (m/s)"], rows, [3, 4, 5, 6]);
}

function impulseTable(document: SlipstickDocument, { planes, impulse_n, impulse_t, family }: Outcome): HTMLElement {
  const rows = planes.map(({ contact }): Child[] => {
    const i = document.model.contacts.indexOf(contact);
    const [n, t] = [number(impulse_n[i], 6), number(impulse_t[i], 6)];
    return family ? [contact, n, rangeWords(family.impulse_n[i]), t, rangeWords(family.impulse_t[i])] : [contact, n, t];
  });
  const head = family ? ["contact", "P_n (N\u202fs)", "its range", "P_t (N\u202fs)", "its range"] : ["contact", "P_n (N\u202fs)", "P_t (N\u202fs)"];
  return table("Impulses", head, rows, head.map((_, i) => i).slice(1));
}

function velocityTable(document: SlipstickDocument, { velocity_after, family }: Outcome): HTMLElement {
  const before = (document.result as unknown as Impact).state;
  // A column of ranges only where a velocity has more than one value.
  const ranges = family && Object.values(family.velocity).some(([least, greatest]) => least !== greatest) ? family.velocity : null;
  const rows = Object.entries(velocity_after).map(([name, value]): Child[] => {
    const unit = unitOf(document, `${name}_dot`);
    const earlier = before[`${name}_dot`] ?? 0;
    const size = Math.max(Math.abs(earlier), ...Object.values(velocity_after).map(Math.abs));
    return [name, withUnit(earlier, unit, 6), withUnit(withoutRounding(value, size), unit, 6), ...(ranges ? [rangeWords(ranges[name])] : [])];
  });
  return table("Velocities", ["coordinate", "before", "after", ...(ranges ? ["its range"] : [])], rows, [1, 2, 3]);
}
