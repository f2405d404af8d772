// Parts without a page: they run in the test itself.

import { expect, test } from "@playwright/test";
import type { MotionDocument, RunResult } from "../src/document";
import { count, degrees, list, number, withUnit } from "../src/format";
import { decimate, thin } from "../src/motion/decimate";
import { interpolate, Motion, upperBound } from "../src/motion/motion";
import { makePaths } from "../src/motion/paths";
import { resolveScale, scaleOptions, summarise } from "../src/motion/scales";
import { makeRun } from "./fixtures/motion";

test("numbers are written in few digits, with true signs and powers", () => {
  expect(number(0.1 + 0.2)).toBe("0.3");
  expect(number(-48051)).toBe("−48050");
  expect(number(1.5e-7)).toBe("1.5\u202f×\u202f10⁻⁷");
  expect(number(Number.NaN)).toBe("none");
  expect(number(-Infinity)).toBe("−∞");
  expect(withUnit(2, "m/s")).toBe("2\u202fm/s");
  expect(degrees(Math.PI / 4)).toBe("45°");
  expect(count(1234567)).toBe("1\u202f234\u202f567");
  expect(list(["a", "b", "c"], "or")).toBe("a, b or c");
});

test("a place between rows, and the rows of a time that occurs twice", () => {
  const rows = [0, 1, 1, 3].map((time, i) => ({ time, word: "P", values: { x: 10 * i } }));
  const motion = new Motion([makeRun(rows)], []);
  expect(motion.rowAt(1)).toBe(2);
  expect(motion.rowAt(0.99)).toBe(0);
  expect(motion.positionAt(2)).toBe(2.5);
  expect(motion.timeAt(2.5)).toBe(2);
  expect(interpolate(motion.values("x"), 0.5)).toBe(5);
  expect(motion.jumpsTo(2)).toBe(true);
  expect(motion.jumpsTo(1)).toBe(false);
  expect(upperBound([1, 1, 2], 1)).toBe(2);
});

test("decimation keeps every extreme and every gap, and few points a column", () => {
  const rows = 50_000;
  const time = Float64Array.from({ length: rows }, (_, i) => i / rows);
  const values = Float32Array.from(time, (t) => Math.sin(40 * t));
  values[12_345] = 9;
  values[34_567] = -9;
  values.fill(Number.NaN, 20_000, 20_010);
  const { x, y } = decimate(time, values, 0, 1, 300);
  expect(x.length).toBeLessThanOrEqual(5 * 301);
  expect(y).toContain(9);
  expect(y).toContain(-9);
  expect(y.some(Number.isNaN)).toBe(true);
  expect(x.every((value, i) => i === 0 || value >= x[i - 1]!)).toBe(true);
});

test("a thinned plane curve departs from the whole one by less than a pixel and keeps its jumps", () => {
  const rows = 20_000;
  const angle = (row: number): number => (row / rows) * 30;
  const x = Float32Array.from({ length: rows }, (_, row) => Math.cos(angle(row)) * (1 + row / rows));
  const y = Float32Array.from({ length: rows }, (_, row) => Math.sin(angle(row)) * (1 + row / rows));
  const jump = 7_777;
  const scale: [number, number] = [200, 200];
  const kept = thin({ x, y, jumpsTo: (row) => row === jump }, scale, 5000);
  expect(kept.length).toBeLessThan(1500);
  expect(kept).toContain(jump - 1);
  expect(kept).toContain(jump);
  let worst = 0;
  for (let i = 1; i < kept.length; ++i) {
    const [a, b] = [kept[i - 1]!, kept[i]!];
    const [dx, dy] = [(x[b]! - x[a]!) * 200, (y[b]! - y[a]!) * 200];
    const length = Math.hypot(dx, dy);
    for (let row = a; row <= b; ++row) {
      const off = Math.abs(dx * (y[row]! - y[a]!) * 200 - dy * (x[row]! - x[a]!) * 200) / length;
      worst = Math.max(worst, off);
    }
  }
  expect(worst).toBeLessThan(1);
});

test("a force that grows without bound is shown on symlog, an ordinary one is not", () => {
  // f = 1/(1 - t): rows crowd at the end, as an integrator's do.
  const times = Array.from({ length: 2000 }, (_, i) => 1 - 10 ** (-i / 250));
  const row = (time: number, x: number) => ({ time, word: "P", values: { x } });
  const wild = new Motion([makeRun(times.map((time) => row(time, 1 / (1 - time))))], []);
  const summary = summarise(wild, "x", wild.begin, wild.end);
  expect(summary.typical).toBeGreaterThan(1);
  expect(summary.typical).toBeLessThan(3); // the middle of 1/(1 - t) over time is 2
  expect(resolveScale("auto", summary)).toBe("symlog");
  expect(scaleOptions("symlog", summary).ticks).toContain(0);
  const calm = new Motion([makeRun(times.map((time) => row(time, 1 + time)))], []);
  expect(resolveScale("auto", summarise(calm, "x", calm.begin, calm.end))).toBe("linear");
});

test("paths go from the first run to each end, through the run that one merged into", () => {
  const at = (time: number, x: number) => ({ time, word: "P", values: { x } });
  const runs = [[at(0, 0), at(1, 1)], [at(1, 1), at(2, 2)], []].map((rows) => (rows.length > 0 ? makeRun(rows) : { ...makeRun([at(0, 0)]), rows: 0, time: "", mode: "" }));
  const result = (parent: number | null, choice: string | null, more: Partial<RunResult> = {}): RunResult => ({
    parent,
    choice,
    events: [],
    end: { reason: "rest", time: 2 },
    state: {},
    ...more,
  });
  const results = [result(null, null), result(0, "slip"), result(0, "lift-off", { merged_into: 1 })];
  const paths = makePaths({ runs, regions: [] } as MotionDocument, results);
  expect(paths.map((path) => path.runs)).toEqual([[0, 1], [0, 2, 1]]);
  expect(paths[1]!.motion.rows).toBe(4);
  expect([...paths[1]!.motion.time]).toEqual([0, 1, 1, 2]);
});
