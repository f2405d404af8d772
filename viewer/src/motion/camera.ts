// From the world [m] to the screen [px].

import type { Point, Scene } from "../document";
import { interpolate, type Motion } from "./motion";

export interface Box {
  left: number;
  right: number;
  bottom: number;
  top: number;
}

/** Turned so that `down` points down, scaled, with the world's `centre` (in turned axes) in the middle. */
export interface Camera {
  cos: number;
  sin: number;
  scale: number;
  centre: Point;
  width: number;
  height: number;
}

export function toScreen(camera: Camera, [x, y]: Point): Point {
  const u = camera.cos * x - camera.sin * y;
  const v = camera.sin * x + camera.cos * y;
  return [camera.width / 2 + camera.scale * (u - camera.centre[0]), camera.height / 2 - camera.scale * (v - camera.centre[1])];
}

/** A direction of the world on the screen, of the same length. */
export const turnToScreen = (camera: Camera, [x, y]: Point): Point => [
  camera.cos * x - camera.sin * y,
  -(camera.sin * x + camera.cos * y),
];

/** The angle by which the world is turned for gravity to point down; 0 without gravity. */
export function uprightTurn(gravity: Point): number {
  return Math.hypot(...gravity) === 0 ? 0 : -Math.PI / 2 - Math.atan2(gravity[1], gravity[0]);
}

/** Where a point of a body (-1: the world) is at a place between rows. */
export function placeOf(motion: Motion, body: number, [x, y]: Point, position: number): Point {
  if (body < 0) return [x, y];
  const pose = motion.pose(body);
  const angle = interpolate(pose.angle, position);
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  return [interpolate(pose.x, position) + cos * x - sin * y, interpolate(pose.y, position) + sin * x + cos * y];
}

/** How much room the mechanism takes: at one place, and over a motion. */
export class Extent {
  private readonly points: { body: number; at: Point; radius: number }[];
  private all: Box;
  private width: number;
  private height: number;

  constructor(
    scene: Scene,
    private readonly motion: Motion,
    private readonly turn: number,
    others: Motion[] = [],
  ) {
    this.points = [
      ...scene.bodies.flatMap((body, i) => body.hulls.flat().map((at) => ({ body: i, at, radius: 0 }))),
      ...scene.contacts.map(({ body, at, radius }) => ({ body, at, radius })),
      ...scene.joints.map(({ body, at }) => ({ body, at, radius: 0 })),
      ...scene.springs.flatMap((spring) => [spring.from, spring.to].map(({ body, at }) => ({ body, at, radius: 0 }))),
    ];
    this.all = this.at(motion, 0);
    this.width = 0.4 * scene.size;
    this.height = 0.4 * scene.size;
    for (const each of [motion, ...others]) this.cover(each);
  }

  /** Whether the motion takes much more room than the mechanism. */
  get isLong(): boolean {
    return this.all.right - this.all.left > 3 * this.width + this.height || this.all.top - this.all.bottom > 3 * this.height + this.width;
  }

  /** A camera for all of the motion, or one that follows the mechanism along the axes in which it leaves the picture. */
  camera(position: number, width: number, height: number, follow: boolean, zoom: number): Camera {
    const wide = this.all.right - this.all.left;
    const high = this.all.top - this.all.bottom;
    const margin = Math.min(90, 0.16 * Math.min(width, height));
    const [u, v] = follow ? [Math.min(wide, 1.5 * this.width), Math.min(high, 1.5 * this.height)] : [wide, high];
    const scale = zoom * Math.min((width - 2 * margin) / Math.max(u, this.width), (height - 2 * margin) / Math.max(v, this.height));
    const now = this.at(this.motion, position);
    const middle = (low: number, high: number, a: number, b: number, size: number): number =>
      high - low <= size ? (low + high) / 2 : (a + b) / 2;
    const centre: Point = follow
      ? [
          middle(this.all.left, this.all.right, now.left, now.right, (width - margin) / scale),
          middle(this.all.bottom, this.all.top, now.bottom, now.top, (height - margin) / scale),
        ]
      : [(this.all.left + this.all.right) / 2, (this.all.bottom + this.all.top) / 2];
    return { cos: Math.cos(this.turn), sin: Math.sin(this.turn), scale, centre, width, height };
  }

  private cover(motion: Motion): void {
    const stride = Math.max(1, Math.ceil(motion.rows / 1000));
    for (let row = 0; row < motion.rows + stride - 1; row += stride) {
      const box = this.at(motion, Math.min(row, motion.rows - 1));
      this.all = join(this.all, box);
      this.width = Math.max(this.width, box.right - box.left);
      this.height = Math.max(this.height, box.top - box.bottom);
    }
  }

  private at(motion: Motion, position: number): Box {
    const cos = Math.cos(this.turn);
    const sin = Math.sin(this.turn);
    const box: Box = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity };
    for (const { body, at, radius } of this.points) {
      const [x, y] = placeOf(motion, body, at, position);
      const u = cos * x - sin * y;
      const v = sin * x + cos * y;
      if (!Number.isFinite(u + v)) continue;
      box.left = Math.min(box.left, u - radius);
      box.right = Math.max(box.right, u + radius);
      box.bottom = Math.min(box.bottom, v - radius);
      box.top = Math.max(box.top, v + radius);
    }
    return Number.isFinite(box.left) ? box : { left: -1, right: 1, bottom: -1, top: 1 };
  }
}

function join(a: Box, b: Box): Box {
  return {
    left: Math.min(a.left, b.left),
    right: Math.max(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
    top: Math.max(a.top, b.top),
  };
}
