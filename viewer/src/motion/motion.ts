// A motion as columns over rows, decoded when they are first asked for.

import {
  decodeFloat32,
  decodeFloat64,
  decodeUint16,
  type QuantityGroup,
  type RunDocument,
  type SlipstickEvent,
} from "../document";

export interface Quantity {
  key: string;
  group: QuantityGroup | "time";
  contact?: number;
  unit: string;
}

/** An event of a path; `taken`: the choice by which the path goes on. */
export interface ShownEvent extends SlipstickEvent {
  taken?: string | undefined;
}

export interface Pose {
  x: Float32Array;
  y: Float32Array;
  angle: Float32Array;
}

/** One or more runs in order: of a tree, those from the first run to where the motion ends. */
export class Motion {
  readonly rows: number;
  readonly time: Float64Array;
  /** Per row an index into words. */
  readonly mode: Uint16Array;
  readonly words: string[] = [];
  /** First rows of runs after the first. */
  private readonly joins = new Set<number>();
  private readonly columns = new Map<string, Float32Array>();
  private readonly poses: Pose[] = [];

  constructor(
    private readonly runs: RunDocument[],
    readonly events: ShownEvent[],
  ) {
    this.rows = runs.reduce((sum, run) => sum + run.rows, 0);
    this.time = new Float64Array(this.rows);
    this.mode = new Uint16Array(this.rows);
    let row = 0;
    for (const run of runs) {
      if (row > 0) this.joins.add(row);
      const index = run.modes.map((word) => this.indexOf(word));
      this.time.set(decodeFloat64(run.time), row);
      this.mode.set(decodeUint16(run.mode).map((i) => index[i] ?? 0), row);
      row += run.rows;
    }
  }

  get begin(): number {
    return this.time[0] ?? 0;
  }
  get end(): number {
    return this.time[this.rows - 1] ?? 0;
  }

  get quantities(): Quantity[] {
    return this.runs[0]?.quantities ?? [];
  }
  quantity(key: string): Quantity | undefined {
    return this.quantities.find((quantity) => quantity.key === key);
  }
  find(group: QuantityGroup, contact?: number): Quantity | undefined {
    return this.quantities.find((quantity) => quantity.group === group && quantity.contact === contact);
  }

  values(key: string): Float32Array {
    return this.column(`quantity ${key}`, (run) => run.quantities.find((quantity) => quantity.key === key)?.data);
  }
  /** True if a quantity changes by more than rounding. */
  varies(key: string): boolean {
    const values = this.values(key);
    return values.some((value) => Math.abs(value - values[0]!) > 1e-6 * Math.abs(values[0]!) + 1e-12);
  }
  pose(body: number): Pose {
    const of = (part: keyof Pose): Float32Array => this.column(`${part} ${body}`, (run) => run.poses[body]?.[part]);
    return (this.poses[body] ??= { x: of("x"), y: of("y"), angle: of("angle") });
  }
  /** How far a surface has moved along its tangent [m]; null if it does not move. */
  travel(surface: number): Float32Array | null {
    if (!this.runs.some((run) => run.travel[surface])) return null;
    return this.column(`travel ${surface}`, (run) => run.travel[surface]);
  }

  word(row: number): string {
    return this.words[this.mode[row] ?? 0] ?? "";
  }

  /** True if values may jump from the row before to this one: at an event, or at the next run of a tree. */
  jumpsTo(row: number): boolean {
    return row > 0 && (this.time[row] === this.time[row - 1] || this.joins.has(row));
  }

  /** The last row at or before a time; the first row if there is none. */
  rowAt(time: number): number {
    return Math.max(0, upperBound(this.time, time) - 1);
  }

  /** The place of a time between rows: 3.25 is a quarter of the way from row 3 to row 4. */
  positionAt(time: number): number {
    const row = this.rowAt(time);
    if (row >= this.rows - 1) return this.rows - 1;
    const from = this.time[row]!;
    const to = this.time[row + 1]!;
    return row + (to > from ? Math.min(1, Math.max(0, (time - from) / (to - from))) : 0);
  }

  timeAt(position: number): number {
    return interpolate(this.time, position);
  }

  private column(name: string, data: (run: RunDocument) => string | null | undefined): Float32Array {
    let column = this.columns.get(name);
    if (column === undefined) {
      column = new Float32Array(this.rows).fill(Number.NaN);
      let row = 0;
      for (const run of this.runs) {
        const text = data(run);
        if (text) column.set(decodeFloat32(text), row);
        row += run.rows;
      }
      this.columns.set(name, column);
    }
    return column;
  }

  private indexOf(word: string): number {
    const known = this.words.indexOf(word);
    return known >= 0 ? known : this.words.push(word) - 1;
  }
}

/** The value at a place between rows. A place just before a jump keeps the value before it, and so does one before an unbounded value. */
export function interpolate(values: Float32Array | Float64Array, position: number): number {
  const row = Math.floor(position);
  const part = position - row;
  const value = values[row] ?? Number.NaN;
  const next = values[row + 1] ?? value;
  return part === 0 || Math.abs(next) === Infinity ? value : value + part * (next - value);
}

/** The first index whose value is greater, in values that never fall. */
export function upperBound(values: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
