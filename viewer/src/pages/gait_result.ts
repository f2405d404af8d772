// The document of `gait` (docs/formats.md).

import type { SlipstickEvent } from "../document";

export type Interval = [from: number, to: number];
export type Complex = [re: number, im: number];
export type State = Record<string, number>;

export interface Extreme {
  value: number;
  time: number;
  contact: string;
}

export interface BranchPoint {
  value: number;
  state: State;
  period: number;
  multipliers: Complex[];
  stable: boolean;
  sequence: string;
}

export interface Bifurcation {
  type: string;
  parameter: string;
  value: number;
  state: State;
  multipliers: Complex[];
  before?: string;
  after?: string;
}

export interface Branch {
  branch: BranchPoint[];
  bifurcations: Bifurcation[];
  branch_end: string | null;
}

export interface Slips {
  times: number[];
  slips: number[];
  outcome: string[][];
  regained: boolean[][];
  basin: { forward: number | null; backward: number | null };
}

export interface Perturbation {
  kind: "slip" | "separation" | "push";
  name: string;
  periods: number;
  times: number[];
  sizes: number[];
  outcome: (string | null)[][];
  fate: (string | null)[][];
  regained: (boolean | null)[][];
  thresholds: { value: number; between: [string, string]; error: number }[][];
  basin: { forward: number | null; backward: number | null };
  linear: { why: (string | null)[]; multipliers: Complex[] };
}

export interface Gait extends Partial<Branch> {
  state: State | null;
  reason?: string;
  period: number;
  step_length: number | null;
  multipliers: Complex[];
  stable: boolean;
  mu_stick: number | null;
  mu_stick_at: Extreme | null;
  impulse_ratio: number | null;
  least_normal_force: Extreme | null;
  energy: { gravity: number; impacts: number; friction: number };
  exposure: Interval[];
  exposure_backward: Interval[];
  exposure_cases: { contact: string; direction: string; time: Interval; inconsistent: Interval[]; indeterminate: Interval[] }[];
  events: SlipstickEvent[];
  search: { maps: number; derivatives: number; residual: number };
  doubled?: Branch;
  slips?: Slips;
  perturbation?: Perturbation;
}
