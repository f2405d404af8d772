// The contact problem at one state: every solution drawn, and where the sliding contacts lie in the plane of p and b.

import * as Plot from "@observablehq/plot";
import { chart } from "../chart";
import type { SlipstickDocument } from "../document";
import { make, section, table, type Child } from "../dom";
import type { Page } from "../frame";
import { list, number, withoutRounding, withUnit } from "../format";
import { stillPicture } from "../motion/still";
import { caseColor, color, kCaseWords, kModeWords } from "../palette";
import { stateTable } from "../state";
import { kTileOpacity } from "../tiles";
import { unitOf } from "../units";
import { caseChip, modeWord, verdictLine } from "../words";

type Range = [least: number | null, greatest: number | null];

interface Solution {
  modes: string;
  normal_force: number[];
  tangential_force: number[];
  acceleration: Record<string, number>;
  family?: { dimension: number; normal_force: Range[]; tangential_force: Range[]; acceleration?: Record<string, Range> };
}

interface Contact {
  name: string;
  status: string;
  gap: number;
  gap_rate: number;
  slip: number;
  p: number | null;
  b: number | null;
}

interface Classification {
  state: Record<string, number>;
  class: string;
  solutions: Solution[];
  contacts: Contact[];
  p_matrix: boolean | null;
  marginal: string[];
}

export const classifyPage: Page = (document: SlipstickDocument) => {
  const result = document.result as unknown as Classification;
  const isBilateral = (i: number): boolean => document.scene?.contacts[i]?.bilateral ?? false;
  const sliding = result.contacts.filter(({ p }, i) => p !== null && !isBilateral(i));
  const plane = sliding.length > 0 && section("Cases of the sliding contacts", casePlane(sliding), matrixSentence(result));
  const none = result.solutions.length === 0 && stillPicture(document, { caption: "No contact forces satisfy the laws here", modes: modesOf(result.contacts) });
  return [
    verdictLine(result.class, result.class, answer(result)),
    marginal(result.marginal),
    none && section("The state", none),
    result.solutions.length > 0 && make("div", { class: "columns" }, result.solutions.map((solution, i) => solutionCard(document, result, solution, i))),
    section("Contacts", contactTable(document, result)),
    make("div", { class: "columns even" }, plane, section("State", stateTable(document, "State", result.state))),
  ];
};

function answer({ class: verdict, solutions, contacts }: Classification): string {
  if (verdict === "colliding") {
    const colliding = contacts.filter(({ status }) => status === "colliding").map(({ name }) => name);
    const several = colliding.length > 1;
    return `${list(colliding)} close${several ? "" : "s"} at ${several ? "their surfaces" : "its surface"}: an impact comes first (slipstick impact). The solutions below leave ${several ? "them" : "it"} out.`;
  }
  if (verdict === "consistent") return "Exactly one motion is possible from this state.";
  if (verdict === "inconsistent") return "No contact forces satisfy the laws at this state: the motion can go on only with a jump of velocities.";
  const several = solutions.length === 1 ? "A whole family of motions satisfies" : `${solutions.length} solutions satisfy`;
  return `${several} the laws at this state, which do not say which one happens.`;
}

/** What the contacts do at this state, for any answer. */
const modesOf = (contacts: Contact[]): string =>
  contacts.map(({ status, slip }) => (status !== "closed" ? "F" : slip > 0 ? "P" : slip < 0 ? "N" : "S")).join("");

const marginal = (items: string[]): Child =>
  items.length > 0 && make("p", { class: "choice" }, `Zero within tolerance, so that a sign is not decided: ${list(items)}.`);

function solutionCard(document: SlipstickDocument, result: Classification, solution: Solution, i: number): HTMLElement {
  const { contacts } = document.model;
  const heading = result.solutions.length > 1 ? `Solution ${i + 1}: ${solution.modes}` : `The solution: ${solution.modes}`;
  const words = [...solution.modes].map((letter, k) => `${contacts[k] ?? `contact ${k + 1}`}: ${kModeWords[letter] ?? letter}`);
  const picture = stillPicture(document, { caption: `Forces of the surface on the body in mode ${solution.modes}`, ...solution });
  const family = solution.family && make("p", { class: "choice" }, familySentence(solution.family));
  const values = make("div", { class: "panel" }, family, forceTable(document, solution), accelerationTable(document, solution));
  const line = make("p", {}, modeWord(solution.modes, contacts), " ", make("span", { class: "soft" }, words.join(", ")));
  const alone = result.solutions.length === 1;
  return section(heading, line, alone ? make("div", { class: "columns" }, picture, values) : [picture, values]);
}

function familySentence({ dimension, acceleration }: NonNullable<Solution["family"]>): string {
  const motion = acceleration ? "The motion itself is not unique." : "The motion is unique all the same.";
  return `These forces are one member, well inside, of a family of dimension ${dimension}. ${motion}`;
}

const isWide = ([least, greatest]: Range): boolean => least !== greatest || least === null;
const range = ([least, greatest]: Range): string =>
  !isWide([least, greatest]) ? "one value" : `${least === null ? "\u2212\u221e" : number(least)} to ${greatest === null ? "\u221e" : number(greatest)}`;

function forceTable(document: SlipstickDocument, { modes, normal_force, tangential_force, family }: Solution): HTMLElement {
  const contacts = document.scene?.contacts;
  // A column of ranges only where a force has more than one value.
  const normals = family?.normal_force.some(isWide) ? family.normal_force : undefined;
  const tangentials = family?.tangential_force.some(isWide) ? family.tangential_force : undefined;
  const rows = normal_force.map((normal, i): Child[] => {
    const tangential = tangential_force[i] ?? 0;
    return [
      document.model.contacts[i] ?? String(i + 1),
      number(normal),
      ...(normals ? [range(normals[i]!)] : []),
      number(tangential),
      ...(tangentials ? [range(tangentials[i]!)] : []),
      modes[i] !== "F" && normal !== 0 ? number(Math.abs(tangential / normal)) : "",
      ...(contacts ? [number(modes[i] === "S" ? contacts[i]?.mu_s : contacts[i]?.mu)] : []),
    ];
  });
  const head = ["contact", "normal (N)", ...(normals ? ["its range"] : []), "tangential (N)", ...(tangentials ? ["its range"] : []), "ratio", ...(contacts ? ["friction"] : [])];
  return table("Contact forces", head, rows, head.map((_, i) => i).slice(1));
}

function accelerationTable(document: SlipstickDocument, { acceleration, family }: Solution): HTMLElement {
  const largest = Math.max(1, ...Object.values(acceleration).map(Math.abs));
  const rows = Object.entries(acceleration).map(([name, value]): Child[] => {
    const ends = family?.acceleration?.[name];
    return [name, withUnit(withoutRounding(value, largest), `${unitOf(document, name) || "m"}/s\u00b2`), ...(family?.acceleration ? [ends ? range(ends) : ""] : [])];
  });
  return table("Accelerations", ["coordinate", "acceleration", ...(family?.acceleration ? ["its range"] : [])], rows, [1, 2]);
}

function contactTable(document: SlipstickDocument, { contacts }: Classification): HTMLElement {
  const rows = contacts.map((contact, i): Child[] => [
    contact.name,
    contact.status,
    withUnit(contact.gap, "m"),
    withUnit(contact.gap_rate, "m/s"),
    withUnit(contact.slip, "m/s"),
    contact.p === null ? "" : withUnit(contact.p, "1/kg"),
    contact.b === null ? "" : withUnit(contact.b, "m/s\u00b2"),
    caseCell(contact, document.scene?.contacts[i]?.bilateral ?? false),
  ]);
  return table("Contacts", ["contact", "status", "gap", "gap rate", "slip", "p", "b", "case"], rows, [2, 3, 4, 5, 6]);
}

function caseCell(contact: Contact, bilateral: boolean): Child {
  if (contact.p === null || contact.b === null) return "does not slide";
  if (bilateral) return "held on both sides: the cases do not apply";
  const found = caseOf(contact.p, contact.b);
  return found === null ? "not decided" : caseChip(found);
}

/** By the signs of p and b; null where one of them is 0. */
function caseOf(p: number, b: number): number | null {
  if (p === 0 || b === 0) return null;
  return p > 0 ? (b < 0 ? 1 : 2) : b > 0 ? 3 : 4;
}

function matrixSentence({ p_matrix }: Classification): Child {
  if (p_matrix === null) return null;
  const words = p_matrix
    ? "P of the sliding contacts is a P-matrix: one solution, whatever the loads."
    : "P of the sliding contacts is not a P-matrix: for some loads there is no solution, for others there are several.";
  return make("p", { class: "soft" }, words);
}

interface Quarter {
  number: number;
  x1: number;
  x2: number;
  y1: number;
  y2: number;
}

function casePlane(sliding: Contact[]): HTMLElement {
  const reach = (values: (number | null)[]): number => 1.5 * Math.max(...values.map((value) => Math.abs(value ?? 0))) || 1;
  const [p, b] = [reach(sliding.map((contact) => contact.p)), reach(sliding.map((contact) => contact.b))];
  const quarters: Quarter[] = [
    { number: 1, x1: 0, x2: p, y1: -b, y2: 0 },
    { number: 2, x1: 0, x2: p, y1: 0, y2: b },
    { number: 3, x1: -p, x2: 0, y1: 0, y2: b },
    { number: 4, x1: -p, x2: 0, y1: -b, y2: 0 },
  ];
  const told = sliding.map(({ name, p: x, b: y }) => `${name} at p = ${number(x)} 1/kg, b = ${number(y)} m/s\u00b2`);
  return chart({
    title: "",
    description: `The plane of p and b with its four cases: ${list(told)}.`,
    x: { label: "p (1/kg)", domain: [-p, p] },
    y: { label: "b (m/s\u00b2)", domain: [-b, b], grid: false },
    height: 320,
    marks: () => [
      Plot.rect(quarters, { x1: "x1", x2: "x2", y1: "y1", y2: "y2", fill: (quarter: Quarter) => caseColor(quarter.number), fillOpacity: kTileOpacity }),
      Plot.text(quarters, {
        x: (quarter: Quarter) => (quarter.x1 + quarter.x2) / 2,
        y: (quarter: Quarter) => (quarter.y1 < 0 ? -0.9 : 0.9) * b,
        text: (quarter: Quarter) => `${quarter.number}: ${kCaseWords[quarter.number] ?? ""}`,
        fill: "var(--ink)",
      }),
      Plot.ruleX([0], { stroke: color("boundary-p"), strokeWidth: 2 }),
      Plot.ruleY([0], { stroke: color("boundary-b"), strokeWidth: 2, strokeDasharray: "6 4" }),
      Plot.dot(sliding, { x: "p", y: "b", r: 6, fill: "var(--ink)", stroke: "var(--paper)", strokeWidth: 2, className: "sliding" }),
      Plot.text(sliding, { x: "p", y: "b", text: "name", dy: -14, fill: "var(--ink)", stroke: "var(--paper)", strokeWidth: 3 }),
    ],
    spots: {
      list: sliding.map(({ name, p: x, b: y }) => ({ x: x ?? 0, y: y ?? 0, tell: () => [name, `p = ${withUnit(x, "1/kg")}`, `b = ${withUnit(y, "m/s\u00b2")}`] })),
    },
  });
}
