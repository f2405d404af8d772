// The span of time that the curves show, shared by all of them.

import type { Player } from "./player";

export class TimeWindow {
  from: number;
  to: number;
  private readonly listeners: (() => void)[] = [];
  private waiting = false;

  constructor(private readonly player: Player) {
    this.from = player.motion.begin;
    this.to = player.motion.end;
    player.onMotion(() => this.reset());
  }

  get isWhole(): boolean {
    return this.from <= this.player.motion.begin && this.to >= this.player.motion.end;
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  set(from: number, to: number): void {
    const { begin, end } = this.player.motion;
    const least = Math.max((end - begin) * 1e-9, Number.MIN_VALUE);
    if (!(to - from > least)) return;
    this.from = Math.max(begin, from);
    this.to = Math.min(end, to);
    if (this.to <= this.from) this.reset();
    this.changed();
  }
  reset(): void {
    this.from = this.player.motion.begin;
    this.to = this.player.motion.end;
    this.changed();
  }
  /** Makes the span `factor` times as long, with `time` staying where it is. */
  zoom(factor: number, time: number): void {
    this.set(time - (time - this.from) * factor, time + (this.to - time) * factor);
  }

  private changed(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      for (const listener of this.listeners) listener();
    });
  }
}
