// Reading values off a chart: the pointer finds the nearest spot, arrow keys go from spot to spot, and a note beside it tells what is there.

import { make, makeSvg, on } from "./dom";

export interface Spot {
  x: number;
  y: number;
  /** What is there, in lines. */
  tell: () => string[];
}

export interface Spots {
  list: Spot[];
  /** Of a grid, row by row: arrows up and down change the row. */
  columns?: number;
  /** Along a curve only the horizontal distance counts. */
  along?: "x";
}

/** A drawn chart with the scales of its axes, as Plot gives it. */
export type Drawn = SVGSVGElement & { scale(name: "x" | "y"): { apply(value: number): number } | undefined };

/** What a chart's drawing needs to be read; `attach` is called for every new drawing. */
export interface Explorer {
  attach: (drawn: Drawn) => void;
  note: HTMLElement;
}

export function makeExplorer(area: HTMLElement, spots: Spots): Explorer {
  const note = make("div", { class: "note", role: "status", hidden: true });
  const ring = makeSvg("circle", { r: 5, class: "ring", visibility: "hidden" });
  let at = -1;
  let places: [number, number][] = [];

  const show = (index: number): void => {
    const spot = spots.list[index];
    const place = places[index];
    at = spot && place ? index : -1;
    note.hidden = at < 0;
    ring.setAttribute("visibility", at < 0 ? "hidden" : "visible");
    if (!spot || !place) return;
    ring.setAttribute("cx", String(place[0]));
    ring.setAttribute("cy", String(place[1]));
    note.replaceChildren(...spot.tell().map((line) => make("div", {}, line)));
    placeNote(area, note, place);
  };

  area.tabIndex = 0;
  on(area, {
    pointermove: (event) => {
      const box = area.getBoundingClientRect();
      show(nearest(places, event.clientX - box.left, event.clientY - box.top, spots.along === "x"));
    },
    pointerleave: () => show(-1),
    blur: () => show(-1),
    keydown: (event) => {
      const next = neighbour(event.key, at, spots);
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
      places = spots.list.map((spot) => [x?.apply(spot.x) ?? Number.NaN, y?.apply(spot.y) ?? Number.NaN]);
      drawn.append(ring);
      show(-1);
    },
  };
}

/** Beside the spot, on the side with more room. */
function placeNote(area: HTMLElement, note: HTMLElement, [x, y]: [number, number]): void {
  const left = x < area.clientWidth / 2 ? x + 12 : x - 12 - note.offsetWidth;
  const top = y - note.offsetHeight / 2;
  note.style.left = `${Math.max(0, Math.min(left, area.clientWidth - note.offsetWidth))}px`;
  note.style.top = `${Math.max(0, Math.min(top, area.clientHeight - note.offsetHeight))}px`;
}

function nearest(places: [number, number][], x: number, y: number, alongX: boolean): number {
  let best = -1;
  let least = Infinity;
  places.forEach(([px, py], i) => {
    // Along a curve the height only decides between equal places.
    const distance = Math.abs(px - x) + (alongX ? 1e-3 : 1) * Math.abs(py - y);
    if (distance < least) [best, least] = [i, distance];
  });
  return best;
}

/** Where a key leads from a spot; null if it is no key of ours. */
function neighbour(key: string, at: number, { list, columns }: Spots): number | null {
  if (key === "Escape") return -1;
  const row = columns ?? 0;
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowUp: row || 1, ArrowDown: -row || -1 }[key];
  if (step === undefined || list.length === 0) return null;
  if (at < 0) return 0;
  const next = at + step;
  const sameRow = row === 0 || Math.abs(step) === row || Math.floor(next / row) === Math.floor(at / row);
  return next >= 0 && next < list.length && sameRow ? next : at;
}
