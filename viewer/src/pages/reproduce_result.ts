// The document of `reproduce`.

import type { Point } from "../document";
import { make, type Child } from "../dom";
import { number } from "../format";

export type Value = number | string | boolean | null;

/** Calls that a reader can repeat by hand. */
interface Calls {
  runs: string[];
  from: Record<string, string>;
}

export type ClaimKind = "printed" | "formula" | "statement";

/** The result for one choice of the inputs that a paper rounds or leaves open. */
export interface Case {
  at: Record<string, number>;
  computed: Value;
}

export interface Claim extends Calls {
  paper: string;
  kind: ClaimKind;
  cases: Case[];
  where: string;
  claim: string;
  printed_as: string;
  computed: Value;
  unit: string;
  verdict: string;
  why: string;
  expression: string;
}

export interface Paper {
  paper: string;
  key: string;
  title: string;
  about: string;
  symbols: string;
}

export interface FigureAxis {
  label: string;
  unit: string;
  log: boolean;
  from?: number;
  to?: number;
}

/** Values, or why there are none. */
export interface FigureCurve extends Calls {
  name: string;
  style: "line" | "dashed" | "dots";
  expressions: { x: string[]; y: string[] };
  x?: (number | null)[];
  y?: (number | null)[];
  failure?: string;
}

export interface FigureMap {
  runs: string[];
  x?: number[];
  y?: number[];
  words?: (string | number)[][];
  borders?: { what?: string; points: Point[] }[];
  failure?: string;
}

export interface FigureMark {
  text: string;
  x?: number;
  y?: number;
}

export interface Figure {
  paper: string;
  where: string;
  shows: string;
  why: string;
  x: FigureAxis;
  y: FigureAxis;
  equal_scales: boolean;
  curves: FigureCurve[];
  map?: FigureMap;
  /** Numbers of the paper. */
  printed: FigureMark[];
  /** What else is needed to read the figure: assumed values, names of regions. */
  marks: FigureMark[];
}

/** The calls, the values taken from their documents, and what is computed from these. */
export const tellCalls = ({ runs, from }: Calls, made: string[]): string =>
  [...runs.map((run) => `${run} --json`), ...Object.entries(from).map(([name, pointer]) => `${name} = ${pointer}`), ...made].join("\n");

export const how = (text: string): Child => text !== "" && make("details", {}, make("summary", { class: "small soft" }, "how"), make("pre", { class: "small" }, text));

/** Over the inputs: the least and the largest number, or how often each word. */
export function overInputs({ cases, unit }: Claim): string {
  if (cases.length === 0) return "";
  const values = cases.map(({ computed }) => computed);
  const numbers = values.filter((value): value is number => typeof value === "number");
  const words = [...new Set(values.filter((value) => typeof value !== "number"))];
  const parts = words.map((word) => `${String(word)} in ${values.filter((value) => value === word).length} of ${values.length} cases`);
  if (numbers.length > 0) parts.unshift(`${number(Math.min(...numbers), 6)} to ${measured(number(Math.max(...numbers), 6), unit)}`);
  return `${parts.join(", ")} over ${Object.keys(cases[0]!.at).join(", ")}`;
}

export const measured = (value: Value, unit: string): string => {
  if (value === null) return "–";
  const text = typeof value === "number" ? number(value, 8) : String(value);
  return unit === "" ? text : `${text} ${unit}`;
};
