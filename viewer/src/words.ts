// Letters and words on their colours, and sentences that several pages say.

import { make } from "./dom";
import { caseColor, color, eventColor, kCaseWords, kEventSigns, kModeWords, verdictColor } from "./palette";

/** A word beside a square of its colour. */
export const chip = (text: string, shade: string): HTMLElement => make("span", { class: "chip", style: `--chip:${shade}` }, text);

export const caseChip = (number: number): HTMLElement => chip(`${number}: ${kCaseWords[number] ?? ""}`, caseColor(number));
export const verdictChip = (verdict: string): HTMLElement => chip(verdict, verdictColor(verdict));
export const eventChip = (type: string): HTMLElement => chip(`${kEventSigns[type] ?? "·"} ${type}`, eventColor(type));

/** A mode word, each letter on its colour, with its meaning on hover. */
export function modeWord(word: string, contacts: readonly string[] = []): HTMLElement {
  const letters = [...word].map((letter, i) => {
    const meaning = `${contacts[i] === undefined ? "" : `${contacts[i]}: `}${kModeWords[letter] ?? letter}`;
    return make("span", { style: `--chip:${color(`mode-${letter}`)}`, title: meaning }, letter);
  });
  return make("span", { class: "word" }, letters);
}
