// The clock of a page: the place in the motion, and the speed at which it plays. All parts of the page listen to it.

import type { SlipstickEvent } from "../document";
import { Motion } from "./motion";

export const kSpeeds = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50];

/** A whole motion is shown in about this time [s] unless asked otherwise. */
const kShowing = 12;
/** Slow motion: within this time on the screen from an event [s], down to this part of the speed. */
const kSlowWithin = 0.5;
const kSlowest = 0.1;

/** The time shown, with enough decimals to show a thousandth of the motion. */
export function timeText({ time, motion }: Player): string {
  const decimals = 4 - Math.floor(Math.log10(motion.end - motion.begin || 1));
  return `${time.toFixed(Math.min(9, Math.max(2, decimals)))} s`;
}

type Listener = () => void;

export class Player {
  /** Place between rows; see Motion.positionAt. */
  position = 0;
  playing = false;
  slowAtEvents = false;
  /** Length of a step [s]; 0: from row to row. */
  stepTime = 0;
  speed: number;
  private chosenEvent = -1;
  private frame = 0;
  private lastFrame = 0;
  private readonly moveListeners: Listener[] = [];
  private readonly motionListeners: Listener[] = [];

  constructor(public motion: Motion) {
    const wanted = (motion.end - motion.begin) / kShowing;
    this.speed = kSpeeds.find((speed) => speed >= wanted * 0.7) ?? 1;
  }

  get time(): number {
    return this.motion.timeAt(this.position);
  }
  get row(): number {
    return Math.floor(this.position);
  }

  /** Index of the event at or before this place; -1 before the first. */
  get event(): number {
    if (this.chosenEvent >= 0) return this.chosenEvent;
    const now = this.time;
    return this.motion.events.findLastIndex((event) => event.time <= now);
  }

  onMove(listener: Listener): void {
    this.moveListeners.push(listener);
  }
  /** Called when another motion is shown. */
  onMotion(listener: Listener): void {
    this.motionListeners.push(listener);
  }

  setMotion(motion: Motion): void {
    const now = this.time;
    this.motion = motion;
    this.chosenEvent = -1;
    this.position = motion.positionAt(now);
    for (const listener of this.motionListeners) listener();
    this.moved();
  }

  setPosition(position: number): void {
    this.chosenEvent = -1;
    this.position = Math.min(this.motion.rows - 1, Math.max(0, position));
    this.moved();
  }
  setTime(time: number): void {
    this.setPosition(this.motion.positionAt(time));
  }
  /** To the next row (1) or the one before (-1), or by `stepTime` where it is set. */
  step(direction: 1 | -1): void {
    this.pause();
    if (this.stepTime > 0) this.setTime(this.time + direction * this.stepTime);
    else this.setPosition(direction > 0 ? Math.floor(this.position) + 1 : Math.ceil(this.position) - 1);
  }
  goToEvent(index: number): void {
    const event = this.motion.events[index];
    if (event === undefined) return;
    this.position = this.positionOf(event);
    this.chosenEvent = index;
    this.moved();
  }
  nextEvent(): void {
    this.pause();
    this.goToEvent(this.event + 1);
  }
  previousEvent(): void {
    this.pause();
    const at = this.event;
    const event = this.motion.events[at];
    if (event !== undefined && this.time > event.time) this.goToEvent(at);
    else if (at > 0) this.goToEvent(at - 1);
    else this.setPosition(0);
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }
  play(): void {
    if (this.position >= this.motion.rows - 1) this.position = 0;
    this.playing = true;
    this.lastFrame = 0;
    this.frame = requestAnimationFrame(this.advance);
    this.moved();
  }
  pause(): void {
    if (!this.playing) return;
    this.playing = false;
    cancelAnimationFrame(this.frame);
    this.moved();
  }

  faster(steps: number): void {
    const at = kSpeeds.findIndex((speed) => speed >= this.speed);
    this.speed = kSpeeds[Math.min(kSpeeds.length - 1, Math.max(0, at + steps))]!;
    this.moved();
  }

  /** Of several rows at an event's time the last one in the mode that it led to; a jam may have its last row just before its time. */
  private positionOf({ time, modes_after }: SlipstickEvent): number {
    const { motion } = this;
    const last = motion.positionAt(time);
    let row = Math.floor(last);
    if (motion.time[row] !== time) return last;
    while (row > 0 && motion.time[row] === time && motion.word(row) !== modes_after) --row;
    return motion.word(row) === modes_after ? row : last;
  }

  private readonly advance = (now: number): void => {
    // A page that was hidden, or a slow frame, does not make the motion jump.
    const elapsed = this.lastFrame === 0 ? 0 : Math.min(0.1, (now - this.lastFrame) / 1000);
    this.lastFrame = now;
    const time = this.time + elapsed * this.speed * (this.slowAtEvents ? this.slowness() : 1);
    this.chosenEvent = -1;
    this.position = this.motion.positionAt(time);
    if (this.position >= this.motion.rows - 1) this.playing = false;
    else this.frame = requestAnimationFrame(this.advance);
    this.moved();
  };

  private slowness(): number {
    const now = this.time;
    const events = this.motion.events;
    const after = events.findIndex((event) => event.time >= now);
    const near = [events[after], events[after < 0 ? events.length - 1 : after - 1]];
    const distance = Math.min(...near.map((event) => (event ? Math.abs(event.time - now) / this.speed : Infinity)));
    return kSlowest + (1 - kSlowest) * Math.min(1, distance / kSlowWithin);
  }

  private moved(): void {
    for (const listener of this.moveListeners) listener();
  }
}
