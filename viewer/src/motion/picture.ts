// Draws the mechanism at one place of its motion.

import type { Point, Scene } from "../document";
import { withUnit } from "../format";
import { ink, kEventSigns } from "../palette";
import { placeOf, toScreen, turnToScreen, type Camera } from "./camera";
import { interpolate, type Motion } from "./motion";
import { hull, Pen } from "./pen";
import { sampleEvenly, typicalSize } from "./scales";

export interface PictureOptions {
  forces: boolean;
  cones: boolean;
  /** Points whose past is drawn. */
  trails: TrailPoint[];
}

export interface TrailPoint {
  label: string;
  body: number;
  at: Point;
}

const kTrailPoints = 1500; // of rows
const kTurnPoints = 4000; // of turns between rows
const kConeLength = 52; // px
const kPatch = 0.4; // half the length of a patch of ground, in sizes of the mechanism

export class Picture {
  private readonly pen: Pen;
  /** The parts of the bodies' pictures, and which of their corners are contacts. */
  private readonly hulls: { body: number; points: Point[]; tips: boolean[] }[];
  private readonly typicalForce: number;
  /** Per body: the turn [rad] from one point of a trail to the next. */
  private readonly turnSteps: number[];
  /** Floors at different angles are drawn as patches, because whole lines would cut through each other. */
  private readonly patches: boolean;

  constructor(
    context: CanvasRenderingContext2D,
    private readonly scene: Scene,
    private readonly motion: Motion,
  ) {
    this.pen = new Pen(context);
    this.hulls = scene.bodies.flatMap((shape, body) =>
      shape.hulls.map(hull).map((points) => ({ body, points, tips: points.map((point) => this.isTip(body, point)) })),
    );
    this.typicalForce = typicalForce(scene, motion);
    this.turnSteps = scene.bodies.map((_, body) => Math.max(0.15, totalTurn(motion.pose(body).angle) / kTurnPoints));
    this.patches = scene.surfaces.some((a, i) => scene.surfaces.slice(0, i).some((b) => areDifferentFloors(a, b, scene.size)));
  }

  draw(camera: Camera, position: number, options: PictureOptions): void {
    this.scene.surfaces.forEach((_, i) => this.surface(camera, i, position));
    options.trails.forEach((trail, i) => this.trail(camera, trail, position, ink(`series-${i % 6}`)));
    this.springs(camera, position);
    this.bodies(camera, position, ink("body"), ink("soft"));
    this.joints(camera, position);
    this.masses(camera, position);
    if (options.cones) this.cones(camera, position);
    if (options.forces) this.forces(camera, position);
    this.contacts(camera, position);
  }

  /** The bodies of another motion, as outlines. */
  ghost(camera: Camera, motion: Motion, position: number, color: string): void {
    const { context } = this.pen;
    context.globalAlpha = 0.55;
    this.bodies(camera, position, null, color, motion);
    context.globalAlpha = 1;
  }

  /** A ring at the contacts of an event, and its name. */
  event(camera: Camera, position: number, type: string, contacts: string[]): void {
    const color = ink(`event-${type}`);
    for (const contact of this.scene.contacts.filter(({ name }) => contacts.includes(name))) {
      const [x, y] = toScreen(camera, placeOf(this.motion, contact.body, contact.at, position));
      this.pen.dot([x, y], 15, null, color, 2);
      this.pen.text(`${kEventSigns[type] ?? ""} ${type}`, [x + 20, y + 20], color, ink("paper"));
    }
  }

  /** Where the contact points are on the screen. */
  contactPoints(camera: Camera, position: number): Point[] {
    return this.scene.contacts.map(({ body, at }) => toScreen(camera, placeOf(this.motion, body, at, position)));
  }

  private surface(camera: Camera, index: number, position: number): void {
    const { point, tangent, normal, moves } = this.scene.surfaces[index]!;
    const reach = (camera.width + camera.height) / camera.scale;
    const origin = toScreen(camera, point);
    const t = turnToScreen(camera, tangent);
    const n = turnToScreen(camera, normal);
    // The foot of the screen's middle on the line: the line is drawn from there both ways.
    const middle = this.patches ? 0 : (camera.width / 2 - origin[0]) * t[0] + (camera.height / 2 - origin[1]) * t[1];
    const on = (s: number, depth = 0): Point => [origin[0] + s * t[0] - depth * n[0], origin[1] + s * t[1] - depth * n[1]];
    const far = (this.patches ? kPatch * this.scene.size : reach) * camera.scale;
    const spacing = 14;
    const travel = this.motion.travel(index);
    const shift = travel === null ? 0 : (interpolate(travel, position) * camera.scale) % spacing;
    const first = Math.ceil((middle - far - shift) / spacing) * spacing + shift;
    for (let s = first; s < middle + far; s += spacing) this.pen.line([on(s), on(s - 8, 8)], ink("line"), 1.25);
    this.pen.line([on(middle - far), on(middle + far)], ink("soft"), 1.5);
    if (moves) this.pen.text("moves", on(middle + 0.36 * camera.width, 20), ink("soft"), ink("paper"), "center");
  }

  /** Places between rows, so that the path of a point of a turning body is drawn as a curve. */
  private trailPositions(body: number, end: number): number[] {
    const { angle } = this.motion.pose(body);
    const step = this.turnSteps[body]!;
    const stride = Math.max(1, Math.ceil(end / kTrailPoints));
    const positions: number[] = [];
    for (let row = 0; row < end; row += stride) {
      const next = Math.min(row + stride, end);
      const parts = this.motion.jumpsTo(next) ? 1 : Math.ceil(Math.abs(angle[next]! - angle[row]!) / step) || 1;
      for (let i = 0; i < parts; ++i) positions.push(row + (i * (next - row)) / parts);
    }
    positions.push(end);
    return positions;
  }

  private trail(camera: Camera, trail: TrailPoint, position: number, color: string): void {
    const points: Point[] = [];
    let last = 0;
    for (const at of [...this.trailPositions(trail.body, Math.floor(position)), position]) {
      // A relabelling moves a named point to another place at once: no line is drawn between.
      if (this.isMoved(trail, last, at)) points.push([Number.NaN, Number.NaN]);
      points.push(toScreen(camera, placeOf(this.motion, trail.body, trail.at, at)));
      last = at;
    }
    this.pen.context.globalAlpha = 0.6;
    this.pen.line(points, color, 1.5);
    this.pen.context.globalAlpha = 1;
  }

  private isMoved(trail: TrailPoint, from: number, to: number): boolean {
    for (let row = Math.floor(from) + 1; row <= to; ++row) {
      if (!this.motion.jumpsTo(row)) continue;
      const a = placeOf(this.motion, trail.body, trail.at, row - 1);
      const b = placeOf(this.motion, trail.body, trail.at, row);
      if (Math.hypot(a[0] - b[0], a[1] - b[1]) > 1e-3 * this.scene.size) return true;
    }
    return false;
  }

  private bodies(camera: Camera, position: number, fill: string | null, edge: string, motion = this.motion): void {
    const radius = this.radius(camera);
    this.hulls.forEach(({ body, points, tips }) => {
      const corners = points.map((point) => toScreen(camera, placeOf(motion, body, point, position)));
      if (corners.length === 1) this.pen.dot(this.lifted(camera, body, corners[0]!, 2 * radius), 2 * radius, fill, edge);
      else if (corners.length === 2) this.pen.bar(corners[0]!, corners[1]!, radius, [tips[0]!, tips[1]!], fill, edge);
      else if (corners.length > 2) this.pen.polygon(corners, fill, edge);
      for (const contact of this.scene.contacts)
        if (contact.body === body && contact.radius > 0)
          this.pen.dot(toScreen(camera, placeOf(motion, body, contact.at, position)), contact.radius * camera.scale, fill, edge);
    });
  }

  /** A body that is one point stands on its surface. */
  private lifted(camera: Camera, body: number, [x, y]: Point, by: number): Point {
    const contact = this.scene.contacts.find((candidate) => candidate.body === body && candidate.radius === 0);
    const surface = contact && this.scene.surfaces[contact.surface];
    if (!surface) return [x, y];
    const n = turnToScreen(camera, surface.normal);
    return [x + by * n[0], y + by * n[1]];
  }

  private isTip(body: number, [x, y]: Point): boolean {
    const near = ([u, v]: Point): boolean => Math.hypot(u - x, v - y) < 1e-6 * this.scene.size;
    return this.scene.contacts.some((contact) => contact.body === body && contact.radius === 0 && near(contact.at));
  }

  private springs(camera: Camera, position: number): void {
    for (const { from, to } of this.scene.springs) {
      const ends = [from, to].map(({ body, at }) => toScreen(camera, placeOf(this.motion, body, at, position)));
      this.pen.zigzag(ends[0]!, ends[1]!, ink("soft"));
      if (from.body < 0) this.pen.dot(ends[0]!, 3, ink("soft"), null);
    }
  }

  private joints(camera: Camera, position: number): void {
    const radius = Math.max(3, 0.6 * this.radius(camera));
    for (const { body, at } of this.scene.joints)
      this.pen.dot(toScreen(camera, placeOf(this.motion, body, at, position)), radius, ink("paper"), ink("soft"), 1.5);
  }

  private masses(camera: Camera, position: number): void {
    const total = this.scene.bodies.flatMap(({ masses }) => masses).reduce((sum, [, , mass]) => sum + mass, 0);
    this.scene.bodies.forEach(({ masses }, body) => {
      for (const [x, y, mass] of masses) {
        const at = toScreen(camera, placeOf(this.motion, body, [x, y], position));
        this.pen.dot(at, 2 + 4 * Math.sqrt(mass / total), ink("soft"), ink("paper"));
      }
    });
  }

  private cones(camera: Camera, position: number): void {
    const word = this.motion.word(Math.floor(position));
    this.scene.contacts.forEach((contact, i) => {
      const letter = word[i] ?? "F";
      if (letter === "F") return;
      const { t, n, foot } = this.frameAt(camera, i, position);
      const mu = letter === "S" ? contact.mu_s : contact.mu;
      const length = kConeLength / Math.hypot(1, mu);
      const end = (side: number): Point => [foot[0] + length * (n[0] + side * mu * t[0]), foot[1] + length * (n[1] + side * mu * t[1])];
      this.pen.context.globalAlpha = 0.12;
      this.pen.polygon([foot, end(-1), end(1)], ink(`mode-${letter}`));
      this.pen.context.globalAlpha = 1;
      this.pen.line([end(-1), foot, end(1)], ink(`mode-${letter}`), 1, [4, 3]);
    });
  }

  private contacts(camera: Camera, position: number): void {
    const word = this.motion.word(Math.floor(position));
    this.scene.contacts.forEach((_, i) => {
      const letter = word[i] ?? "F";
      this.pen.dot(this.frameAt(camera, i, position).foot, 4, letter === "F" ? ink("paper") : ink(`mode-${letter}`), ink(`mode-${letter}`), 1.5);
    });
  }

  private forces(camera: Camera, position: number): void {
    this.scene.contacts.forEach(({ mu }, i) => {
      const { t, n, foot } = this.frameAt(camera, i, position);
      const [fn, ft] = this.force(i, position);
      const size = Math.hypot(fn, ft);
      if (!(size > 1e-9 * this.typicalForce)) return;
      const length = Math.min(46 * Math.log2(1 + size / this.typicalForce), 0.45 * camera.height);
      // An unbounded force of a sliding contact still lies on the edge of its cone.
      const [un, ut] = Number.isFinite(size) ? [fn / size, ft / size] : [Math.sign(fn) / Math.hypot(1, mu), (Math.sign(ft) * mu) / Math.hypot(1, mu)];
      const end: Point = [foot[0] + length * (un * n[0] + ut * t[0]), foot[1] + length * (un * n[1] + ut * t[1])];
      this.pen.arrow(foot, end, ink("force"));
      const side = end[0] >= foot[0] ? 8 : -8;
      this.pen.text(Number.isFinite(size) ? withUnit(size, "N", 3) : "unbounded", [end[0] + side, end[1] - 6], ink("force"), ink("paper"), side > 0 ? "left" : "right");
    });
  }

  private force(contact: number, position: number): [number, number] {
    const part = (group: "force_n" | "force_t"): number => {
      const quantity = this.motion.find(group, contact);
      return quantity === undefined ? 0 : interpolate(this.motion.values(quantity.key), position);
    };
    return [part("force_n"), part("force_t")];
  }

  /** Tangent, normal and point of a contact on the screen; of a disc the point nearest to the surface. */
  private frameAt(camera: Camera, index: number, position: number): { t: Point; n: Point; foot: Point } {
    const contact = this.scene.contacts[index]!;
    const surface = this.scene.surfaces[contact.surface]!;
    const t = turnToScreen(camera, surface.tangent);
    const n = turnToScreen(camera, surface.normal);
    const [x, y] = toScreen(camera, placeOf(this.motion, contact.body, contact.at, position));
    const depth = contact.radius * camera.scale;
    return { t, n, foot: [x - depth * n[0], y - depth * n[1]] };
  }

  private radius(camera: Camera): number {
    return Math.min(9, Math.max(3, 0.022 * this.scene.size * camera.scale));
  }
}

function totalTurn(angle: Float32Array): number {
  let sum = 0;
  for (let row = 1; row < angle.length; ++row) sum += Math.abs(angle[row]! - angle[row - 1]!) || 0;
  return sum;
}

/** Whether two surfaces face alike but are not the same line. */
function areDifferentFloors(a: Scene["surfaces"][number], b: Scene["surfaces"][number], size: number): boolean {
  const dot = (u: Point, v: Point): number => u[0] * v[0] + u[1] * v[1];
  const apart = dot([b.point[0] - a.point[0], b.point[1] - a.point[1]], a.normal);
  return dot(a.normal, b.normal) > 0 && (Math.abs(apart) > 1e-9 * size || Math.abs(dot(a.tangent, b.normal)) > 1e-9);
}

/** The middle of the forces that occur [N]: arrows grow with the logarithm of a force over this one, so that an unbounded force stays in the picture. */
function typicalForce(scene: Scene, motion: Motion): number {
  const quantities = scene.contacts.map((_, contact) => motion.find("force_n", contact)).filter((quantity) => quantity !== undefined);
  return typicalSize(quantities.flatMap(({ key }) => sampleEvenly(motion, key, motion.begin, motion.end)));
}
