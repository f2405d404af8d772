// The animation: a canvas that shows where the player is, with its view controls.

import type { Point, Scene } from "../document";
import { button, make, select, toggle } from "../dom";
import { withUnit } from "../format";
import { ink, onSchemeChange } from "../palette";
import { Extent, turnToScreen, uprightTurn, type Camera } from "./camera";
import type { Motion } from "./motion";
import { Pen } from "./pen";
import { Picture, type TrailPoint } from "./picture";
import { timeText, type Player } from "./player";

/** An event is marked while it is nearer than this on the screen [s]. */
const kFlash = 0.25;
/** At most this many other runs are drawn. */
const kGhosts = 12;

interface View {
  follow: boolean;
  upright: boolean;
  forces: boolean;
  cones: boolean;
  ghosts: boolean;
  zoom: number;
  trail: string;
}

/** `others` gives the motions of the other runs, which are drawn beside the player's. */
export function stage(scene: Scene, player: Player, others: () => Motion[]): HTMLElement {
  const canvas = make("canvas", { role: "img", class: "stage" });
  const context = canvas.getContext("2d")!;
  const turn = uprightTurn(scene.gravity);
  const view: View = { follow: false, upright: true, forces: true, cones: true, ghosts: true, zoom: 1, trail: "contacts" };
  let extent = new Extent(scene, player.motion, turn, others());
  let picture = new Picture(context, scene, player.motion);
  view.follow = extent.isLong;

  const paint = (): void => {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (width === 0) return;
    const density = devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * density) || canvas.height !== Math.round(height * density)) {
      canvas.width = Math.round(width * density);
      canvas.height = Math.round(height * density);
    }
    context.setTransform(density, 0, 0, density, 0, 0);
    context.clearRect(0, 0, width, height);
    const camera = extent.camera(player.position, width, height, view.follow, view.zoom);
    picture.draw(camera, player.position, { ...view, trails: trailPoints(scene, view.trail) });
    if (view.ghosts) ghosts(picture, camera, player, others());
    markEvents(picture, camera, player);
    const pen = new Pen(context);
    scaleBar(pen, camera);
    gravityArrow(pen, camera, scene.gravity);
    pen.text(`t = ${timeText(player)}`, [16, 22], ink("soft"), ink("paper"));
    describe(canvas, player, picture.contactPoints(camera, player.position));
  };
  // The picture is painted once a frame, however often things change.
  let waiting = false;
  const repaint = (): void => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      paint();
    });
  };
  const refit = (): void => {
    extent = new Extent(scene, player.motion, view.upright ? turn : 0, others());
    repaint();
  };
  const set = <K extends keyof View>(key: K, value: View[K]): void => {
    view[key] = value;
    repaint();
  };

  player.onMove(repaint);
  player.onMotion(() => {
    picture = new Picture(context, scene, player.motion);
    refit();
  });
  onSchemeChange(paint);
  new ResizeObserver(repaint).observe(canvas);

  const zoomBy = (factor: number) => () => set("zoom", Math.min(50, Math.max(0.1, view.zoom * factor)));
  const controls = make(
    "div",
    { class: "controls view" },
    toggle("Follow", view.follow, (on) => set("follow", on)),
    Math.abs(Math.sin(turn)) > 1e-6 && toggle("Gravity down", true, (on) => ((view.upright = on), refit())),
    toggle("Forces", true, (on) => set("forces", on)),
    toggle("Friction cones", true, (on) => set("cones", on)),
    others().length > 0 && toggle("Other futures", true, (on) => set("ghosts", on)),
    select("Trail of", trailChoices(scene), view.trail, (value) => set("trail", value)),
    make("span", { class: "pair" }, button("Smaller picture", zoomBy(1 / 1.4), { face: "−" }), button("Larger picture", zoomBy(1.4), { face: "+" })),
  );
  return make("div", { class: "stage-box" }, canvas, controls);
}

function ghosts(picture: Picture, camera: Camera, player: Player, others: Motion[]): void {
  const now = player.time;
  others.slice(0, kGhosts).forEach((other, i) => {
    if (now <= other.end) picture.ghost(camera, other, other.positionAt(now), ink(`series-${(i + 1) % 6}`));
  });
}

function markEvents(picture: Picture, camera: Camera, player: Player): void {
  const now = player.time;
  const within = player.playing ? kFlash * player.speed : 0;
  const at = player.event;
  for (let i = Math.max(0, at - 3); i <= at; ++i) {
    const event = player.motion.events[i]!;
    if (now - event.time <= within && (player.playing || i === at)) picture.event(camera, player.position, event.type, event.contacts);
  }
}

function trailChoices(scene: Scene): [string, string][] {
  return [
    ["none", "nothing"],
    ["contacts", "all contacts"],
    ...trailPoints(scene, "all").map(({ label }): [string, string] => [label, label]),
  ];
}

function trailPoints(scene: Scene, choice: string): TrailPoint[] {
  if (choice === "none") return [];
  const contacts = scene.contacts.map(({ name, body, at }) => ({ label: name, body, at }));
  if (choice === "contacts") return contacts;
  const masses = scene.bodies.flatMap(({ name, masses }, body) =>
    masses.map(([x, y], i) => ({ label: `mass of ${name}${masses.length > 1 ? ` ${i + 1}` : ""}`, body, at: [x, y] as Point })),
  );
  const joints = scene.joints.map(({ body, at }, i) => ({ label: `joint ${i + 1}`, body, at }));
  const all = [...contacts, ...masses, ...joints];
  return choice === "all" ? all : all.filter(({ label }) => label === choice);
}

/** A length of the world, as a round number of metres about a fifth of the picture wide. */
export function scaleBar(pen: Pen, camera: Camera): void {
  const wanted = camera.width / 6 / camera.scale;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const length = [5, 2, 1].map((digit) => digit * power).find((candidate) => candidate <= wanted) ?? power;
  const [x, y] = [16, camera.height - 16];
  const end = x + length * camera.scale;
  pen.line([[x, y - 4], [x, y], [end, y], [end, y - 4]], ink("soft"), 1.25);
  pen.text(withUnit(length, "m"), [end + 8, y - 2], ink("soft"), ink("paper"));
}

export function gravityArrow(pen: Pen, camera: Camera, gravity: Point): void {
  const size = Math.hypot(...gravity);
  if (size === 0) return;
  const [u, v] = turnToScreen(camera, gravity);
  const from: Point = [camera.width - 30 - (12 * u) / size, 30 - (12 * v) / size];
  pen.arrow(from, [from[0] + (28 * u) / size, from[1] + (28 * v) / size], ink("soft"), 1.5);
  pen.text("g", [camera.width - 14, 30], ink("soft"), ink("paper"), "center");
}

/** What is where, for screen readers and for tests. */
function describe(canvas: HTMLCanvasElement, player: Player, contacts: Point[]): void {
  canvas.dataset["time"] = String(player.time);
  canvas.dataset["contacts"] = JSON.stringify(contacts.map((point) => point.map((value) => Math.round(10 * value) / 10)));
  if (player.playing) return;
  canvas.setAttribute("aria-label", `The mechanism at ${withUnit(player.time, "s")}, mode ${player.motion.word(player.row)}`);
}
