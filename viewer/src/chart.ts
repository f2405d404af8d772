// Observable Plot in the style of these pages: plain axes with units, a width that follows the page, descriptions for screen readers.

import * as Plot from "@observablehq/plot";
import { make, table, type Child } from "./dom";
import { number } from "./format";
import { makeExplorer, type Drawn, type Spots } from "./explore";

export interface ChartOptions {
  /** Heading above the chart; empty for none. */
  title: string;
  /** What is seen, in a sentence or two: the text for screen readers. */
  description: string;
  x: Plot.ScaleOptions;
  y: Plot.ScaleOptions;
  /** Height of the drawing [px]; "square": as high as wide between the axes. */
  height?: number | "square";
  /** Called for every new width [px]. */
  marks: (width: number) => Plot.Markish[];
  /** Other options of Plot.plot: margins, color, r, ... */
  plot?: Plot.PlotOptions;
  /** The values that can be read with pointer and keys. */
  spots?: Spots;
  /** The same values as a table, folded away. */
  values?: { head: string[]; rows: Child[][] };
}

/** A figure that draws itself when its width is known and again when it changes. */
export function chart(options: ChartOptions): HTMLElement {
  const canvas = make("div", { class: "drawing" });
  const explorer = options.spots && makeExplorer(canvas, options.spots);
  if (explorer) setName(canvas, options);
  onWidth(canvas, (width) => {
    const drawn = plot(options, width);
    canvas.replaceChildren(drawn, ...(explorer ? [explorer.note] : []));
    explorer?.attach(drawn as Drawn);
  });
  return make(
    "figure",
    { class: "chart" },
    options.title !== "" && make("figcaption", {}, options.title),
    canvas,
    options.values && valuesBelow(options.title, options.values),
  );
}

const kMargins = { marginLeft: 56, marginRight: 16, marginTop: 22, marginBottom: 36 };

/** The SVG of a chart of the given width. */
export function plot(options: ChartOptions, width: number): SVGSVGElement {
  const { ticks = Math.max(2, Math.min(8, Math.round(width / 110))), ...x } = options.x;
  const height = options.height === "square" ? width - kMargins.marginLeft - kMargins.marginRight + kMargins.marginTop + kMargins.marginBottom : (options.height ?? 260);
  const drawn = Plot.plot({
    width,
    height,
    ...kMargins,
    ariaLabel: options.title || options.description,
    ariaDescription: options.description,
    x: { labelAnchor: "right", labelArrow: "none", tickSize: 4, ...x, ticks },
    y: { labelAnchor: "top", labelArrow: "none", tickSize: 4, grid: true, ticks: Math.max(3, Math.round(height / 52)), tickFormat: (value: number) => number(value).replaceAll("\u202f", ""), ...options.y },
    style: { overflow: "visible", fontSize: "var(--small)", fontFamily: "inherit", background: "transparent", color: "var(--soft)" },
    ...options.plot,
    marks: options.marks(width),
  }) as SVGSVGElement;
  drawn.setAttribute("role", "img");
  // For screen readers the whole is one image with one description. Plot's names of its parts serve style and tests only.
  for (const part of drawn.querySelectorAll<SVGElement>("[aria-label]")) {
    part.dataset["mark"] = part.getAttribute("aria-label")!;
    part.removeAttribute("aria-label");
  }
  return drawn;
}

/** Options of a tip that shows `title` at the nearest point. */
export const kTip: Plot.TipOptions = { fill: "var(--raised)", stroke: "var(--line)", textPadding: 6, pointerSize: 6 };

/** Calls with the element's width [px] when it is first known and whenever it changes. */
export function onWidth(element: HTMLElement, draw: (width: number) => void): void {
  let last = 0;
  const check = (): void => {
    const width = Math.floor(element.clientWidth);
    if (width > 0 && width !== last) draw((last = width));
  };
  new ResizeObserver(() => requestAnimationFrame(check)).observe(element);
}

function setName(canvas: HTMLElement, options: ChartOptions): void {
  canvas.setAttribute("role", "group");
  canvas.setAttribute("aria-label", `${options.title || options.description} Arrow keys read values.`);
}

function valuesBelow(title: string, values: { head: string[]; rows: Child[][] }): HTMLElement {
  const numeric = values.head.map((_, i) => i);
  return make("details", {}, make("summary", {}, "Values"), table(title, values.head, values.rows, numeric));
}
