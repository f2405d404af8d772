// A result without a page of its own: its document as text.

import { make, section } from "../dom";
import type { Page } from "../frame";

export const plainPage: Page = (document) => [
  section("Result", make("pre", { class: "scroll", tabindex: 0 }, JSON.stringify(document.result, null, 2))),
];
