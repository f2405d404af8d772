// The motion of a mechanism.

import { make } from "../dom";
import type { Page } from "../frame";
import { runResults } from "../motion/paths";
import { motionView } from "../motion/view";
import { endSentence } from "../words";

export const simulatePage: Page = (document) => {
  const results = runResults(document);
  if (document.motion === null) return [make("p", { class: "answer" }, endSentence(results[0]!.end))];
  return [motionView(document, results)];
};
