// Play, pause, step, scrub, speed; the keys that do the same.

import { button, make, on, select, toggle } from "../dom";
import { withUnit } from "../format";
import { kSpeeds, timeText, type Player } from "./player";

const kKeys = "space plays, ← → step, shift ← → go from event to event, Home and End, + and − change the speed";

export function transport(player: Player): HTMLElement {
  const play = button("Play", () => player.toggle(), { class: "primary play" });
  const slider = on(make("input", { type: "range", min: 0, max: 1, step: "any", "aria-label": "Time" }), {
    input: () => {
      player.pause();
      player.setTime(player.motion.begin + Number(slider.value) * (player.motion.end - player.motion.begin));
    },
  });
  const clock = make("span", { class: "clock" });
  const speeds = kSpeeds.map((speed): [string, string] => [String(speed), speed < 1 ? `1/${Math.round(1 / speed)}` : `${speed}×`]);
  const speed = select("Speed", speeds, String(player.speed), (value) => (player.speed = Number(value)));
  const list = speed.querySelector("select")!;

  const update = (): void => {
    const { begin, end } = player.motion;
    const share = end > begin ? (player.time - begin) / (end - begin) : 0;
    slider.value = String(share);
    slider.setAttribute("aria-valuetext", withUnit(player.time, "s"));
    clock.textContent = timeText(player);
    play.textContent = player.playing ? "Pause" : "Play";
    list.value = String(player.speed);
  };
  player.onMove(update);
  update();

  return make(
    "div",
    { class: "transport", role: "group", "aria-label": "Playing" },
    make("div", { class: "scrub" }, play, slider, clock),
    make(
      "div",
      { class: "controls" },
      make(
        "span",
        { class: "pair" },
        button("To the start", () => jump(player, 0), { face: "⇤" }),
        button("Event before", () => player.previousEvent(), { face: "◂ event" }),
        button("One step back", () => player.step(-1), { face: "‹" }),
        button("One step on", () => player.step(1), { face: "›" }),
        button("Next event", () => player.nextEvent(), { face: "event ▸" }),
        button("To the end", () => jump(player, player.motion.rows - 1), { face: "⇥" }),
      ),
      speed,
      select("Step", steps(player), "0", (value) => (player.stepTime = Number(value))),
      toggle("Slow at events", player.slowAtEvents, (checked) => (player.slowAtEvents = checked)),
    ),
    make("p", { class: "keys small soft" }, `Keys: ${kKeys}.`),
  );
}

/** From row to row, or by round times of about a thousandth and a hundredth of the motion. */
function steps({ motion }: Player): [string, string][] {
  const power = 10 ** Math.ceil(Math.log10(motion.end - motion.begin || 1) - 3);
  return [["0", "a row"], ...[power, 10 * power].map((time): [string, string] => [String(time), withUnit(time, "s")])];
}

/** Keys act wherever the focus is, unless the control under it uses them itself. */
export function listenToKeys(player: Player): void {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target as HTMLElement;
    if (target.closest("select, textarea, input:not([type=range], [type=checkbox])")) return;
    if (event.key === " " && target.closest("button, summary, input, a")) return;
    const act = actionOf(event, player);
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
}

function actionOf(event: KeyboardEvent, player: Player): (() => void) | undefined {
  const actions: Record<string, () => void> = {
    " ": () => player.toggle(),
    ArrowRight: () => (event.shiftKey ? player.nextEvent() : player.step(1)),
    ArrowLeft: () => (event.shiftKey ? player.previousEvent() : player.step(-1)),
    Home: () => jump(player, 0),
    End: () => jump(player, player.motion.rows - 1),
    "+": () => player.faster(1),
    "=": () => player.faster(1),
    "-": () => player.faster(-1),
  };
  return actions[event.key];
}

function jump(player: Player, position: number): void {
  player.pause();
  player.setPosition(position);
}
