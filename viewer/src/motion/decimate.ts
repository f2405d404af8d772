// Fewer points for the same picture.

import { upperBound } from "./motion";

export interface Curve {
  x: number[];
  y: number[];
}

/**
 * The rows from one time to another, as first, least, greatest and last value of every pixel column, and one row without a value where
 * there is one: no extreme and no gap is lost.
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
    if (!Number.isFinite(value)) gap = row;
    else {
      if (least < 0 || value < values[least]!) least = row;
      if (greatest < 0 || value > values[greatest]!) greatest = row;
    }
  }
  const kept = new Set([i, least, greatest, end - 1].filter((row) => row >= 0));
  if (gap >= 0) kept.add(gap);
  for (const row of [...kept].sort((a, b) => a - b)) push(curve, time[row]!, values[row]!);
}

/** A curve in a plane, which may jump from one row to the next. */
export interface PlaneCurve {
  jumpsTo: (row: number) => boolean;
  x: Float32Array;
  y: Float32Array;
}

/** Rows such that straight lines between them depart from the curve by less than a pixel, with both sides of every jump among them. `scale` is in px per unit. About `bound` rows at most. */
export function thin(curve: PlaneCurve, scale: [number, number], bound: number): number[] {
  let kept = keepBends(curve, scale, 0.3);
  for (let tolerance = 0.6; kept.length > bound && tolerance < 1000; tolerance *= 2) kept = keepBends(curve, scale, tolerance);
  return kept;
}

/** Cone intersection: from each kept row as far as one direction passes within `tolerance` [px] of all rows between. */
function keepBends({ jumpsTo, x, y }: PlaneCurve, scale: [number, number], tolerance: number): number[] {
  const kept: number[] = [];
  let cone: Cone | null = null;
  for (let row = 0; row < x.length; ++row) {
    if (!Number.isFinite(x[row]! + y[row]!)) {
      // The curve ends at the row before; one row without a value keeps the gap.
      if (cone !== null) kept.push(...(row - 1 > kept[kept.length - 1]! ? [row - 1, row] : [row]));
      cone = null;
      continue;
    }
    const at: [number, number] = [x[row]! * scale[0], y[row]! * scale[1]];
    if (cone !== null && jumpsTo(row)) {
      if (row - 1 > kept[kept.length - 1]!) kept.push(row - 1);
      kept.push(row);
      cone = openCone(at[0], at[1]);
      continue;
    }
    if (cone !== null && narrow(cone, at, tolerance)) continue;
    if (cone !== null && row - 1 > kept[kept.length - 1]!) {
      const last = row - 1;
      kept.push(last);
      cone = openCone(x[last]! * scale[0], y[last]! * scale[1]);
      narrow(cone, at, tolerance);
      continue;
    }
    kept.push(row);
    cone = openCone(at[0], at[1]);
  }
  if (cone !== null && kept[kept.length - 1] !== x.length - 1) kept.push(x.length - 1);
  return kept;
}

/** Directions from a point that still pass all points so far. */
interface Cone {
  x: number;
  y: number;
  reach: number;
  direction: number;
  low: number;
  high: number;
}

const openCone = (x: number, y: number): Cone => ({ x, y, reach: 0, direction: Number.NaN, low: -Infinity, high: Infinity });

/** Narrows the cone to pass the point too; false, and nothing changed, if it cannot or the curve turns back. */
function narrow(cone: Cone, [x, y]: [number, number], tolerance: number): boolean {
  const distance = Math.hypot(x - cone.x, y - cone.y);
  if (distance <= tolerance) return distance >= cone.reach - tolerance;
  if (distance < cone.reach) return false;
  const angle = Math.atan2(y - cone.y, x - cone.x);
  const direction = Number.isNaN(cone.direction) ? angle : cone.direction;
  const off = angle - direction - 2 * Math.PI * Math.round((angle - direction) / (2 * Math.PI));
  if (off < cone.low || off > cone.high) return false;
  const half = Math.asin(Math.min(1, tolerance / distance));
  cone.reach = distance;
  cone.direction = direction;
  cone.low = Math.max(cone.low, off - half);
  cone.high = Math.min(cone.high, off + half);
  return true;
}

/** An unbounded value cannot be drawn: the curve breaks there. */
function push(curve: Curve, x: number, y: number): void {
  curve.x.push(x);
  curve.y.push(Number.isFinite(y) ? y : Number.NaN);
}
