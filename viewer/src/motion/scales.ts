// Vertical scales of curves that may grow without bound.

import type * as Plot from "@observablehq/plot";

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
}

const kSamples = 4000;

/** Of the rows begin <= row < end; the extremes of all of them, the rest of a sample. */
export function summarise(values: Float32Array, begin: number, end: number): Summary {
  let least = Infinity;
  let greatest = -Infinity;
  let missing = 0;
  for (let row = begin; row < end; ++row) {
    const value = values[row]!;
    if (Number.isNaN(value)) ++missing;
    else {
      least = Math.min(least, value);
      greatest = Math.max(greatest, value);
    }
  }
  const sample: number[] = [];
  const stride = Math.max(1, Math.floor((end - begin) / kSamples));
  for (let row = begin; row < end; row += stride) if (!Number.isNaN(values[row]!)) sample.push(values[row]!);
  sample.sort((a, b) => a - b);
  const at = (part: number): number => sample[Math.round(part * (sample.length - 1))] ?? 0;
  const sizes = sample.map(Math.abs).filter((size) => size > 0).sort((a, b) => a - b);
  return { least, greatest, low: at(0.05), high: at(0.95), typical: sizes[sizes.length >> 1] ?? 1, missing: missing / Math.max(1, end - begin) };
}

/** A curve whose peak dwarfs its ordinary values is shown on symlog unless asked otherwise. */
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
    return { type: "symlog", constant, domain: widen(least, greatest, 0.02), ticks: symlogTicks(least, greatest, constant) };
  }
  const [low, high] = kind === "clipped" ? [Math.max(least, spread(summary, -1)), Math.min(greatest, spread(summary, 1))] : [least, greatest];
  return { domain: widen(low, high, 0.06) };
}

const spread = ({ low, high, typical }: Summary, side: number): number =>
  (side > 0 ? high : low) + side * Math.max(high - low, typical);

function widen(low: number, high: number, part: number): [number, number] {
  const room = (high - low) * part || Math.abs(high) * 0.1 || 1;
  return [low - room, high + room];
}

/** Zero and powers of ten beyond the constant, few enough to read. */
function symlogTicks(least: number, greatest: number, constant: number): number[] {
  const first = Math.floor(Math.log10(constant));
  const last = Math.ceil(Math.log10(Math.max(Math.abs(least), Math.abs(greatest), constant)));
  const step = Math.max(1, Math.ceil((last - first) / 4));
  const ticks = [0];
  for (let power = first; power <= last; power += step) ticks.push(10 ** power, -(10 ** power));
  return ticks.filter((tick) => tick >= least && tick <= greatest);
}
