// What papers printed beside what is computed, claim by claim.

import { make, section, toggle, type Child } from "../dom";
import type { Page } from "../frame";
import { count, number } from "../format";
import { verdictChip } from "../words";

type Value = number | string | boolean | null;

interface Claim {
  paper: string;
  where: string;
  claim: string;
  printed_as: string;
  computed: Value;
  unit: string;
  verdict: string;
  why: string;
  runs: string[];
  from: Record<string, string>;
  expression: string;
}

interface Paper {
  paper: string;
  key: string;
  title: string;
  about: string;
}

const kVerdictWords: Record<string, string> = {
  agrees: "the printed value comes out",
  differs: "another value comes out",
  "under-determined": "the paper does not print all that is needed",
  erratum: "the paper is wrong, and it is known why",
  failed: "the computation failed",
};

export const reproducePage: Page = (document) => {
  const claims = document.result["claims"] as Claim[];
  const papers = document.result["papers"] as Paper[];
  const verdicts = Object.keys(kVerdictWords).filter((word) => claims.some(({ verdict }) => verdict === word));
  const body = make("div", {});
  const hidden = new Set<string>();
  const fill = (): void => {
    body.replaceChildren(...papers.map((paper) => paperSection(paper, claims.filter((claim) => claim.paper === paper.paper && !hidden.has(claim.verdict)))));
  };
  const filterOf = (word: string): HTMLElement => {
    const label = toggle(`${word} (${count(claims.filter(({ verdict }) => verdict === word).length)})`, true, (shown) => {
      if (shown) hidden.delete(word);
      else hidden.add(word);
      fill();
    });
    return make("div", {}, label, verdictChip(kVerdictWords[word]!, word));
  };
  fill();
  return [
    make("p", { class: "answer" }, `${count(claims.length)} claims of ${count(papers.length)} ${papers.length === 1 ? "paper" : "papers"}, each beside what is computed.`),
    make("div", { class: "verdicts" }, verdicts.map((word) => filterOf(word))),
    make("nav", { "aria-label": "Papers" }, papers.map(({ key }) => make("a", { href: `#${key}` }, `[${key}]`))),
    body,
  ];
};

function paperSection(paper: Paper, claims: Claim[]): HTMLElement {
  const head = ["where", "claim", "printed", "computed", "verdict", "why"];
  const rows = claims.map((claim) =>
    make(
      "tr",
      {},
      make("td", {}, claim.where),
      make("td", {}, claim.claim, calls(claim)),
      make("td", { class: "steady" }, measured(claim.printed_as, claim.unit)),
      make("td", { class: "steady" }, claim.computed === null ? "–" : measured(tell(claim.computed), claim.unit)),
      make("td", {}, verdictChip(claim.verdict)),
      make("td", { class: "small soft" }, claim.why),
    ),
  );
  return section(
    `[${paper.key}] ${paper.title}`,
    make("p", { id: paper.key }, paper.about),
    make(
      "div",
      { class: "wide", tabindex: 0, role: "region", "aria-label": `Claims of ${paper.key}` },
      make(
        "table",
        { class: "claims" },
        make("caption", { class: "unseen" }, `Claims of ${paper.key}`),
        make("thead", {}, make("tr", {}, head.map((text) => make("th", { scope: "col" }, text)))),
        make("tbody", {}, rows),
      ),
    ),
  );
}

/** The calls that a reader can repeat by hand, and what is taken from their documents. */
function calls(claim: Claim): Child {
  if (claim.runs.length === 0) return null;
  const values = Object.entries(claim.from).map(([name, pointer]) => `${name} = ${pointer}`);
  return make(
    "details",
    {},
    make("summary", { class: "small soft" }, "how"),
    make("pre", { class: "small" }, [...claim.runs.map((run) => `${run} --json`), ...values, `computed = ${claim.expression}`].join("\n")),
  );
}

const tell = (value: Value): string => (typeof value === "number" ? number(value, 8) : String(value));
const measured = (text: string, unit: string): string => (unit === "" ? text : `${text} ${unit}`);
