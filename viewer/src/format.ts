// Numbers and units as they are shown.

const kMinus = "\u2212";
const kThinSpace = "\u202f";

/** A number in at most `digits` significant digits; very large and small ones as 1.23 × 10⁴. */
export function number(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "none";
  if (!Number.isFinite(value)) return value > 0 ? "\u221e" : `${kMinus}\u221e`;
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) {
    const [mantissa = "", exponent = "0"] = value.toExponential(digits - 1).split("e");
    return `${sign(trim(mantissa))}\u202f×\u202f10${superscript(Number(exponent))}`;
  }
  return sign(String(Number(value.toPrecision(digits))));
}

/** The number with its unit: "0.21 m". */
export function withUnit(value: number | null | undefined, unit: string, digits = 4): string {
  const text = number(value, digits);
  return unit === "" || unit === "1" || text === "none" ? text : `${text}${kThinSpace}${unit}`;
}

/** Zero if the value is only the rounding error of values as large as `size`. */
export const withoutRounding = (value: number, size = 1): number => (Math.abs(value) < 1e-12 * Math.abs(size) ? 0 : value);

/** The label of an axis: "theta (rad)". */
export const axisLabel = (name: string, unit: string): string => (unit === "" || unit === "1" ? name : `${name} (${unit})`);

/** An angle in degrees, for reading beside the radians. */
export const degrees = (radians: number, digits = 4): string => `${number((radians * 180) / Math.PI, digits)}°`;

/** A whole number with thin spaces between thousands. */
export const count = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, kThinSpace);

/** "a", "a and b", "a, b and c". */
export function list(words: readonly string[], joint = "and"): string {
  if (words.length < 2) return words[0] ?? "";
  return `${words.slice(0, -1).join(", ")} ${joint} ${words[words.length - 1]}`;
}

const sign = (text: string): string => text.replace(/^-/, kMinus);
const trim = (text: string): string => (text.includes(".") && !text.includes("e") ? text.replace(/\.?0+$/, "") : text);
const superscript = (value: number): string => [...String(value)].map((c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)])).join("");
