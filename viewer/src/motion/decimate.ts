// Fewer points for the same picture.

import { upperBound } from "./motion";

export interface Curve {
  x: number[];
  y: number[];
}

/**
 * The rows from one time to another, as first, least, greatest and last value of every pixel column: at most four points a column, and no
 * extreme is lost. A gap (NaN) stays a gap.
 */
export function decimate(time: Float64Array, values: Float32Array, from: number, to: number, columns: number): Curve {
  const begin = Math.max(0, upperBound(time, from) - 2);
  const end = Math.min(time.length, upperBound(time, to) + 1);
  const curve: Curve = { x: [], y: [] };
  if (end - begin <= 4 * columns) {
    for (let i = begin; i < end; ++i) push(curve, time[i]!, values[i]!);
    return curve;
  }
  const width = (to - from) / columns;
  for (let i = begin; i < end; ) {
    const border = from + (Math.floor((time[i]! - from) / width) + 1) * width;
    let next = i;
    while (next < end && (time[next]! < border || next === i)) ++next;
    pushColumn(curve, time, values, i, next);
    i = next;
  }
  return curve;
}

/** One pixel column: rows i <= row < end. */
function pushColumn(curve: Curve, time: Float64Array, values: Float32Array, i: number, end: number): void {
  let least = -1;
  let greatest = -1;
  let gap = -1;
  for (let row = i; row < end; ++row) {
    const value = values[row]!;
    if (Number.isNaN(value)) gap = row;
    else {
      if (least < 0 || value < values[least]!) least = row;
      if (greatest < 0 || value > values[greatest]!) greatest = row;
    }
  }
  const kept = new Set([i, least, greatest, end - 1].filter((row) => row >= 0));
  if (gap >= 0 && kept.size < 4) kept.add(gap);
  for (const row of [...kept].sort((a, b) => a - b)) push(curve, time[row]!, values[row]!);
}

/** Rows of a plane curve without those too near to the last one kept to be seen; `scale` is in px per unit. About `bound` rows at most. */
export function thin(x: Float32Array, y: Float32Array, scale: [number, number], bound: number): number[] {
  let kept = keepApart(x, y, scale, 0.5);
  for (let tolerance = 1; kept.length > bound && tolerance < 1000; tolerance *= 2) kept = keepApart(x, y, scale, tolerance);
  return kept;
}

function keepApart(x: Float32Array, y: Float32Array, scale: [number, number], tolerance: number): number[] {
  const kept: number[] = [];
  let lastX = Number.NaN;
  let lastY = Number.NaN;
  for (let i = 0; i < x.length; ++i) {
    const distance = Math.max(Math.abs(x[i]! - lastX) * scale[0], Math.abs(y[i]! - lastY) * scale[1]);
    // NaN on either side: the curve ends or begins here.
    if (distance < tolerance && i < x.length - 1) continue;
    if (Number.isNaN(distance) && Number.isNaN(lastX + lastY) && Number.isNaN(x[i]! + y[i]!) && i > 0) continue;
    kept.push(i);
    lastX = x[i]!;
    lastY = y[i]!;
  }
  return kept;
}

function push(curve: Curve, x: number, y: number): void {
  curve.x.push(x);
  curve.y.push(y);
}
