// What papers printed beside what is computed: claim by claim, and their figures drawn again.

import { make, section, toggle } from "../dom";
import type { Page } from "../frame";
import { count } from "../format";
import { verdictChip } from "../words";
import { figureCards } from "./reproduce_figures";
import { how, measured, overInputs, tellCalls, type Claim, type ClaimKind, type Figure, type Paper } from "./reproduce_result";

const kVerdictWords: Record<string, string> = {
  agrees: "printed and computed values agree",
  differs: "the computed value is another one",
  "under-determined": "the paper does not print all that is needed",
  erratum: "the paper is wrong, and it is known why",
  failed: "the computation failed",
};

const kKindWords: Record<ClaimKind, string> = {
  printed: "a number printed in the paper",
  formula: "a value of a formula of the paper, evaluated for the claim",
  statement: "words of the paper",
};

export const reproducePage: Page = (document) => {
  const claims = document.result["claims"] as Claim[];
  const papers = document.result["papers"] as Paper[];
  const figures = (document.result["figures"] ?? []) as Figure[];
  const verdicts = Object.keys(kVerdictWords).filter((word) => claims.some(({ verdict }) => verdict === word));
  const kinds = (Object.keys(kKindWords) as ClaimKind[]).filter((word) => claims.some(({ kind }) => kind === word));
  const hidden = new Set<string>();
  const sections = papers.map((paper) => {
    const own = claims.filter((claim) => claim.paper === paper.paper);
    const rows = make("tbody", {});
    const fill = (): void => rows.replaceChildren(...own.filter(({ kind, verdict }) => !hidden.has(verdict) && !hidden.has(kind)).map(claimRow));
    fill();
    return { fill, body: paperSection(paper, rows, figures.filter((figure) => figure.paper === paper.paper), own) };
  });
  const toggleOf = (word: string, key: "verdict" | "kind"): HTMLElement =>
    toggle(`${word} (${count(claims.filter((claim) => claim[key] === word).length)})`, true, (shown) => {
      if (shown) hidden.delete(word);
      else hidden.add(word);
      for (const { fill } of sections) fill();
    });
  return [
    claims.length > 0 && make("p", { class: "answer" }, `${count(claims.length)} claims of ${count(papers.length)} ${papers.length === 1 ? "paper" : "papers"}, each beside what is computed${figures.length > 0 ? `, and figures drawn again in ${count(figures.length)} charts` : ""}.`),
    make("div", { class: "verdicts" }, verdicts.map((word) => make("div", {}, toggleOf(word, "verdict"), verdictChip(kVerdictWords[word]!, word)))),
    make("div", { class: "verdicts" }, kinds.map((word) => make("div", {}, toggleOf(word, "kind"), make("span", { class: "small soft" }, kKindWords[word])))),
    make("nav", { "aria-label": "Papers" }, papers.map(({ paper, key }) => [make("a", { href: `#${key}` }, `[${key}]`), figures.some((figure) => figure.paper === paper) && make("a", { href: `#${key}-figures` }, "its figures")])),
    sections.map(({ body }) => body),
  ];
};

function paperSection(paper: Paper, rows: HTMLElement, figures: Figure[], claims: Claim[]): HTMLElement {
  const head = ["where", "claim", "kind", "printed", "computed", "verdict", "why"];
  return section(
    `[${paper.key}] ${paper.title}`,
    make("p", { id: paper.key }, paper.about),
    paper.symbols !== "" && make("p", { class: "small soft" }, paper.symbols),
    claims.length > 0 &&
      make(
        "div",
        { class: "wide", tabindex: 0, role: "region", "aria-label": `Claims of ${paper.key}` },
        make(
          "table",
          { class: "claims" },
          make("caption", { class: "unseen" }, `Claims of ${paper.key}`),
          make("thead", {}, make("tr", {}, head.map((text) => make("th", { scope: "col" }, text)))),
          rows,
        ),
      ),
    figures.length > 0 && make("div", { class: "figures", id: `${paper.key}-figures` }, figureCards(figures, claims)),
  );
}

const claimRow = (claim: Claim): HTMLElement =>
  make(
    "tr",
    {},
    make("td", {}, claim.where),
    make("td", {}, claim.claim, claim.runs.length > 0 && how(tellCalls(claim, [`computed = ${claim.expression}`]))),
    make("td", { class: "small" }, claim.kind),
    make("td", { class: "steady" }, measured(claim.printed_as, claim.unit)),
    make("td", { class: "steady" }, measured(claim.computed, claim.unit), claim.cases.length > 0 && make("div", { class: "small soft" }, overInputs(claim))),
    make("td", {}, verdictChip(claim.verdict)),
    make("td", { class: "small soft" }, claim.why),
  );
