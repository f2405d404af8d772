// Reading values off a chart: the pointer finds the nearest spot, arrow keys go from spot to spot, and a note beside it shows the values.

import { make, makeSvg, on } from "./dom";

export interface Spot {
  x: number;
  y: number;
  /** The values there, as lines. */
  tell: () => string[];
}

/** Points in order; along a curve only the horizontal distance counts. */
interface SpotList {
  list: Spot[];
  along?: "x";
  /** Called with the index of the spot that is read. */
  seen?: (index: number) => void;
}

/** All points of a grid. */
interface SpotGrid {
  x: number[];
  y: number[];
  tell: (i: number, j: number) => string[];
  /** The same; points of one row follow each other. */
  seen?: (index: number) => void;
}

export type Spots = SpotList | SpotGrid;

type Scale = { apply(value: number): number };

/** A drawn chart with the scales of its axes, as Plot gives it. */
export type Drawn = SVGSVGElement & { scale(name: "x" | "y"): Scale | undefined };

/** What is needed to read values off a chart; `attach` is called for every new drawing. */
export interface Explorer {
  attach: (drawn: Drawn) => void;
  note: HTMLElement;
}

/** Spots on the screen: places in px, each with an index. */
interface Field {
  count: number;
  /** Spots in a row; 0 if there are no rows. */
  columns: number;
  place: (index: number) => [number, number];
  nearest: (x: number, y: number) => number;
  tell: (index: number) => string[];
}

export function makeExplorer(area: HTMLElement, spots: Spots): Explorer {
  const note = make("div", { class: "note", role: "status", hidden: true });
  const ring = makeSvg("circle", { r: 5, class: "ring", visibility: "hidden" });
  let at = -1;
  let field: Field | null = null;

  const show = (index: number): void => {
    at = field && index >= 0 && index < field.count ? index : -1;
    note.hidden = at < 0;
    ring.setAttribute("visibility", at < 0 ? "hidden" : "visible");
    if (!field || at < 0) return;
    const place = field.place(at);
    ring.setAttribute("cx", String(place[0]));
    ring.setAttribute("cy", String(place[1]));
    note.replaceChildren(...field.tell(at).map((line) => make("div", {}, line)));
    placeNote(area, note, place);
    spots.seen?.(at);
  };

  area.tabIndex = 0;
  on(area, {
    pointermove: (event) => {
      const box = area.getBoundingClientRect();
      show(field?.nearest(event.clientX - box.left, event.clientY - box.top) ?? -1);
    },
    pointerleave: () => show(-1),
    blur: () => show(-1),
    keydown: (event) => {
      const next = field && neighbour(event.key, at, field);
      if (next === null) return;
      event.preventDefault();
      show(next);
    },
  });

  return {
    note,
    attach: (drawn) => {
      const x = drawn.scale("x");
      const y = drawn.scale("y");
      field = x && y ? ("list" in spots ? listField(spots, x, y) : gridField(spots, x, y)) : null;
      drawn.append(ring);
      show(-1);
    },
  };
}

function listField({ list, along }: SpotList, x: Scale, y: Scale): Field {
  const places = list.map((spot): [number, number] => [x.apply(spot.x), y.apply(spot.y)]);
  // Along a curve the height decides only between spots at the same place.
  const weight = along === "x" ? 1e-3 : 1;
  return {
    count: list.length,
    columns: 0,
    place: (index) => places[index]!,
    nearest: (px, py) => leastOf(places, ([u, v]) => Math.abs(u - px) + weight * Math.abs(v - py)),
    tell: (index) => list[index]!.tell(),
  };
}

function gridField({ x: xs, y: ys, tell }: SpotGrid, x: Scale, y: Scale): Field {
  const across = xs.map((value) => x.apply(value));
  const up = ys.map((value) => y.apply(value));
  const columns = xs.length;
  return {
    count: columns * ys.length,
    columns,
    place: (index) => [across[index % columns]!, up[Math.floor(index / columns)]!],
    nearest: (px, py) => leastOf(up, (v) => Math.abs(v - py)) * columns + leastOf(across, (u) => Math.abs(u - px)),
    tell: (index) => tell(index % columns, Math.floor(index / columns)),
  };
}

/** The index of the entry with the least measure. */
function leastOf<T>(entries: T[], measure: (entry: T) => number): number {
  let best = -1;
  let least = Infinity;
  entries.forEach((entry, i) => {
    const size = measure(entry);
    if (size < least) [best, least] = [i, size];
  });
  return best;
}

/** Beside the spot, on the side with more room. */
function placeNote(area: HTMLElement, note: HTMLElement, [x, y]: [number, number]): void {
  const left = x < area.clientWidth / 2 ? x + 12 : x - 12 - note.offsetWidth;
  const top = y - note.offsetHeight / 2;
  note.style.left = `${Math.max(0, Math.min(left, area.clientWidth - note.offsetWidth))}px`;
  note.style.top = `${Math.max(0, Math.min(top, area.clientHeight - note.offsetHeight))}px`;
}

/** The spot that a key leads to; null for other keys. Arrows up and down change the row of a grid. */
function neighbour(key: string, at: number, { count, columns }: Field): number | null {
  if (key === "Escape") return -1;
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowUp: columns || 1, ArrowDown: -columns || -1 }[key];
  if (step === undefined || count === 0) return null;
  if (at < 0) return 0;
  const next = at + step;
  const sameRow = columns === 0 || Math.abs(step) === columns || Math.floor(next / columns) === Math.floor(at / columns);
  return next >= 0 && next < count && sameRow ? next : at;
}
