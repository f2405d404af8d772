// Letters and words on their colours, and sentences used on several pages.

import type { RunEnd, SlipstickEvent } from "./document";
import { make } from "./dom";
import { list, withUnit } from "./format";
import { caseColor, color, eventColor, kCaseWords, kEventSigns, kModeWords, verdictColor } from "./palette";

/** A word beside a square of its colour. */
export const chip = (text: string, shade: string): HTMLElement => make("span", { class: "chip", style: `--chip:${shade}` }, text);

/** The same for a tinted area; without a colour it is hatched. */
export function tileChip(text: string, shade: string | null): HTMLElement {
  const item = chip(text, shade ?? color("soft"));
  item.classList.add(shade === null ? "hatched" : "tile");
  return item;
}

/** A line of a chart beside its name. */
export const lineKey = (text: string, shade: string, dashed = false): HTMLElement =>
  make("span", { class: "key" }, make("span", { class: dashed ? "line dashed" : "line", style: `--chip:${shade}` }), text);

export const caseChip = (number: number): HTMLElement => chip(`${number}: ${kCaseWords[number] ?? ""}`, caseColor(number));
/** A verdict beside its colour; `verdict` is its key where the text is another. */
export const verdictChip = (text: string, verdict = text): HTMLElement => chip(text, verdictColor(verdict));
/** The answer of a page: the verdict on its colour, then what it means. */
export const verdictLine = (text: string, verdict: string, sentence: string): HTMLElement =>
  make("p", { class: "answer" }, verdictChip(`${text.charAt(0).toUpperCase()}${text.slice(1)}.`, verdict), " ", sentence);
export const eventChip = (type: string): HTMLElement => chip(`${kEventSigns[type] ?? "·"} ${type}`, eventColor(type));

/** A mode word, each letter on its colour, with its meaning on hover. */
export function modeWord(word: string, contacts: readonly string[] = []): HTMLElement {
  const letters = [...word].map((letter, i) => {
    const meaning = `${contacts[i] === undefined ? "" : `${contacts[i]}: `}${kModeWords[letter] ?? letter}`;
    return make("span", { style: `--chip:${color(`mode-${letter}`)}`, title: meaning }, letter);
  });
  return make("span", { class: "word" }, letters);
}

const kEndWords: Record<string, string> = {
  time: "The time asked for was reached",
  rest: "The mechanism came to rest",
  jam: "The contact force grew without bound (jam), and no future was followed",
  inconsistent: "No motion satisfies the laws of contact (inconsistent), and no future was followed",
  indeterminate: "Several motions satisfy the laws of contact (indeterminate), and no future was followed",
  "event-limit": "The limit on the number of events was reached",
  interrupted: "The computation was interrupted",
  failure: "The numerics failed",
  branch: "Several futures begin here; each was followed",
  condition: "The condition asked for holds",
  "branch-limit": "Several futures begin here; the limit on runs or depth was reached and they were not followed",
  merged: "It goes on like an earlier run",
};

/** How a run ended, as a sentence. */
export function endSentence(end: RunEnd): string {
  const detail = end.detail === undefined || end.detail === "" ? "" : `: ${end.detail}`;
  return `${kEndWords[end.reason] ?? end.reason}, at ${withUnit(end.time, "s", 6)}${detail}.`;
}

/** The option that decides at an event where the laws leave a choice. */
function policyOption(type: string): string {
  const own = ["inconsistent", "indeterminate", "jam"].includes(type);
  return own ? `--on-${type}` : type.endsWith("impact") ? "--on-impact" : type === "paradox" ? "" : "--on-indeterminate";
}

/** What a mode word or the name of an outcome means, in a few words. */
const outcome = (word: string): string => (/^[FSPN]+$/.test(word) ? `mode ${word}` : word);

/** Where the laws left a choice: what was taken and what else was admissible; null elsewhere. */
export function choiceSentence(event: SlipstickEvent, taken?: string): string | null {
  const { policy } = event;
  const words = event.alternatives ?? [];
  const texts = event.alternatives_text ?? [];
  const alternatives = texts.length === words.length ? texts : words;
  const others = list(alternatives.map(outcome), "or");
  if (policy === undefined) return alternatives.length > 0 ? `Also admissible just after this: ${others}.` : null;
  const option = `${policyOption(event.type)} ${policy}`.trim();
  if (policy === "branch") {
    const own = taken === undefined ? -1 : words.indexOf(taken);
    const rest = list(alternatives.filter((_, i) => i !== own).map(outcome));
    const shown = taken === undefined ? rest : `this one: ${outcome(alternatives[own] ?? taken)}; the others: ${rest}`;
    return `Several futures were possible here, and each was followed (${option}): ${shown}.`;
  }
  const several = alternatives.length > 0 ? "Several futures were possible here" : "The laws left a choice here";
  const lead = event.type === "inconsistent" ? "No motion satisfies the laws of contact here" : several;
  const also = alternatives.length > 0 ? ` Also admissible: ${list(alternatives.map(outcome))}.` : "";
  return `${lead}: ${howChosen(event, policy)} (${option}).${also}`;
}

const howChosen = (event: SlipstickEvent, policy: string): string =>
  policy === "stop" ? kPolicyWords.stop! : (event.taken_text ?? kPolicyWords[policy] ?? `${outcome(takenBy(event, policy))} was taken`);

/** What was taken. Of modes the actual one, because a policy may want a mode that was not admissible. */
const takenBy = ({ type, modes_after }: SlipstickEvent, policy: string): string => (type === "indeterminate" && policy !== "impact" ? modes_after : policy);

/** Policies whose word is not the name of what was taken. */
const kPolicyWords: Record<string, string> = {
  stop: "the run was stopped",
  prefer: "the outcome that the law prefers was taken",
};

/** Verdicts on a rest as they are read. */
export const kVerdictWords: Record<string, string> = {
  stable: "stable",
  unstable: "unstable",
  painleve: "Painlev\u00e9",
  marginal: "marginal",
  undecided: "undecided",
  infeasible: "infeasible",
};
