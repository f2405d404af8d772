// The document of `slipstick jam --json`.

export interface JamEnd {
  /** Null: the state does not slide. */
  outcome: string | null;
  time: number;
  state: Record<string, number> | null;
  exponent: number | null;
  contacts: string[];
  candidates?: string[];
  coordinate?: string;
  reason?: string;
}

export interface Frictions {
  mu_min: number | null;
  at: Record<string, number> | null;
  mu_jam: number | null;
  mu_jam_at: Record<string, number> | null;
  mu_jam_reason: string | null;
}

export interface JamPoint {
  state: Record<string, number>;
  eigenvalues: (number | null)[];
  ratio: number | null;
  exponent: number | null;
  type: "jam" | "passes" | "lift-off" | "saddle" | "leaves";
  in_range: boolean;
}

export interface Jam extends JamEnd, Frictions {
  then: JamEnd[];
  critical_slip: number | null;
  critical_slip_reason: string | null;
  least_slip: number | null;
  least_slip_reason: string | null;
  jam: JamPoint | null;
  range: Record<string, [number, number]>;
  points: JamPoint[];
  points_reason: string | null;
  unrestricted: Frictions | null;
  motion: Record<"time" | "p" | "b" | "force_n" | "centre_t" | "centre_n", (number | null)[]>;
  from?: JamSet;
  prevent?: Prevention;
}

/** Outcomes over one, two or more axes. */
export interface JamSet {
  axes: { name: string; values: number[] }[];
  labels: string[];
  grid?: (number | null)[] | (number | null)[][];
  intervals?: { from: number; to: number; outcome: string; critical_slip: [number, number] | null; least_slip: [number, number] | null }[];
  borders?: { between: [string, string]; points: [number, number][] }[];
  counts: Record<string, number>;
}

export interface PreventionBorder {
  now: string;
  value: number | null;
  impossible: string | null;
  reason: string | null;
}

export interface Prevention {
  parameter: string;
  value: number;
  mu: number;
  paradox: PreventionBorder;
  jam: PreventionBorder;
  curve: Record<"value" | "mu" | "mu_min" | "mu_jam", (number | null)[]>;
}
