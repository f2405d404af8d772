// Charts of one period: friction needed, exposure to the paradox, multipliers.

import * as Plot from "@observablehq/plot";
import { chart } from "../chart";
import type { SlipstickDocument } from "../document";
import { make, type Child } from "../dom";
import type { Spot } from "../explore";
import { list, number, withUnit } from "../format";
import type { Motion } from "../motion/motion";
import { caseColor, color, kCaseWords, seriesColor } from "../palette";
import { kTileOpacity } from "../tiles";
import { chip, tileChip } from "../words";
import type { Complex, Gait, Interval } from "./gait_result";

const kMarginLeft = 64;

interface Ratio {
  time: number;
  ratio: number;
  contact: number;
}

/** |f_t|/f_n over the period; no value where a contact carries no force. */
export function frictionChart(document: SlipstickDocument, result: Gait, motion: Motion): HTMLElement {
  const names = document.model.contacts;
  const ratios = names.flatMap((_, contact) => ratiosOf(motion, contact));
  const loaded = names.map((_, contact) => contact).filter((contact) => ratios.some((point) => point.contact === contact && point.ratio >= 0));
  const frictions = [...new Set(document.scene?.contacts.map(({ mu }) => mu) ?? [])];
  const top = 1.2 * Math.max(...frictions, ...(frictions.length > 0 ? [] : ratios.map(({ ratio }) => ratio || 0)), result.mu_stick ?? 0, 0.01);
  const shown = ratios.filter(({ contact }) => loaded.includes(contact));
  return make(
    "div",
    {},
    chart({
      title: "Ratio of tangential to normal force",
      description: `|f_t|/f_n over one period, with the friction ${list(frictions.map((mu) => number(mu)))}. ${stickSentence(result)}`,
      x: { label: "time (s)", domain: [0, result.period] },
      y: { label: "|f_t| / f_n", domain: [0, top] },
      height: 240,
      plot: { marginLeft: kMarginLeft },
      marks: () => [
        Plot.ruleY(frictions, { stroke: color("boundary-p"), strokeDasharray: "6 4" }),
        Plot.text(frictions, { x: () => result.period, y: (mu: number) => mu, text: (mu: number) => `friction ${number(mu)}`, textAnchor: "end", dy: -7, fill: color("boundary-p"), stroke: "var(--paper)", strokeWidth: 4 }),
        loaded.map((contact) =>
          Plot.line(shown.filter((point) => point.contact === contact), { x: "time", y: "ratio", stroke: seriesColor(contact), strokeWidth: 2, clip: true }),
        ),
        result.mu_stick_at === null ? [] : Plot.dot([result.mu_stick_at], { x: "time", y: "value", r: 5, fill: color("ink"), stroke: "var(--paper)", className: "largest" }),
      ],
      spots: { list: shown.map((point): Spot => ratioSpot(point, names, top)), along: "x" },
    }),
    loaded.length > 1 && make("div", { class: "legend" }, loaded.map((contact) => chip(names[contact]!, seriesColor(contact)))),
  );
}

function ratioSpot({ time, ratio, contact }: Ratio, names: string[], top: number): Spot {
  const none = Number.isNaN(ratio);
  return {
    x: time,
    y: none ? 0 : Math.min(top, ratio),
    tell: () => [names[contact]!, withUnit(time, "s"), none ? "no normal force" : `ratio ${number(ratio)}`],
  };
}

const stickSentence = ({ mu_stick }: Gait): string => (mu_stick === null ? "No contact sticks." : `Sticking needs ${number(mu_stick)}.`);

function ratiosOf(motion: Motion, contact: number): Ratio[] {
  const normal = motion.find("force_n", contact);
  const tangential = motion.find("force_t", contact);
  if (!normal || !tangential) return [];
  const fn = motion.values(normal.key);
  const ft = motion.values(tangential.key);
  const points: Ratio[] = [];
  for (let row = 0; row < motion.rows; ++row) {
    // The last row of a period is the first of the next one, in new names.
    if (row > 0 && row === motion.rows - 1 && motion.time[row] === motion.time[row - 1]) continue;
    points.push({ time: motion.time[row]! - motion.begin, ratio: fn[row]! > 0 ? Math.abs(ft[row]!) / fn[row]! : Number.NaN, contact });
  }
  return points;
}

interface Strip {
  row: number;
  from: number;
  to: number;
  number: number;
}

/** When a small slip of a sticking contact would meet p < 0: a strip per contact and direction. */
export function exposureChart(result: Gait): Child {
  const cases = result.exposure_cases;
  if (cases.length === 0) return make("p", {}, "At no time would a small slip of a sticking contact meet the paradox (p < 0).");
  const rows = [...new Set(cases.map(({ contact, direction }) => rowName(contact, direction)))];
  const strips = cases.flatMap((exposed): Strip[] => {
    const row = rows.indexOf(rowName(exposed.contact, exposed.direction));
    const strip = (number: number) => ([from, to]: Interval): Strip => ({ row, from, to, number });
    return [...exposed.inconsistent.map(strip(4)), ...exposed.indeterminate.map(strip(3))];
  });
  const told = cases.map(({ contact, direction, time: [from, to] }) => `${rowName(contact, direction)} from ${number(from)} to ${withUnit(to, "s")}`);
  return make(
    "div",
    {},
    chart({
      title: "Exposure: when a small slip would meet the paradox",
      description: `Times at which a small slip of a sticking contact would meet p < 0: ${list(told)}.`,
      x: { label: "time (s)", domain: [0, result.period] },
      y: { label: null, domain: [-0.5, rows.length - 0.5], ticks: rows.map((_, i) => i), tickFormat: (i: number) => rows[i] ?? "", grid: false, tickSize: 0 },
      height: 62 + 26 * rows.length,
      plot: { marginLeft: kMarginLeft, marginTop: 6 },
      marks: () => [
        Plot.rect(strips, { x1: "from", x2: "to", y1: (strip: Strip) => strip.row - 0.38, y2: (strip: Strip) => strip.row + 0.38, fill: (strip: Strip) => caseColor(strip.number), fillOpacity: kTileOpacity, stroke: (strip: Strip) => caseColor(strip.number) }),
        Plot.frame({ stroke: "var(--line)" }),
      ],
      spots: {
        list: strips.map((strip) => ({
          x: (strip.from + strip.to) / 2,
          y: strip.row,
          tell: () => [rows[strip.row]!, `${number(strip.from)} to ${withUnit(strip.to, "s")}`, `case ${strip.number}: ${kCaseWords[strip.number]}`],
        })),
      },
    }),
    make("div", { class: "legend" }, [...new Set(strips.map((strip) => strip.number))].map((found) => tileChip(`${found}: ${kCaseWords[found]}`, caseColor(found)))),
  );
}

const rowName = (contact: string, direction: string): string => `${contact} ${direction === "-" ? "\u2212" : direction}t`;

/** The multipliers in the complex plane, with the unit circle. */
export function multiplierChart(multipliers: Complex[]): HTMLElement {
  const size = 1.15 * Math.max(1.1, ...multipliers.map(([re, im]) => Math.hypot(re, im)));
  const circle = Array.from({ length: 181 }, (_, i): Complex => [Math.cos((i * Math.PI) / 90), Math.sin((i * Math.PI) / 90)]);
  const inside = ([re, im]: Complex): boolean => Math.hypot(re, im) < 1;
  const shade = (multiplier: Complex): string => color(inside(multiplier) ? "verdict-stable" : "verdict-unstable");
  const told = multipliers.map(([re, im]) => complex(re, im));
  return make(
    "div",
    { class: "square" },
    chart({
      title: "",
      description: `The multipliers ${list(told)} in the complex plane with the unit circle.`,
      x: { label: "real part", domain: [-size, size], ticks: 5 },
      y: { label: "imaginary part", domain: [-size, size], grid: false, ticks: 5 },
      height: "square",
      marks: () => [
        Plot.line(circle, { fill: "var(--soft)", fillOpacity: 0.08, stroke: "var(--soft)" }),
        Plot.ruleX([0], { stroke: "var(--line)" }),
        Plot.ruleY([0], { stroke: "var(--line)" }),
        Plot.dot(multipliers, { r: 6, fill: shade, stroke: "var(--paper)", strokeWidth: 1.5, className: "multipliers" }),
      ],
      spots: { list: multipliers.map(([re, im]) => ({ x: re, y: im, tell: () => [complex(re, im), `modulus ${number(Math.hypot(re, im))}`] })) },
      values: { head: ["real part", "imaginary part", "modulus"], rows: multipliers.map(([re, im]) => [number(re, 8), number(im, 8), number(Math.hypot(re, im), 8)]) },
    }),
  );
}

export const complex = (re: number, im: number): string =>
  im === 0 ? number(re) : `${number(re)} ${im < 0 ? "\u2212" : "+"} ${number(Math.abs(im))}\u202fi`;
