// The mechanism at one state, not moving.

import type { RunDocument, SlipstickDocument } from "../document";
import { make, section } from "../dom";
import { onSchemeChange } from "../palette";
import { Extent, uprightTurn } from "./camera";
import { Motion } from "./motion";
import { Pen } from "./pen";
import { Picture } from "./picture";
import { gravityArrow, scaleBar } from "./stage";

export interface StillOptions {
  /** What is seen: the text below the picture, also for screen readers. */
  caption: string;
  /** What to draw instead of the motion's row: a letter per contact, and forces along n and t [N], if any. */
  modes?: string;
  normal_force?: number[];
  tangential_force?: number[];
}

/** A picture that can show other rows of the motion. */
export interface Posed {
  figure: HTMLElement;
  pose: (row: number) => void;
}

/** The first row of a document's motion; null where there is nothing to draw. */
export function stillPicture(document: SlipstickDocument, options: StillOptions): HTMLElement | null {
  return posedPicture(document, options)?.figure ?? null;
}

/** The same, to be posed like other rows. */
export function posedPicture(document: SlipstickDocument, options: StillOptions): Posed | null {
  const { scene } = document;
  const run = document.motion?.runs[0];
  if (scene === null || run === undefined || run.rows === 0) return null;
  const motion = new Motion([options.modes === undefined ? run : withModes(run, options.modes, options)], []);
  const canvas = make("canvas", { role: "img", class: "still", "aria-label": options.caption });
  const context = canvas.getContext("2d")!;
  const extent = new Extent(scene, motion, uprightTurn(scene.gravity));
  const picture = new Picture(context, scene, motion);
  let row = 0;

  const paint = (): void => {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (width === 0) return;
    const density = devicePixelRatio || 1;
    canvas.width = Math.round(width * density);
    canvas.height = Math.round(height * density);
    context.setTransform(density, 0, 0, density, 0, 0);
    const camera = extent.camera(row, width, height, false, 1);
    picture.draw(camera, row, { forces: true, cones: true, trails: [] });
    const pen = new Pen(context);
    scaleBar(pen, camera);
    gravityArrow(pen, camera, scene.gravity);
  };
  new ResizeObserver(() => requestAnimationFrame(paint)).observe(canvas);
  onSchemeChange(paint);
  const figure = make("figure", { class: "chart" }, canvas, make("figcaption", { class: "below" }, options.caption));
  const pose = (wanted: number): void => {
    row = Math.min(Math.max(wanted, 0), motion.rows - 1);
    canvas.dataset["row"] = String(row);
    paint();
  };
  return { figure, pose };
}

/** A picture of the mechanism, for pages about more than one state. */
export function initialState(document: SlipstickDocument): HTMLElement | null {
  const still = stillPicture(document, { caption: "The mechanism at its initial state" });
  return still && section("The mechanism", still);
}

function withModes(run: RunDocument, modes: string, { normal_force = [], tangential_force = [] }: StillOptions): RunDocument {
  const column = (group: "force_n" | "force_t", values: number[]): RunDocument["quantities"] =>
    values.map((value, contact) => ({ key: `${group} ${contact}`, group, contact, unit: "N", data: encode(new Float32Array([value])) }));
  const others = run.quantities.filter(({ group }) => group !== "force_n" && group !== "force_t");
  return {
    ...run,
    rows: 1,
    modes: [modes],
    mode: encode(new Uint16Array([0])),
    quantities: [...others, ...column("force_n", normal_force), ...column("force_t", tangential_force)],
  };
}

const encode = (values: Float32Array | Uint16Array): string => btoa(String.fromCharCode(...new Uint8Array(values.buffer)));
