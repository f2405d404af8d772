// Quantities over time, one under the other, with a common span of time.

import * as Plot from "@observablehq/plot";
import { onWidth, plot } from "../chart";
import { button, make, on, select, type Child } from "../dom";
import { axisLabel, number, withUnit } from "../format";
import { color, kModeWords, seriesColor } from "../palette";
import { chip } from "../words";
import { decimate, type Curve } from "./decimate";
import { eventRules, modeStrips, stripHeight } from "./marks";
import { interpolate, type Motion, type Quantity } from "./motion";
import type { Player } from "./player";
import { resolveScale, scaleOptions, summarise, type ScaleKind, type Summary } from "./scales";
import { TimeWindow } from "./window";

const kGroupWords: Record<string, string> = {
  coordinate: "Coordinates",
  rate: "Rates",
  gap: "Gaps",
  slip: "Slips",
  force_n: "Normal forces",
  force_t: "Tangential forces",
  p: "p: normal acceleration per normal force",
  b: "b: normal acceleration without contact forces",
  energy: "Energy",
  observable: "Observables",
};
const kMargin = { left: 64, right: 14 };
const kDrag = 4; // px from which a click is a drag

interface Panel {
  key: string;
  element: HTMLElement;
  draw(): void;
  move(): void;
}

interface Context {
  player: Player;
  others: () => Motion[];
  window: TimeWindow;
  scale: ScaleKind;
}

export function curves(player: Player, others: () => Motion[]): HTMLElement {
  const context: Context = { player, others, window: new TimeWindow(player), scale: "auto" };
  const box = make("div", { class: "curves" });
  const chooser = make("span", {});
  let panels: Panel[] = [];

  const add = (key: string): void => {
    const quantity = player.motion.quantity(key);
    if (quantity === undefined || panels.some((panel) => panel.key === key)) return;
    panels.push(makePanel(context, quantity, () => remove(key)));
    arrange();
  };
  const remove = (key: string): void => {
    panels = panels.filter((panel) => panel.key !== key);
    arrange();
  };
  const arrange = (): void => {
    box.replaceChildren(...panels.map(({ element }) => element));
    chooser.replaceChildren(quantityChooser(player.motion, panels.map(({ key }) => key), add));
  };
  const draw = (): void => panels.forEach((panel) => panel.draw());

  for (const quantity of firstChoice(player.motion)) add(quantity.key);
  arrange();
  context.window.onChange(draw);
  player.onMove(() => panels.forEach((panel) => panel.move()));

  const scales: [string, string][] = [
    ["auto", "automatic"],
    ["linear", "linear"],
    ["symlog", "symlog"],
    ["clipped", "clipped"],
  ];
  const reset = button("Whole time", () => context.window.reset(), {});
  const controls = make(
    "div",
    { class: "controls" },
    chooser,
    select("Scale", scales, "auto", (value) => {
      context.scale = value as ScaleKind;
      draw();
    }),
    make(
      "span",
      { class: "pair" },
      button("Zoom out in time", () => context.window.zoom(2, player.time), { face: "−" }),
      button("Zoom in at the time shown", () => context.window.zoom(0.5, player.time), { face: "+" }),
    ),
    reset,
  );
  const hint = make("p", { class: "keys small soft" }, "Click sets the time; drag, or ctrl and the wheel, zooms; double click shows all.");
  return make("div", { class: "panel" }, controls, box, modeLegend(player.motion), hint);
}

/** The quantities shown first: a coordinate or two, and the first contact's force. */
function firstChoice(motion: Motion): Quantity[] {
  const coordinates = motion.quantities.filter(({ group, key }) => group === "coordinate" && motion.varies(key)).slice(0, 2);
  const force = motion.quantities.find(({ group, key }) => group === "force_n" && motion.varies(key));
  const rest = force ?? motion.quantities.find(({ group }) => group === "energy");
  return [...coordinates, ...(rest ? [rest] : [])];
}

function quantityChooser(motion: Motion, chosen: string[], add: (key: string) => void): HTMLElement {
  const groups = [...new Set(motion.quantities.map(({ group }) => group))];
  const list = make(
    "select",
    {},
    make("option", { value: "" }, "choose"),
    groups.map((group) =>
      make(
        "optgroup",
        { label: kGroupWords[group] ?? group },
        motion.quantities
          .filter((quantity) => quantity.group === group)
          .map(({ key, unit }) => make("option", { value: key, disabled: chosen.includes(key) }, axisLabel(key, unit))),
      ),
    ),
  );
  on(list, { change: () => add(list.value) });
  return make("label", { class: "field" }, make("span", {}, "Add a curve"), list);
}

function modeLegend(motion: Motion): Child {
  const letters = [...new Set(motion.words.join(""))].sort();
  return make("p", { class: "legend" }, "Strips, one per contact:", letters.map((letter) => chip(`${letter} ${kModeWords[letter] ?? ""}`, color(`mode-${letter}`))));
}

function makePanel(context: Context, quantity: Quantity, remove: () => void): Panel {
  const { player, window } = context;
  const drawing = make("div", { class: "drawing" });
  const playhead = make("div", { class: "playhead" });
  const pointer = make("div", { class: "pointer", hidden: true }, make("span", {}));
  const value = make("span", { class: "value" });
  const note = make("p", { class: "small soft" });
  let x: Plot.Scale | undefined;
  let width = 0;

  const draw = (): void => {
    if (width === 0) return;
    const drawn = drawCurve(context, quantity, width);
    x = drawn.svg.scale("x");
    drawing.replaceChildren(drawn.svg, playhead, pointer);
    note.textContent = drawn.note;
    move();
  };
  const move = (): void => {
    if (x === undefined) return;
    const at = x.apply(player.time) as number;
    const inside = at >= kMargin.left - 1 && at <= width - kMargin.right + 1;
    playhead.hidden = !inside;
    playhead.style.transform = `translateX(${at}px)`;
    value.textContent = withUnit(interpolate(player.motion.values(quantity.key), player.position), quantity.unit);
  };
  const timeAt = (event: MouseEvent): number => {
    const at = event.clientX - drawing.getBoundingClientRect().left;
    return x!.invert!(Math.min(width - kMargin.right, Math.max(kMargin.left, at))) as number;
  };
  listenToPointer(drawing, pointer, context, timeAt, (time) =>
    withUnit(interpolate(player.motion.values(quantity.key), player.motion.positionAt(time)), quantity.unit),
  );
  on(drawing, {
    wheel: (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      window.zoom(1.0015 ** event.deltaY, timeAt(event));
    },
    dblclick: () => window.reset(),
  });
  onWidth(drawing, (now) => {
    width = now;
    draw();
  });
  const close = button(`Remove ${quantity.key}`, remove, { face: "×", class: "close" });
  const element = make("figure", { class: "curve" }, make("div", { class: "corner" }, value, close), drawing, note);
  return { key: quantity.key, element, draw, move };
}

/** Hover shows the value, a click sets the time, a drag the span. */
function listenToPointer(
  drawing: HTMLElement,
  pointer: HTMLElement,
  { player, window }: Context,
  timeAt: (event: MouseEvent) => number,
  valueAt: (time: number) => string,
): void {
  const label = pointer.firstElementChild as HTMLElement;
  let start: { x: number; time: number } | null = null;
  const left = (clientX: number): number => clientX - drawing.getBoundingClientRect().left;
  on(drawing, {
    pointerdown: (event) => {
      if (event.button !== 0) return;
      start = { x: event.clientX, time: timeAt(event) };
      drawing.setPointerCapture(event.pointerId);
    },
    pointermove: (event) => {
      const time = timeAt(event);
      const from = start ? Math.min(start.x, event.clientX) : event.clientX;
      pointer.hidden = false;
      pointer.style.left = `${left(from)}px`;
      pointer.style.width = start ? `${Math.abs(event.clientX - start.x)}px` : "0";
      label.textContent = `${withUnit(time, "s", 5)}: ${valueAt(time)}`;
      pointer.classList.toggle("flip", left(event.clientX) > drawing.clientWidth / 2);
    },
    pointerup: (event) => {
      if (!start) return;
      const time = timeAt(event);
      if (Math.abs(event.clientX - start.x) > kDrag) window.set(Math.min(start.time, time), Math.max(start.time, time));
      else {
        player.pause();
        player.setTime(time);
      }
      start = null;
      pointer.hidden = true;
    },
    pointercancel: () => (start = null),
    pointerleave: () => (pointer.hidden = true),
  });
}

type Drawn = SVGSVGElement & Plot.Plot;

function drawCurve({ player, others, window, scale }: Context, quantity: Quantity, width: number): { svg: Drawn; note: string } {
  const { motion } = player;
  const { from, to } = window;
  const values = motion.values(quantity.key);
  const columns = Math.max(1, width - kMargin.left - kMargin.right);
  const summary = summarise(motion, quantity.key, from, to);
  const kind = resolveScale(scale, summary);
  const faint = others().slice(0, 12).map((other) => decimate(other.time, other.values(quantity.key), from, to, columns));
  const all = withOthers(summary, faint);
  const curve = decimate(motion.time, values, from, to, columns);
  const svg = plot(
    {
      title: `${quantity.key} over time`,
      description: `${quantity.key} from ${withUnit(from, "s")} to ${withUnit(to, "s")}: between ${number(summary.least)} and ${withUnit(summary.greatest, quantity.unit)}${summary.unbounded ? ", without bound at a jam" : ""}.`,
      height: 158 + stripHeight(motion),
      x: { domain: [from, to > from ? to : from + 1], label: "time (s)" },
      y: { label: axisLabel(quantity.key, quantity.unit), ...scaleOptions(kind, all) },
      plot: { marginLeft: kMargin.left, marginRight: kMargin.right, marginTop: 24 + stripHeight(motion), marginBottom: 34 },
      marks: () => [
        eventRules(motion, from, to),
        ...faint.map((other) => line(other, "var(--soft)", 0.45)),
        line(curve, seriesColor(0), 1),
        modeStrips(motion),
      ],
    },
    width,
  ) as Drawn;
  return { svg, note: noteOf(summary, kind, quantity) };
}

/** The scale has room for the other runs, too. */
function withOthers(summary: Summary, others: Curve[]): Summary {
  const values = others.flatMap(({ y }) => y).filter((value) => Number.isFinite(value));
  const least = values.reduce((a, b) => Math.min(a, b), summary.least);
  const greatest = values.reduce((a, b) => Math.max(a, b), summary.greatest);
  return { ...summary, least, greatest };
}

function line(curve: Curve, stroke: string, opacity: number): Plot.Markish {
  return Plot.line({ length: curve.x.length }, { x: curve.x, y: curve.y, z: null, stroke, strokeWidth: 1.5, strokeOpacity: opacity, clip: true });
}

function noteOf(summary: Summary, kind: string, { group, unit }: Quantity): string {
  const notes: string[] = [];
  if (summary.missing > 0) {
    const why = group === "p" || group === "b" ? " (the contact does not slide there)" : "";
    notes.push(`No value in ${number(100 * summary.missing, 2)} % of the rows shown${why}: the curve has gaps.`);
  }
  if (summary.unbounded) notes.push("It grows without bound at a jam: the curve breaks there.");
  if (kind === "symlog") notes.push(`Symlog scale: linear below ${withUnit(summary.typical, unit, 2)}, logarithmic above.`);
  if (kind === "clipped") notes.push(`Clipped; the values reach from ${number(summary.least)} to ${withUnit(summary.greatest, unit)}.`);
  return notes.join(" ");
}
