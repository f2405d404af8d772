// What every page has: title, source, command, notices, footer.

import type { SlipstickDocument, Verb } from "./document";
import { button, make, type Child } from "./dom";
import { isDark, setScheme } from "./palette";

/** What the verb answers, in plain words. */
const kVerbWords: Record<Verb, string> = {
  simulate: "The motion",
  classify: "The contact problem at one state",
  paradox: "Where sliding has no solution, or several",
  "critical-friction": "The least friction with a paradox",
  stability: "Stability of the equilibrium",
  "stability-map": "Stability over parameters",
  outcomes: "What happens over parameters",
  gait: "The periodic motion",
  impact: "Every outcome of one impact",
  jam: "How sliding ends",
  reproduce: "What was printed, and what is computed",
};

/** A page: what it shows between header and footer. */
export type Page = (document: SlipstickDocument) => Child[];

export function frame(result: SlipstickDocument, page: Page): HTMLElement[] {
  const title = result.model.title || result.model.name;
  document.title = `${title}: ${kVerbWords[result.verb].toLowerCase()}`;
  return [
    make(
      "header",
      { class: "top" },
      make("div", {}, make("p", { class: "verb" }, kVerbWords[result.verb]), make("h1", {}, title), facts(result)),
      schemeButton(),
      command(result.command),
    ),
    make("main", {}, notices(result.notices), ...page(result)),
    make("footer", {}, `${result.program} ${result.version}`),
  ];
}

function facts(result: SlipstickDocument): HTMLElement {
  const { name, source } = result.model;
  return make(
    "p",
    { class: "facts" },
    name !== "" && make("span", {}, "model ", make("code", {}, name)),
    source !== "" && source !== "-" && make("span", {}, "after ", source),
    result.settings.length > 0 && make("span", {}, "with ", make("code", {}, result.settings.join("  "))),
  );
}

function command(text: string): HTMLElement {
  const code = make("code", { tabindex: 0, "aria-label": "The command that repeats this result" }, text);
  const copy = button("Copy the command", () => void copyText(text, code).then((done) => (copy.textContent = done)), { face: "Copy" });
  return make("div", { class: "command" }, code, copy);
}

/** Copying may be forbidden in a page from a file; then the text is selected for the reader. */
async function copyText(text: string, shown: HTMLElement): Promise<string> {
  try {
    await navigator.clipboard.writeText(text);
    return "Copied";
  } catch {
    getSelection()?.selectAllChildren(shown);
    return "Selected";
  }
}

function notices(sentences: string[]): Child {
  return sentences.length > 0 && make("ul", { class: "notices", role: "status" }, sentences.map((text) => make("li", {}, text)));
}

function schemeButton(): HTMLButtonElement {
  const words = (): string => (isDark() ? "Light" : "Dark");
  const change = button(
    "Change between light and dark",
    () => {
      setScheme(isDark() ? "light" : "dark");
      change.textContent = words();
    },
    { face: words(), class: "scheme" },
  );
  return change;
}
