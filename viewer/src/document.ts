// The document a page shows, as the program writes it. Version of the format: kPageVersion.

export const kPageVersion = 1;

export type Verb = "simulate" | "classify" | "paradox" | "critical-friction" | "stability" | "stability-map" | "outcomes" | "gait" | "impact" | "jam" | "reproduce";

export type Point = [x: number, y: number];

export interface SlipstickDocument {
  program: string;
  version: string;
  page: number;
  verb: Verb;
  command: string;
  /** Of `reproduce`, which is about many models: a title and no name. */
  model: {
    name: string;
    title: string;
    source: string;
    coordinates: { name: string; unit: string; rate_unit: string }[];
    contacts: string[];
  };
  settings: string[];
  notices: string[];
  /** The document of `slipstick VERB --json` (docs/formats.md); each page knows its own. */
  result: Record<string, unknown>;
  scene: Scene | null;
  motion: MotionDocument | null;
}

/** The mechanism at rest: what is drawn, in the frames of the bodies. Lengths in m, y up. */
export interface Scene {
  bodies: { name: string; hulls: Point[][]; masses: [x: number, y: number, mass: number][] }[];
  joints: { body: number; at: Point }[];
  surfaces: { name: string; point: Point; tangent: Point; normal: Point; moves: boolean }[];
  contacts: {
    name: string;
    body: number;
    surface: number;
    at: Point;
    radius: number;
    mu: number;
    mu_s: number;
    bilateral: boolean;
  }[];
  springs: { from: Anchor; to: Anchor }[];
  gravity: Point;
  /** A typical length of the mechanism [m]. */
  size: number;
}

/** A point of a body, or of the world where body is -1. */
export interface Anchor {
  body: number;
  at: Point;
}

export interface MotionDocument {
  runs: RunDocument[];
  regions: Region[];
}

export type QuantityGroup = "coordinate" | "rate" | "gap" | "slip" | "force_n" | "force_t" | "p" | "b" | "energy" | "observable";

/** Columns are base64 of little-endian arrays: time Float64, mode Uint16, all others Float32. */
export interface RunDocument {
  rows: number;
  modes: string[];
  mode: string;
  time: string;
  quantities: { key: string; group: QuantityGroup; contact?: number; unit: string; data: string }[];
  poses: { x: string; y: string; angle: string }[];
  travel: (string | null)[];
}

/** A plane of two quantities with the Coulomb case of every cell; 0: no such state. */
export interface Region {
  x: string;
  y: string;
  /** The contact that slides, and along +t (P) or -t (N). */
  contact?: number;
  slip?: string;
  values_x: number[];
  values_y: number[];
  cases: number[][];
  boundaries: { of: "p" | "b"; points: Point[] }[];
}

/** An event of `simulate` or `gait`. */
export interface SlipstickEvent {
  time: number;
  type: string;
  contacts: string[];
  modes_before: string;
  modes_after: string;
  energy_before: number;
  energy_after: number;
  law?: string;
  impulse_n?: number[];
  impulse_t?: number[];
  exponent?: number;
  impacts?: number;
  ratio?: number;
  policy?: string;
  alternatives?: string[];
  /** The alternatives and what was taken, for people. */
  alternatives_text?: string[];
  taken_text?: string;
  /** The margins that reached zero. */
  guards?: { type: string; contacts: string[] }[];
  potential_energy?: number;
  /** From the start until just after the event [J]. */
  balance?: Record<string, number>;
  dissipated?: number;
  notes?: string[];
}

export interface RunEnd {
  reason: string;
  time: number;
  detail?: string;
}

/** A run of `simulate`; `id` and what follows only where a policy branched. */
export interface RunResult {
  events: SlipstickEvent[];
  end: RunEnd;
  state: Record<string, number>;
  id?: number;
  parent?: number | null;
  choice?: string | null;
  choice_text?: string;
  merged_into?: number;
}

/** Why a document cannot be shown, or null if it can. */
export function findFault(value: unknown): string | null {
  if (value === null || value === undefined) return "This page holds no result. The program writes one with --report.";
  const document = value as Partial<SlipstickDocument>;
  if (typeof value !== "object" || document.program !== "slipstick") return "The document in this page was not written by slipstick.";
  if (document.page !== kPageVersion) {
    const made = document.version === undefined ? "" : ` (written by slipstick ${document.version})`;
    return `This page shows documents of version ${kPageVersion}; this one is of version ${String(document.page)}${made}.`;
  }
  return null;
}

export const decodeFloat32 = (text: string): Float32Array => new Float32Array(decodeBytes(text));
export const decodeFloat64 = (text: string): Float64Array => new Float64Array(decodeBytes(text));
export const decodeUint16 = (text: string): Uint16Array => new Uint16Array(decodeBytes(text));

function decodeBytes(text: string): ArrayBuffer {
  const bytes = atob(text);
  const buffer = new Uint8Array(bytes.length);
  for (let i = 0; i < bytes.length; ++i) buffer[i] = bytes.charCodeAt(i);
  return buffer.buffer;
}
