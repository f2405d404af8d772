// One quantity over another, over the regions of the Coulomb cases where the document has them.

import * as Plot from "@observablehq/plot";
import { kTip, onWidth, plot } from "../chart";
import type { Point, Region } from "../document";
import { button, make, on, select } from "../dom";
import { axisLabel, withUnit } from "../format";
import { seriesColor } from "../palette";
import { boundaryKeys, casesIn, regionMarks, swapAxes } from "../regions";
import { caseChip, lineKey } from "../words";
import { thin, type PlaneCurve } from "./decimate";
import { interpolate, type Motion } from "./motion";
import type { Player } from "./player";

const kHeight = 380;
const kMargin = { left: 64, right: 18, top: 26, bottom: 36 };
const kPoints = 4000;

type Drawn = SVGSVGElement & Plot.Plot;
type Pair = { x: string; y: string };
/** The part of the plane that is shown. */
type Part = { x: [number, number]; y: [number, number] };

export function phasePlane(player: Player, others: () => Motion[], regions: Region[], contacts: string[]): HTMLElement {
  const drawing = make("div", { class: "drawing" });
  const legend = make("p", { class: "legend" });
  const dot = make("div", { class: "now" });
  const chosen = firstPair(player.motion, regions);
  let scales: { x: Plot.Scale; y: Plot.Scale } | null = null;
  let part = regionPart(player.motion, chosen, findRegion(regions, chosen.x, chosen.y));
  let width = 0;

  const draw = (): void => {
    if (width === 0) return;
    const region = findRegion(regions, chosen.x, chosen.y);
    const shown = part ?? wholePart(player.motion, chosen, region);
    const svg = drawPlane(player.motion, others(), chosen, region, shown, width);
    scales = { x: svg.scale("x")!, y: svg.scale("y")! };
    drawing.replaceChildren(svg, dot, brush);
    legend.replaceChildren(...(region ? regionLegend(region, contacts, player.motion) : []));
    move();
  };
  const move = (): void => {
    if (scales === null) return;
    const x = interpolate(player.motion.values(chosen.x), player.position);
    const y = interpolate(player.motion.values(chosen.y), player.position);
    const there = Number.isFinite(x + y);
    dot.hidden = !there || x < least(scales.x) || x > most(scales.x) || y < least(scales.y) || y > most(scales.y);
    dot.style.transform = `translate(${scales.x.apply(x)}px, ${scales.y.apply(y)}px)`;
  };
  const show = (next: Part | null): void => {
    part = next;
    draw();
  };
  const showRegions = (): void => {
    const region = findRegion(regions, chosen.x, chosen.y);
    if (region) show({ x: ends(region.values_x), y: ends(region.values_y) });
  };
  const brush = listenToBrush(drawing, (from, to) => {
    const along = (scale: Plot.Scale, a: number, b: number): [number, number] => ends([scale.invert!(a) as number, scale.invert!(b) as number]);
    if (scales) show({ x: along(scales.x, from[0], to[0]), y: along(scales.y, from[1], to[1]) });
  });
  on(drawing, { dblclick: () => show(null) });
  onWidth(drawing, (now) => {
    width = now;
    draw();
  });
  player.onMove(move);
  player.onMotion(draw);

  const choices = player.motion.quantities.map(({ key, unit }): [string, string] => [key, axisLabel(key, unit)]);
  const choose = (axis: "x" | "y") => (key: string) => {
    chosen[axis] = key;
    show(null);
  };
  return make(
    "div",
    { class: "panel" },
    make(
      "div",
      { class: "controls" },
      select("Across", choices, chosen.x, choose("x")),
      select("Up", choices, chosen.y, choose("y")),
      button("Whole motion", () => show(null)),
      regions.length > 0 && button("Regions", showRegions),
    ),
    drawing,
    legend,
    make("p", { class: "keys small soft" }, "Drag zooms; double click shows all."),
  );
}

const least = (scale: Plot.Scale): number => Math.min(...(scale.domain as number[]));
const most = (scale: Plot.Scale): number => Math.max(...(scale.domain as number[]));

function firstPair(motion: Motion, regions: Region[]): Pair {
  const region = regions.find(({ x, y }) => motion.quantity(x) && motion.quantity(y));
  if (region) return { x: region.x, y: region.y };
  const moving = motion.quantities.filter(({ group, key }) => group === "coordinate" && motion.varies(key) && motion.varies(`${key}_dot`));
  // An angle is shown first, because a displacement may grow without bound.
  const coordinate = (moving.find(({ unit }) => unit === "rad") ?? moving[0] ?? motion.quantities[0]!).key;
  return { x: coordinate, y: motion.quantity(`${coordinate}_dot`) ? `${coordinate}_dot` : coordinate };
}

function findRegion(regions: Region[], x: string, y: string): Region | undefined {
  const straight = regions.find((region) => region.x === x && region.y === y);
  const swapped = regions.find((region) => region.x === y && region.y === x);
  return straight ?? (swapped && swapAxes(swapped));
}

/** Whether the regions describe a row: their contact slides their way, and no other is closed. */
function describes(region: Region, motion: Motion, row: number): boolean {
  return [...motion.word(row)].every((letter, i) => (i === region.contact ? letter === region.slip : letter === "F"));
}

function regionLegend(region: Region, contacts: string[], motion: Motion): HTMLElement[] {
  const contact = contacts[region.contact ?? -1];
  const when = contact === undefined ? "" : `Where ${contact} slides${region.slip === undefined ? "" : ` along ${region.slip === "P" ? "+t" : "\u2212t"}`}:`;
  const others = motion.words.length > 1 || !describes(region, motion, 0);
  return [make("span", {}, when), ...casesIn(region).map(caseChip), ...boundaryKeys(region), ...(others ? [lineKey("motion in other modes, to which the cases do not apply", "var(--soft)", true)] : [])];
}

function drawPlane(motion: Motion, others: Motion[], pair: Pair, region: Region | undefined, { x, y }: Part, width: number): Drawn {
  const label = (key: string): string => axisLabel(key, motion.quantity(key)?.unit ?? "");
  const perUnit: [number, number] = [
    (width - kMargin.left - kMargin.right) / (x[1] - x[0]),
    (kHeight - kMargin.top - kMargin.bottom) / (y[1] - y[0]),
  ];
  const path = (of: Motion, stroke: string, opacity: number): Plot.Markish =>
    pathMarks(curveOf(of, pair), perUnit, stroke, opacity, (row) => region === undefined || describes(region, of, row));
  const start = { x: motion.values(pair.x)[0]!, y: motion.values(pair.y)[0]! };
  return plot(
    {
      title: `${pair.y} over ${pair.x}`,
      description: `The motion in the plane of ${pair.x} and ${pair.y}${region ? ", over the regions of the Coulomb cases" : ""}; a ring marks the start, dashes are jumps.`,
      height: kHeight,
      x: { domain: x, label: label(pair.x) },
      y: { domain: y, label: label(pair.y), grid: !region },
      plot: { marginLeft: kMargin.left, marginRight: kMargin.right, marginTop: kMargin.top, marginBottom: kMargin.bottom },
      marks: () => [
        ...(region ? regionMarks(region) : []),
        ...others.slice(0, 12).map((other) => path(other, "var(--soft)", 0.45)),
        path(motion, region ? "var(--ink)" : seriesColor(0), 1),
        Plot.dot([start], { x: "x", y: "y", r: 4, stroke: "var(--ink)", fill: "var(--paper)" }),
        hover(motion, pair, perUnit),
      ],
    },
    width,
  ) as Drawn;
}

const curveOf = (motion: Motion, { x, y }: Pair): PlaneCurve => ({ jumpsTo: (row) => motion.jumpsTo(row), x: motion.values(x), y: motion.values(y) });

/** The motion as lines, its jumps as dashes, and faint dashes in modes that the regions under it do not describe. */
function pathMarks(curve: PlaneCurve, perUnit: [number, number], stroke: string, opacity: number, described: (row: number) => boolean): Plot.Markish {
  const { jumpsTo, x, y } = curve;
  const rows = thin(curve, perUnit, kPoints);
  const after = rows.filter(jumpsTo);
  const jumped = new Set(after);
  const broken = rows.flatMap((row) => (jumped.has(row) ? [-1, row] : [row]));
  return [
    Plot.link(after, {
      x1: (row: number) => x[row - 1],
      y1: (row: number) => y[row - 1],
      x2: (row: number) => x[row],
      y2: (row: number) => y[row],
      stroke,
      strokeOpacity: 0.5 * opacity,
      strokeDasharray: "2 4",
      clip: true,
    }),
    ...[true, false].map((inside) => {
      const rows = broken.map((row) => (row >= 0 && described(row) === inside ? row : -1));
      if (rows.every((row) => row < 0)) return [];
      const faint = inside ? {} : { strokeDasharray: "3 3", stroke: "var(--soft)", className: "undescribed" };
      return Plot.line(rows, { x: (row: number) => x[row], y: (row: number) => y[row], z: null, stroke, strokeWidth: 1.5, strokeOpacity: opacity, clip: true, ...faint });
    }),
  ];
}

function hover(motion: Motion, pair: Pair, perUnit: [number, number]): Plot.Markish {
  const curve = curveOf(motion, pair);
  const { x, y } = curve;
  const rows = thin(curve, perUnit, 1000);
  const words = (row: number): string =>
    [`${withUnit(motion.time[row], "s")}`, ...[pair.x, pair.y].map((key) => `${key} ${withUnit(motion.values(key)[row], motion.quantity(key)!.unit)}`)].join("\n");
  return Plot.tip(rows, Plot.pointer({ x: (row: number) => x[row], y: (row: number) => y[row], title: words, ...kTip }));
}

/** The part of the plane with the regions, if the motion goes so far beyond them that they would be too small beside all of it. */
function regionPart(motion: Motion, pair: Pair, region: Region | undefined): Part | null {
  if (region === undefined) return null;
  const size = (values: ArrayLike<number>): number => ends(values)[1] - ends(values)[0];
  const far = size(motion.values(pair.x)) > 4 * size(region.values_x) || size(motion.values(pair.y)) > 4 * size(region.values_y);
  return far ? { x: ends(region.values_x), y: ends(region.values_y) } : null;
}

/** All of the motion, and the regions unless they are much larger. */
function wholePart(motion: Motion, pair: Pair, region: Region | undefined): Part {
  const along = (key: string, also: number[] | undefined): [number, number] => {
    const own = ends(motion.values(key));
    if (also === undefined) return widen(own);
    const both = ends([...own, ...also]);
    return both[1] - both[0] > 4 * (own[1] - own[0]) ? widen(own) : both;
  };
  return { x: along(pair.x, region?.values_x), y: along(pair.y, region?.values_y) };
}

function widen([low, high]: [number, number]): [number, number] {
  const room = 0.05 * (high - low) || 0.1 * Math.abs(high) || 1;
  return [low - room, high + room];
}

/** Least and greatest of the finite values. */
function ends(values: ArrayLike<number>): [number, number] {
  let [least, greatest] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; ++i) {
    const value = values[i]!;
    if (!Number.isFinite(value)) continue;
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
  }
  return least <= greatest ? [least, greatest] : [-1, 1];
}

/** A rectangle drawn with the pointer; gives the element that shows it. */
function listenToBrush(drawing: HTMLElement, choose: (from: Point, to: Point) => void): HTMLElement {
  const brush = make("div", { class: "brush", hidden: true });
  let start: Point | null = null;
  const place = (event: PointerEvent): Point => {
    const box = drawing.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  on(drawing, {
    pointerdown: (event) => (start = event.button === 0 ? place(event) : null),
    pointermove: (event) => {
      if (start === null) return;
      const [x, y] = place(event);
      brush.hidden = false;
      brush.style.cssText = `left:${Math.min(x, start[0])}px;top:${Math.min(y, start[1])}px;width:${Math.abs(x - start[0])}px;height:${Math.abs(y - start[1])}px`;
    },
    pointerup: (event) => {
      const end = place(event);
      if (start !== null && Math.abs(end[0] - start[0]) > 5 && Math.abs(end[1] - start[1]) > 5) choose(start, end);
      start = null;
      brush.hidden = true;
    },
    pointerleave: () => {
      start = null;
      brush.hidden = true;
    },
  });
  return brush;
}
