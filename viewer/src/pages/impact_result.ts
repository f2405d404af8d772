// The document of `slipstick impact`, and its outcomes as they are shown.

import { list } from "../format";

export type Range = [least: number | null, greatest: number | null];

export interface ImpulsePoint {
  impulse_n: number;
  impulse_t: number;
  gap_rate: number;
  slip: number;
}

export interface Piece {
  phase: string;
  contact: string;
  motion: string;
  impulse_n: number;
  impulse_t: number;
  end: ImpulsePoint;
}

/** c + n P_n + t P_t = 0 */
export interface Line {
  c: number;
  n: number;
  t: number;
}

export interface Plane {
  contact: string;
  mu: number;
  start: ImpulsePoint;
  sticking: Line;
  compressed: Line;
}

export interface Outcome {
  law: string;
  contacts: string[];
  modes_before: string;
  modes_after: string;
  velocity_after: Record<string, number>;
  impulse_n: number[];
  impulse_t: number[];
  family: { dimension: number; impulse_n: Range[]; impulse_t: Range[]; velocity: Record<string, Range> } | null;
  largest_jump: number | null;
  energy_before: number;
  energy_after: number;
  path: Piece[];
  planes: Plane[];
  pushed: { contact: string; gap_rate: number }[];
  notes: string[];
}

export interface Impact {
  state: Record<string, number>;
  class: string;
  kind: "none" | "collision" | "without-collision" | "jam";
  contacts: string[];
  only: string | null;
  outcomes: Outcome[];
  laws: { law: string; outcomes: number; reason: string | null }[];
  reason: string | null;
}

/** An outcome with all laws that have it. */
export interface Shown {
  laws: string[];
  outcome: Outcome;
}

/** Outcomes with the same modes, velocities, impulses and family are shown once. */
export function joinEqual(outcomes: Outcome[]): Shown[] {
  const out = new Map<string, Shown>();
  for (const outcome of outcomes) {
    const { modes_after, velocity_after, impulse_n, impulse_t, family } = outcome;
    const key = JSON.stringify([modes_after, velocity_after, impulse_n, impulse_t, family]);
    const known = out.get(key);
    if (known) known.laws.push(outcome.law);
    else out.set(key, { laws: [outcome.law], outcome });
  }
  return [...out.values()];
}

export const nameOf = ({ laws, outcome }: Shown): string => `${list(laws)}: ${outcome.modes_before} to ${outcome.modes_after}`;
