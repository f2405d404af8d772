// Marks that all curves over time share: bands of modes, rules of events.

import type { RenderFunction } from "@observablehq/plot";
import { makeSvg, type Attributes } from "../dom";
import { eventColor, wordColors } from "../palette";
import { upperBound, type Motion } from "./motion";

interface Span {
  from: number;
  to: number;
  word: string;
}

/** Many small shapes as one path per colour: a thousand elements would be slow to make. */
class Paths {
  private readonly shapes = new Map<string, string[]>();

  add(color: string, shape: string): void {
    const shapes = this.shapes.get(color);
    if (shapes) shapes.push(shape);
    else this.shapes.set(color, [shape]);
  }
  group(name: string, style: (color: string) => Attributes): SVGGElement {
    const paths = [...this.shapes].map(([color, shapes]) => makeSvg("path", { d: shapes.join(""), ...style(color) }));
    return makeSvg("g", { class: name, "aria-hidden": "true" }, paths);
  }
}

const kStrip = 5; // px, height of one contact's strip

const spansOf = new WeakMap<Motion, Span[]>();

/** Where the mode stays the same. */
function modeSpans(motion: Motion): Span[] {
  let spans = spansOf.get(motion);
  if (spans === undefined) {
    spans = [];
    for (let row = 0; row < motion.rows; ++row) {
      const last = spans[spans.length - 1];
      const word = motion.word(row);
      if (last && last.word === word) last.to = motion.time[row]!;
      else {
        if (last) last.to = motion.time[row]!;
        spans.push({ from: motion.time[row]!, to: motion.time[row]!, word });
      }
    }
    spansOf.set(motion, spans);
  }
  return spans;
}

/** A strip above the frame for each contact, coloured by its mode. A mode narrower than half a pixel is drawn half a pixel wide, at most once per pixel. */
export function modeStrips(motion: Motion): RenderFunction {
  return (_index, scales, _values, dimensions) => {
    const x = scales.x as (value: number) => number;
    const { marginLeft, marginRight, marginTop, width } = dimensions;
    const right = width - marginRight;
    const paths = new Paths();
    let filled = -1;
    for (const { from, to, word } of modeSpans(motion)) {
      const x1 = Math.max(marginLeft, x(from));
      const x2 = Math.min(right, x(to));
      if (x2 < marginLeft || x1 > right || (x2 - x1 < 0.5 && x1 < filled)) continue;
      const letters = wordColors(word);
      letters.forEach((fill, i) => {
        const y = marginTop - (letters.length - i) * kStrip - 1;
        const wide = Math.max(0.5, x2 - x1).toFixed(2);
        paths.add(fill, `M${x1.toFixed(2)},${y}h${wide}v${kStrip - 1}h-${wide}z`);
      });
      filled = Math.max(x2, x1 + 0.5);
    }
    return paths.group("modes", (fill) => ({ fill }));
  };
}

/** Room above the frame that the strips take [px]. */
export const stripHeight = (motion: Motion): number => kStrip * (motion.words[0]?.length ?? 0);

/** A rule at every event in view; events on the same pixel of the same colour are one rule. */
export function eventRules(motion: Motion, from: number, to: number): RenderFunction {
  return (_index, scales, _values, dimensions) => {
    const x = scales.x as (value: number) => number;
    const { marginTop, marginBottom, height } = dimensions;
    const paths = new Paths();
    const times = motion.events.map((event) => event.time);
    const drawn = new Set<string>();
    const begin = upperBound(times, from) - times.filter((time) => time === from).length;
    for (const event of motion.events.slice(begin, upperBound(times, to))) {
      const at = Math.round(x(event.time) * 2) / 2;
      const stroke = eventColor(event.type);
      if (drawn.has(`${at} ${stroke}`)) continue;
      drawn.add(`${at} ${stroke}`);
      paths.add(stroke, `M${at},${marginTop}V${height - marginBottom}`);
    }
    return paths.group("event-rules", (stroke) => ({ stroke, "stroke-opacity": 0.4 }));
  };
}
