// Vertical scales of curves that may grow without bound.

import type * as Plot from "@observablehq/plot";
import { upperBound, type Motion } from "./motion";

export type ScaleKind = "auto" | "linear" | "symlog" | "clipped";

export interface Summary {
  least: number;
  greatest: number;
  /** Nine tenths of the values lie between. */
  low: number;
  high: number;
  /** Middle of the sizes of the values that are not 0. */
  typical: number;
  /** Share of rows without a value. */
  missing: number;
  /** True if it is infinite at a row: a jam. Such rows are left out of all numbers above. */
  unbounded: boolean;
}

const kSamples = 2000;

/** Values at even times: rows crowd where something diverges, and would outweigh the usual values. */
export function sampleEvenly(motion: Motion, key: string, from: number, to: number): number[] {
  const values = motion.values(key);
  const times = Array.from({ length: kSamples }, (_, i) => from + ((i + 0.5) / kSamples) * (to - from));
  return times.map((time) => values[motion.rowAt(time)]!).filter((value) => Number.isFinite(value)).sort((a, b) => a - b);
}

/** The middle of the sizes that are not 0, of values in order; 1 if there are none. */
export function typicalSize(values: number[]): number {
  const sizes = values.map(Math.abs).filter((size) => size > 0).sort((a, b) => a - b);
  return sizes[sizes.length >> 1] ?? 1;
}

/** A quantity from one time to another. */
export function summarise(motion: Motion, key: string, from: number, to: number): Summary {
  const values = motion.values(key);
  const begin = Math.max(0, upperBound(motion.time, from) - 1);
  const end = Math.max(begin + 1, upperBound(motion.time, to));
  let least = Infinity;
  let greatest = -Infinity;
  let missing = 0;
  let unbounded = false;
  for (let row = begin; row < end; ++row) {
    const value = values[row]!;
    if (Number.isNaN(value)) ++missing;
    else if (!Number.isFinite(value)) unbounded = true;
    else {
      least = Math.min(least, value);
      greatest = Math.max(greatest, value);
    }
  }
  const sample = sampleEvenly(motion, key, from, to);
  const at = (part: number): number => sample[Math.round(part * (sample.length - 1))] ?? 0;
  return { least, greatest, low: at(0.05), high: at(0.95), typical: typicalSize(sample), missing: missing / (end - begin), unbounded };
}

/** A curve whose peak is far above its usual values is shown on symlog unless asked otherwise. */
export function resolveScale(kind: ScaleKind, summary: Summary): Exclude<ScaleKind, "auto"> {
  if (kind !== "auto") return kind;
  const peak = Math.max(Math.abs(summary.least), Math.abs(summary.greatest));
  const usual = Math.max(Math.abs(summary.low), Math.abs(summary.high), summary.typical);
  return peak > 100 * usual ? "symlog" : "linear";
}

export function scaleOptions(kind: Exclude<ScaleKind, "auto">, summary: Summary): Plot.ScaleOptions {
  const { least, greatest } = summary;
  if (!(least <= greatest)) return { domain: [-1, 1] };
  if (kind === "symlog") {
    const constant = summary.typical;
    return { type: "symlog", constant, domain: [least < 0 ? 1.3 * least : 0, greatest > 0 ? 1.3 * greatest : 0], ticks: symlogTicks(least, greatest, constant) };
  }
  const [low, high] = kind === "clipped" ? [Math.max(least, spread(summary, -1)), Math.min(greatest, spread(summary, 1))] : [least, greatest];
  return { domain: widen(low, high) };
}

const spread = ({ low, high, typical }: Summary, side: number): number =>
  (side > 0 ? high : low) + side * Math.max(high - low, typical);

function widen(low: number, high: number): [number, number] {
  const room = 0.06 * (high - low) || Math.abs(high) * 0.1 || 1;
  return [low - room, high + room];
}

/** Zero and powers of ten, far enough apart to read. */
function symlogTicks(least: number, greatest: number, constant: number): number[] {
  const place = (value: number): number => Math.sign(value) * Math.log1p(Math.abs(value) / constant);
  const room = 0.17 * (place(Math.max(0, greatest)) - place(Math.min(0, least)));
  const ticks = [0];
  const last = Math.log10(Math.max(Math.abs(least), Math.abs(greatest)));
  let reached = 0;
  for (let power = Math.floor(Math.log10(constant)); power <= last; ++power) {
    if (place(10 ** power) - reached < room) continue;
    reached = place(10 ** power);
    ticks.push(10 ** power, -(10 ** power));
  }
  return ticks.filter((tick) => tick >= Math.min(0, least) && tick <= greatest);
}
