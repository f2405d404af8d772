// Along the sliding: p and b on their way to zero, and the acceleration centre on its way to the jamming line.

import * as Plot from "@observablehq/plot";
import { chart } from "../chart";
import { make } from "../dom";
import { number, withUnit } from "../format";
import { color, seriesColor } from "../palette";
import { chip, lineKey } from "../words";
import type { Jam } from "./jam_result";

interface Row {
  time: number;
  p: number;
  b: number;
}

/** p and b, each by its own largest value: both reach zero at a jam. */
export function pathChart({ motion }: Jam): HTMLElement {
  const largest = (values: (number | null)[]): number => Math.max(...values.map((value) => Math.abs(value ?? 0))) || 1;
  const [size_p, size_b] = [largest(motion.p), largest(motion.b)];
  const rows = motion.time.map((time, i): Row => ({ time: time ?? 0, p: motion.p[i] ?? Number.NaN, b: motion.b[i] ?? Number.NaN }));
  const lines = [
    { name: "p", size: size_p, unit: "1/kg", stroke: seriesColor(0), of: (row: Row) => row.p },
    { name: "b", size: size_b, unit: "m/s²", stroke: seriesColor(1), of: (row: Row) => row.b },
  ];
  return make(
    "div",
    {},
    chart({
      title: "p and b on the way",
      description: "The normal acceleration per normal force, p, and without the contact force, b, over time, each divided by its largest value. Sliding needs p > 0 > b; both vanish together at a jam.",
      x: { label: "time (s)", domain: [rows[0]!.time, rows[rows.length - 1]!.time] },
      y: { label: "of its largest value" },
      marks: () => [
        Plot.ruleY([0], { stroke: "var(--line)" }),
        lines.map(({ size, stroke, of }) => Plot.line(rows, { x: "time", y: (row: Row) => of(row) / size, stroke, strokeWidth: 2 })),
      ],
      spots: { list: lines.flatMap(({ name, size, unit, of }) => rows.map((row) => ({ x: row.time, y: of(row) / size, tell: () => [`${name} = ${withUnit(of(row), unit)}`, withUnit(row.time, "s")] }))), along: "x" },
    }),
    make("div", { class: "legend" }, lines.map(({ name, size, unit, stroke }) => chip(`${name} (largest ${withUnit(size, unit)})`, stroke))),
  );
}

interface Centre {
  t: number;
  n: number;
  time: number;
}

/** The acceleration centre of the body, seen from the contact. */
export function centreChart({ motion }: Jam): HTMLElement | false {
  const centres = motion.time.flatMap((time, i): Centre[] => {
    const [t, n] = [motion.centre_t[i], motion.centre_n[i]];
    return time === null || t === null || t === undefined || n === null || n === undefined ? [] : [{ t, n, time }];
  });
  if (centres.length < 2) return false;
  const last = centres[centres.length - 1]!;
  return make(
    "div",
    {},
    chart({
      title: "Acceleration centre, seen from the contact",
      description: `The point of the body that is not accelerated, from the contact along its tangent and normal. Sliding jams where it reaches the jamming line, tangential distance zero; it ends at ${number(last.t)} m.`,
      x: { label: "along the tangent (m)" },
      y: { label: "along the normal (m)" },
      height: 320,
      marks: () => [
        Plot.ruleX([0], { stroke: color("boundary-p"), strokeWidth: 2, className: "jamming-line" }),
        Plot.line(centres, { x: "t", y: "n", stroke: color("ink"), strokeWidth: 2, className: "centre" }),
        Plot.dot([last], { x: "t", y: "n", r: 5, fill: color("event-jam"), stroke: "var(--paper)" }),
      ],
      spots: { list: centres.map(({ t, n, time }) => ({ x: t, y: n, tell: () => [withUnit(time, "s"), `${number(t)} m along t`, `${number(n)} m along n`] })) },
    }),
    make("div", { class: "legend" }, lineKey("jamming line", color("boundary-p")), lineKey("acceleration centre", color("ink"))),
  );
}
