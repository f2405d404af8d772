// The palette of all pages: a meaning has the same colour everywhere. The hues are those of Okabe and Ito, which readers with any colour
// vision can tell apart, with a darker and a lighter shade for the two schemes. Colour is never the only sign: letters and words stand
// beside it.

type Shades = readonly [light: string, dark: string];

const kBlue: Shades = ["#0067a5", "#58a6e8"];
const kGreen: Shades = ["#007f5f", "#2cc295"];
const kOrange: Shades = ["#a86a00", "#efaf2f"];
const kVermilion: Shades = ["#c2410c", "#ff8052"];
const kPurple: Shades = ["#a8427f", "#e08fc0"];
const kSky: Shades = ["#1f86b8", "#7fcdf5"];
const kSlate: Shades = ["#3f4a59", "#c3ccd8"];
const kGrey: Shades = ["#6b7481", "#8b95a3"];

/** Name of a colour -> its shades. Names with a dash are looked up as `case-3`, `mode-S`, `event-jam`, `verdict-stable`. */
const kColors = {
  "case-0": kGrey, // no such state
  "case-1": kBlue, // goes on sliding
  "case-2": kGreen, // lifts off
  "case-3": kOrange, // several answers
  "case-4": kVermilion, // none

  "mode-F": ["#a3acb8", "#596370"], // the usual absence of a contact stays quiet
  "mode-S": kSlate,
  "mode-P": kSky,
  "mode-N": kPurple,

  "event-touchdown": kBlue,
  "event-graze": kBlue,
  "event-impact": kBlue,
  "event-tangential-impact": kVermilion,
  "event-liftoff": kGreen,
  "event-stick": kSlate,
  "event-slip": kSky,
  "event-slip-reversal": kPurple,
  "event-jam": kVermilion,
  "event-inconsistent": kVermilion,
  "event-indeterminate": kOrange,
  "event-paradox": kOrange,
  "event-zeno": kPurple,
  "event-rest": kGrey,

  "verdict-stable": kBlue,
  "verdict-unstable": kVermilion,
  "verdict-infeasible": kGrey,
  "verdict-painleve": kPurple,
  "verdict-marginal": kOrange,
  "verdict-undecided": kSlate,
  "verdict-consistent": kBlue,
  "verdict-indeterminate": kOrange,
  "verdict-inconsistent": kVermilion,
  "verdict-colliding": kPurple,
  "verdict-agrees": kBlue,
  "verdict-differs": kVermilion,
  "verdict-under-determined": kGrey,
  "verdict-erratum": kOrange,
  "verdict-failed": kPurple,

  "outcome-stick": kSlate,
  "outcome-separate": kGreen,
  "outcome-impact": kVermilion,
  "outcome-jam": kVermilion,
  "outcome-indeterminate": kOrange,
  "outcome-step": kBlue,

  "boundary-p": kVermilion,
  "boundary-b": kGreen,
  "force": kVermilion,

  "series-0": kBlue,
  "series-1": kVermilion,
  "series-2": kGreen,
  "series-3": kPurple,
  "series-4": kOrange,
  "series-5": kSky,

  ink: ["#1b212a", "#e6e9ee"],
  soft: ["#59636f", "#a0aab7"],
  line: ["#d5dae1", "#343b45"],
  paper: ["#ffffff", "#14171c"],
  raised: ["#f6f7f9", "#1c2027"],
  body: ["#dfe5ec", "#39424e"],
} as const satisfies Record<string, Shades>;

export type ColorName = keyof typeof kColors;

const kUnknown: ColorName = "soft";
const known = (name: string): ColorName => (name in kColors ? (name as ColorName) : kUnknown);

/** For HTML and SVG: follows the scheme by itself. */
export const color = (name: string): string => `var(--${known(name)})`;

/** For a canvas: the shade of the scheme that holds now. */
export const ink = (name: string): string => kColors[known(name)][isDark() ? 1 : 0];

export const caseColor = (number: number): string => color(`case-${number}`);
export const eventColor = (type: string): string => color(`event-${type}`);
export const verdictColor = (verdict: string): string => color(`verdict-${verdict}`);
export const seriesColor = (i: number): string => color(`series-${i % 6}`);

/** A mode word's colours, one per contact: several contacts are drawn as strips side by side. */
export const wordColors = (word: string): string[] => [...word].map((letter) => color(`mode-${letter}`));

/** What the letters and numbers mean, beside their colours. */
export const kCaseWords: Record<number, string> = {
  0: "no such state",
  1: "goes on sliding",
  2: "lifts off",
  3: "several answers",
  4: "no answer",
};
export const kModeWords: Record<string, string> = { F: "free", S: "stick", P: "slip along +t", N: "slip along \u2212t" };

/** A sign for each type of event, so that it is known without its colour. */
export const kEventSigns: Record<string, string> = {
  touchdown: "▾",
  graze: "⌣",
  impact: "▼",
  "tangential-impact": "◆",
  liftoff: "▲",
  stick: "■",
  slip: "▸",
  "slip-reversal": "◂",
  jam: "✖",
  inconsistent: "⊘",
  indeterminate: "?",
  paradox: "!",
  zeno: "≋",
  rest: "●",
};

/** Writes the palette into the page as CSS variables; light-dark() follows color-scheme, also in print. */
export function installPalette(): void {
  const lines = Object.entries(kColors).map(([name, [light, dark]]) => `--${name}:light-dark(${light},${dark});`);
  const style = document.createElement("style");
  style.textContent = `:root{${lines.join("")}}`;
  document.head.append(style);
}

const kPrint = matchMedia("print");
const kPrefersDark = matchMedia("(prefers-color-scheme: dark)");

/** True if the dark scheme holds: as chosen on the page, else as in the system; never in print. */
export function isDark(): boolean {
  if (kPrint.matches) return false;
  const chosen = document.documentElement.dataset["scheme"];
  return chosen === undefined ? kPrefersDark.matches : chosen === "dark";
}

const listeners: (() => void)[] = [];

/** Calls when the colours may have changed. Only canvases need it; all else follows by itself. */
export function onSchemeChange(listener: () => void): void {
  listeners.push(listener);
}

export function setScheme(scheme: "light" | "dark"): void {
  document.documentElement.dataset["scheme"] = scheme;
  for (const listener of listeners) listener();
}

for (const query of [kPrint, kPrefersDark])
  query.addEventListener("change", () => {
    for (const listener of listeners) listener();
  });
