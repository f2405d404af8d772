// Shapes on a canvas, in px.

import type { Point } from "../document";

export class Pen {
  constructor(readonly context: CanvasRenderingContext2D) {}

  line(points: Point[], color: string, width = 1, dash: number[] = []): void {
    this.trace(points, false);
    this.stroke(color, width, dash);
  }

  dot([x, y]: Point, radius: number, fill: string | null, edge: string | null, width = 1.25): void {
    const { context } = this;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    if (fill !== null) this.fill(fill);
    if (edge !== null) this.stroke(edge, width);
  }

  polygon(points: Point[], fill: string | null, edge: string | null = null, width = 1.25): void {
    this.trace(points, true);
    if (fill !== null) this.fill(fill);
    if (edge !== null) this.stroke(edge, width);
  }

  /** A bar with round ends; `inset` shortens it at its ends, so that a tip touches with its outermost point. */
  bar(from: Point, to: Point, radius: number, inset: [boolean, boolean], fill: string | null, edge: string, width = 1.25): void {
    const { context } = this;
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
    const along: Point = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
    const short = Math.min(radius, 0.45 * length);
    const a: Point = inset[0] ? [from[0] + short * along[0], from[1] + short * along[1]] : from;
    const b: Point = inset[1] ? [to[0] - short * along[0], to[1] - short * along[1]] : to;
    const angle = Math.atan2(along[1], along[0]);
    context.beginPath();
    context.arc(a[0], a[1], radius, angle + Math.PI / 2, angle + 1.5 * Math.PI);
    context.arc(b[0], b[1], radius, angle - Math.PI / 2, angle + Math.PI / 2);
    context.closePath();
    if (fill !== null) this.fill(fill);
    this.stroke(edge, width);
  }

  arrow(from: Point, to: Point, color: string, width = 2): void {
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (length < 1) return;
    const head = Math.min(9, length);
    const u: Point = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
    const neck: Point = [to[0] - head * u[0], to[1] - head * u[1]];
    this.line([from, neck], color, width);
    const half = 0.42 * head;
    this.polygon([to, [neck[0] - half * u[1], neck[1] + half * u[0]], [neck[0] + half * u[1], neck[1] - half * u[0]]], color);
  }

  zigzag(from: Point, to: Point, color: string): void {
    const turns = 8;
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const length = Math.hypot(dx, dy) || 1;
    const side = 6;
    const points: Point[] = [from];
    for (let i = 0; i < turns; ++i) {
      const part = 0.15 + (0.7 * (i + 0.5)) / turns;
      const off = i % 2 === 0 ? side : -side;
      points.push([from[0] + part * dx - (off * dy) / length, from[1] + part * dy + (off * dx) / length]);
    }
    this.line([...points, to], color, 1.5);
  }

  /** Text with a rim in the colour of the ground, readable over anything. */
  text(words: string, [x, y]: Point, color: string, ground: string, align: CanvasTextAlign = "left"): void {
    const { context } = this;
    context.font = "12px system-ui, 'DejaVu Sans', sans-serif";
    context.textAlign = align;
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.strokeStyle = ground;
    context.lineWidth = 4;
    context.strokeText(words, x, y);
    context.fillStyle = color;
    context.fillText(words, x, y);
  }

  private trace(points: Point[], closed: boolean): void {
    const { context } = this;
    context.beginPath();
    let pen = false;
    for (const [x, y] of points) {
      if (!Number.isFinite(x + y)) pen = false;
      else if (pen) context.lineTo(x, y);
      else {
        context.moveTo(x, y);
        pen = true;
      }
    }
    if (closed) context.closePath();
  }
  private fill(color: string): void {
    this.context.fillStyle = color;
    this.context.fill();
  }
  private stroke(color: string, width: number, dash: number[] = []): void {
    const { context } = this;
    context.strokeStyle = color;
    context.lineWidth = width;
    context.lineJoin = "round";
    context.lineCap = "round";
    context.setLineDash(dash);
    context.stroke();
    context.setLineDash([]);
  }
}

/** The convex hull, counter-clockwise (Andrew's monotone chain). */
export function hull(points: Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (ordered: Point[]): Point[] => {
    const chain: Point[] = [];
    for (const point of ordered) {
      while (chain.length >= 2 && cross(chain[chain.length - 2]!, chain[chain.length - 1]!, point) <= 0) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return points.length < 3 ? points : [...half(sorted), ...half(sorted.reverse())];
}

const cross = (a: Point, b: Point, c: Point): number => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
