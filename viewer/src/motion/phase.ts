// One quantity over another, over the regions of the Coulomb cases where the document has them.

import * as Plot from "@observablehq/plot";
import { kTip, onWidth, plot } from "../chart";
import type { Region } from "../document";
import { make, makeSvg, select } from "../dom";
import { axisLabel, withUnit } from "../format";
import { color, seriesColor } from "../palette";
import { casesIn, regionMarks, swapAxes } from "../regions";
import { caseChip, chip } from "../words";
import { thin } from "./decimate";
import { interpolate, type Motion } from "./motion";
import type { Player } from "./player";

const kHeight = 380;
const kMargin = { left: 60, right: 18, top: 26, bottom: 36 };
const kPoints = 4000;

type Drawn = SVGSVGElement & Plot.Plot;

export function phasePlane(player: Player, others: () => Motion[], regions: Region[]): HTMLElement {
  const drawing = make("div", { class: "drawing" });
  const legend = make("p", { class: "legend" });
  const dot = makeSvg("circle", { r: 5, fill: "var(--ink)", stroke: "var(--paper)", "stroke-width": 1.5, class: "now" });
  const chosen = firstPair(player.motion, regions);
  let scales: { x: Plot.Scale; y: Plot.Scale } | null = null;
  let width = 0;

  const draw = (): void => {
    if (width === 0) return;
    const region = findRegion(regions, chosen.x, chosen.y);
    const svg = drawPlane(player.motion, others(), chosen, region, width);
    scales = { x: svg.scale("x")!, y: svg.scale("y")! };
    svg.append(dot);
    drawing.replaceChildren(svg);
    legend.replaceChildren(...(region ? regionLegend(region) : []));
    move();
  };
  const move = (): void => {
    if (scales === null) return;
    const x = interpolate(player.motion.values(chosen.x), player.position);
    const y = interpolate(player.motion.values(chosen.y), player.position);
    const there = Number.isFinite(x + y);
    dot.setAttribute("visibility", there ? "visible" : "hidden");
    if (!there) return;
    dot.setAttribute("cx", String(scales.x.apply(x)));
    dot.setAttribute("cy", String(scales.y.apply(y)));
  };
  onWidth(drawing, (now) => {
    width = now;
    draw();
  });
  player.onMove(move);
  player.onMotion(draw);

  const choices = player.motion.quantities.map(({ key, unit }): [string, string] => [key, axisLabel(key, unit)]);
  const choose = (axis: "x" | "y") => (key: string) => {
    chosen[axis] = key;
    draw();
  };
  return make(
    "div",
    { class: "panel" },
    make("div", { class: "controls" }, select("Across", choices, chosen.x, choose("x")), select("Up", choices, chosen.y, choose("y"))),
    drawing,
    legend,
  );
}

function firstPair(motion: Motion, regions: Region[]): { x: string; y: string } {
  const region = regions.find(({ x, y }) => motion.quantity(x) && motion.quantity(y));
  if (region) return { x: region.x, y: region.y };
  const coordinate = motion.quantities.find(({ group }) => group === "coordinate")?.key ?? motion.quantities[0]!.key;
  return { x: coordinate, y: motion.quantity(`${coordinate}_dot`) ? `${coordinate}_dot` : coordinate };
}

function findRegion(regions: Region[], x: string, y: string): Region | undefined {
  const straight = regions.find((region) => region.x === x && region.y === y);
  const swapped = regions.find((region) => region.x === y && region.y === x);
  return straight ?? (swapped && swapAxes(swapped));
}

function regionLegend(region: Region): HTMLElement[] {
  const kinds = new Set(region.boundaries.map(({ of }) => of));
  return [...casesIn(region).map(caseChip), ...[...kinds].map((of) => chip(`${of} = 0${of === "b" ? " (dashed)" : ""}`, color(`boundary-${of}`)))];
}

function drawPlane(motion: Motion, others: Motion[], pair: { x: string; y: string }, region: Region | undefined, width: number): Drawn {
  const label = (key: string): string => axisLabel(key, motion.quantity(key)?.unit ?? "");
  const [x, y] = [domain(motion, pair.x, region?.values_x), domain(motion, pair.y, region?.values_y)];
  const perUnit: [number, number] = [
    (width - kMargin.left - kMargin.right) / (x[1] - x[0]),
    (kHeight - kMargin.top - kMargin.bottom) / (y[1] - y[0]),
  ];
  const path = (of: Motion, stroke: string, opacity: number): Plot.Markish => {
    const rows = thin(of.values(pair.x), of.values(pair.y), perUnit, kPoints);
    return pathMark(of, pair, rows, stroke, opacity);
  };
  const start = { x: motion.values(pair.x)[0]!, y: motion.values(pair.y)[0]! };
  return plot(
    {
      title: `${pair.y} over ${pair.x}`,
      description: `The motion in the plane of ${pair.x} and ${pair.y}${region ? ", over the regions of the Coulomb cases" : ""}; a ring marks the start.`,
      height: kHeight,
      x: { domain: x, label: label(pair.x) },
      y: { domain: y, label: label(pair.y), grid: !region },
      plot: { marginLeft: kMargin.left, marginRight: kMargin.right, marginTop: kMargin.top, marginBottom: kMargin.bottom },
      marks: () => [
        ...(region ? regionMarks(region) : []),
        ...others.slice(0, 12).map((other) => path(other, "var(--soft)", 0.45)),
        path(motion, seriesColor(0), 1),
        Plot.dot([start], { x: "x", y: "y", r: 4, stroke: "var(--ink)", fill: "var(--paper)" }),
        hover(motion, pair, perUnit),
      ],
    },
    width,
  ) as Drawn;
}

function pathMark(motion: Motion, pair: { x: string; y: string }, rows: number[], stroke: string, opacity: number): Plot.Markish {
  const x = motion.values(pair.x);
  const y = motion.values(pair.y);
  return Plot.line(rows, { x: (row: number) => x[row], y: (row: number) => y[row], z: null, stroke, strokeWidth: 1.5, strokeOpacity: opacity, clip: true });
}

function hover(motion: Motion, pair: { x: string; y: string }, perUnit: [number, number]): Plot.Markish {
  const x = motion.values(pair.x);
  const y = motion.values(pair.y);
  const rows = thin(x, y, perUnit, 1000);
  const words = (row: number): string =>
    [`${withUnit(motion.time[row], "s")}`, ...[pair.x, pair.y].map((key) => `${key} ${withUnit(motion.values(key)[row], motion.quantity(key)!.unit)}`)].join("\n");
  return Plot.tip(rows, Plot.pointer({ x: (row: number) => x[row], y: (row: number) => y[row], title: words, ...kTip }));
}

function domain(motion: Motion, key: string, also: number[] | undefined): [number, number] {
  let least = Infinity;
  let greatest = -Infinity;
  for (const value of [motion.values(key), also ?? []].flatMap((values) => [extreme(values, Math.min), extreme(values, Math.max)])) {
    least = Math.min(least, value ?? Infinity);
    greatest = Math.max(greatest, value ?? -Infinity);
  }
  if (!(least <= greatest)) return [-1, 1];
  const room = also ? 0 : 0.05 * (greatest - least) || 0.1 * Math.abs(greatest) || 1;
  return [least - room, greatest + room];
}

function extreme(values: ArrayLike<number>, choose: (a: number, b: number) => number): number | undefined {
  let found: number | undefined;
  for (let i = 0; i < values.length; ++i) {
    const value = values[i]!;
    if (Number.isFinite(value)) found = found === undefined ? value : choose(found, value);
  }
  return found;
}
