// Whether a body's rest on two contacts is stable: the verdict, the reduced map R, the growth.

import type { SlipstickDocument } from "../document";
import { make, section, table, type Child } from "../dom";
import type { Page } from "../frame";
import { degrees, list, number, withUnit } from "../format";
import { stillPicture } from "../motion/still";
import { kVerdictWords, modeWord, verdictChip, verdictLine } from "../words";
import { growthChart, partitionStrip, reducedChart } from "./stability_charts";
import type { End, Margin, Stability } from "./stability_result";

export const stabilityPage: Page = (document: SlipstickDocument) => {
  const result = document.result as unknown as Stability;
  const still = stillPicture(document, { caption: "The body at rest, with the friction cones of its contacts", modes: "S".repeat(document.model.contacts.length) });
  const maps = result.samples.length > 0 || result.pieces.length > 0;
  return [
    verdictLine(kVerdictWords[result.verdict] ?? result.verdict, result.verdict, answer(result)),
    maps &&
      section(
        "The return map",
        make("p", { class: "soft" }, labelSentence(result)),
        make("div", { class: "columns" }, reducedChart(result), growthChart(result)),
      ),
    result.partition.length > 0 && section("Stable partition", partitionStrip(result.partition), partitionTable(result)),
    make(
      "div",
      { class: "columns" },
      still && section("At rest", still),
      section("Margins", marginTable(result.margins), result.uncertain && uncertain(result.uncertain)),
    ),
    maps && make("div", { class: "columns" }, section("Pieces", pieceTable(result)), section("Fixed points and ends", fixedTable(result), endTable(result))),
  ];
};

function answer(result: Stability): string {
  const by = result.theorem === null ? "" : ` Theorem ${result.theorem}: `;
  switch (result.verdict) {
    case "stable":
      return `After a small enough kick the body comes to rest again close by.${by}${kStableReasons[result.theorem ?? ""] ?? ""}`;
    case "unstable":
      return `Some kicks, however small, lead away.${by}${unstableReason(result)}`;
    case "infeasible":
      return "The body cannot rest here: no contact forces within the friction cones hold it.";
    case "painleve":
      return `A moving state near the rest has no mode or several: ${list(result.paradox)}.`;
    case "marginal":
      return `A decision depends on a quantity that is zero: ${list(result.marginal)}.`;
    default:
      return `No theorem decides${result.missing === null ? "" : `: ${result.missing}`}.`;
  }
}

const kStableReasons: Record<string, string> = {
  "3": "sliding on both contacts persists, and every return is weaker than the one before.",
  "5": "R does not decrease, and returns grow weaker at every fixed point.",
  "4a": "there is a stable partition.",
};

function unstableReason(result: Stability): string {
  if (result.theorem === "1") return `at rest other modes than sticking are possible, too: ${list(result.ambiguous_modes)}.`;
  const growing = result.fixed_points.filter(({ growth }) => growth > 1).map(({ phi, growth }) => `${number(growth)} at ${degrees(phi)}`);
  return `returns at a fixed point grow, by ${list(growing)}.`;
}

function labelSentence({ labels, verdict_labels, persistence, monotone }: Stability): string {
  const other = verdict_labels.join() === labels.join() ? "" : ` The verdict needed the other order: 1 is ${verdict_labels[0]}, 2 is ${verdict_labels[1]}.`;
  const persists = { persistent: "Sliding on both contacts persists.", weak: "Sliding on both contacts persists weakly.", none: "Sliding on both contacts does not persist." }[persistence ?? ""] ?? "";
  const falls = monotone === null ? "" : monotone ? " R does not decrease." : " R decreases somewhere.";
  return `Contact 1 is ${labels[0]}, contact 2 is ${labels[1]}; \u03c6 is the angle at which contact 2 strikes, R(\u03c6) the next one; the growth is that of its speed. ${persists}${falls}${other}`;
}

function pieceTable({ pieces, labels }: Stability): HTMLElement {
  const word = (step: string): Child => (step.startsWith("(") ? ["(", modeWord(step.slice(1, -1), labels), ")"] : modeWord(step, labels));
  const rows = pieces.map((piece, i): Child[] => [
    i + 1,
    degrees(piece.from),
    degrees(piece.to),
    [...piece.path.map((step) => [word(step), " "]), piece.undefined !== undefined && make("span", { class: "soft" }, `no return: ${piece.undefined}`)],
  ]);
  return make(
    "div",
    { class: "panel" },
    table("Pieces of the map", ["piece", "from", "to", "modes one after the other"], rows, [0, 1, 2]),
    make("p", { class: "soft small" }, "In parentheses: impacts."),
  );
}

function fixedTable({ fixed_points }: Stability): HTMLElement {
  const rows = fixed_points.map(({ phi, growth, slope }) => [number(phi, 8), degrees(phi, 6), number(growth, 8), number(slope, 6)]);
  return rows.length === 0 ? make("p", {}, "R has no fixed point.") : table("Fixed points", ["fixed point \u03c6 (rad)", "degrees", "growth", "slope of R"], rows, [0, 1, 2, 3]);
}

function endTable({ ends }: Stability): Child {
  if (ends === null) return null;
  const tell = (end: End): string =>
    end.kind === 1
      ? `kind 1: R goes to the end, growth ${number(end.growth)}`
      : end.kind === 2
        ? `kind 2: R goes to ${degrees(end.reduced ?? Number.NaN)}, growth times distance ${number(end.scaled_growth)}`
        : `none: ${end.reason ?? "not known"}`;
  return table("Ends", ["end", "what R and the growth do there"], [["\u221290\u00b0", tell(ends.minus)], ["90\u00b0", tell(ends.plus)]]);
}

function partitionTable({ partition }: Stability): HTMLElement {
  const rows = partition.map(({ from, to, kind, growth_max }) => [degrees(from), degrees(to), kind, growth_max === null ? "unbounded" : number(growth_max)]);
  return table("Stable partition", ["from", "to", "kind", "largest growth"], rows, [0, 1, 3]);
}

const kMarginWords: Record<string, [words: string, unit: string]> = {
  com_x: ["centre of mass along x", "m"],
  com_y: ["centre of mass along y", "m"],
  slope: ["slope", "rad"],
};

/** A border of a parameter by its value. Quantities without a value here (the place of the centre of mass, the slope): by the change. */
function marginWords(value: number | null, unit: string, sign: number, distance: number): string {
  if (distance === 0) return "at once";
  if (value === null) return `if changed by ${withUnit(sign * distance, unit)}`;
  return `${sign < 0 ? "below" : "above"} ${withUnit(value + sign * distance, unit)}`;
}

function marginTable(margins: Margin[]): HTMLElement {
  const side = (value: number | null, unit: string, sign: number, margin: Margin["below"]): Child =>
    margin === null ? "none" : [verdictChip(kVerdictWords[margin.verdict] ?? margin.verdict, margin.verdict), ` ${marginWords(value, unit, sign, margin.distance)}`];
  const rows = margins.map(({ parameter, contact, value, below, above }): Child[] => {
    const [words, unit] = kMarginWords[parameter] ?? [contact ? `friction of ${contact}` : parameter, ""];
    return [words, value === null ? "" : withUnit(value, unit), side(value, unit, -1, below), side(value, unit, 1, above)];
  });
  return table("Margins: how far each parameter may change before the verdict does", ["parameter", "now", "next verdict if it falls", "next verdict if it rises"], rows, [1]);
}

function uncertain({ box, answer: words, points, verdicts, borders }: NonNullable<Stability["uncertain"]>): HTMLElement {
  const ranges = Object.entries(box).map(([name, [from, to]]) => `${name} from ${number(from)} to ${number(to)}`);
  const rows = borders.map(({ between, at }): Child[] => [between.map((verdict) => kVerdictWords[verdict] ?? verdict).join(" | "), tellPlace(at)]);
  return make(
    "div",
    { class: "panel" },
    make("h3", {}, `Uncertain: ${list(ranges)}`),
    make("p", {}, `${capital(words)}, looked at in ${points} points. `, verdicts.map((verdict) => [verdictChip(kVerdictWords[verdict] ?? verdict, verdict), " "])),
    borders.length > 0 && table("Borders found", ["between", "at"], rows),
  );
}

const tellPlace = (at: unknown): string =>
  typeof at === "object" && at !== null ? Object.entries(at).map(([name, value]) => `${name} = ${number(value as number, 8)}`).join(", ") : number(at as number, 8);
const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
