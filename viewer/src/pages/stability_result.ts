// The document of `stability` (docs/formats.md).

export interface End {
  kind: 1 | 2 | null;
  growth?: number;
  reduced?: number;
  scaled_growth?: number;
  reason?: string;
}

export interface Margin {
  parameter: string;
  /** Name of the contact, if the parameter is a friction coefficient. */
  contact?: string | null;
  /** Present value; null: the distances are changes from the present state. */
  value: number | null;
  below: { distance: number; verdict: string } | null;
  above: { distance: number; verdict: string } | null;
}

export interface Piece {
  from: number;
  to: number;
  path: string[];
  undefined?: string;
}

export interface Part {
  from: number;
  to: number;
  kind: string;
  growth_max: number | null;
}

export interface Stability {
  verdict: string;
  theorem: string | null;
  ambiguous_modes: string[];
  paradox: string[];
  marginal: string[];
  persistence: string | null;
  labels: string[];
  verdict_labels: string[];
  missing: string | null;
  fixed_points: { phi: number; growth: number; slope: number }[];
  ends: { minus: End; plus: End } | null;
  monotone: boolean | null;
  pieces: Piece[];
  partition: Part[];
  samples: { phi: number; reduced: number | null; growth: number | null }[];
  margins: Margin[];
  uncertain?: { box: Record<string, [number, number]>; answer: string; points: number; verdicts: string[]; borders: { between: string[]; at: unknown }[] };
}
