import "./style.css";
import { findFault, type SlipstickDocument } from "./document";
import { make } from "./dom";
import { frame } from "./frame";
import { kPages } from "./pages";
import { installPalette } from "./palette";

function show(): void {
  installPalette();
  const root = document.getElementById("page")!;
  const fault = start(root);
  if (fault !== null) root.replaceChildren(make("main", { class: "fault" }, make("h1", {}, "Nothing to show"), make("p", {}, fault)));
}

/** Shows the page's document, or says why it cannot. */
function start(root: HTMLElement): string | null {
  let value: unknown;
  try {
    value = JSON.parse(document.getElementById("document")?.textContent ?? "null");
  } catch {
    return "The document in this page is damaged: it is not JSON.";
  }
  const fault = findFault(value);
  if (fault !== null) return fault;
  const result = value as SlipstickDocument;
  const page = kPages[result.verb];
  if (page === undefined) return `This page cannot show results of "${String(result.verb)}".`;
  try {
    root.replaceChildren(...frame(result, page));
    return null;
  } catch (error) {
    return `The document in this page cannot be drawn: ${error instanceof Error ? error.message : String(error)}`;
  }
}

show();
