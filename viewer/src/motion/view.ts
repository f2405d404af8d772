// Everything that shows a motion, put together for the pages.

import type { RunEnd, RunResult, SlipstickDocument } from "../document";
import { make, section } from "../dom";
import { kModeWords } from "../palette";
import { eventChip, modeWord } from "../words";
import { curves } from "./curves";
import { eventTable } from "./events";
import { Motion } from "./motion";
import { makePaths, type Path } from "./paths";
import { phasePlane } from "./phase";
import { Player } from "./player";
import { stage } from "./stage";
import { states } from "./states";
import { listenToKeys, transport } from "./transport";
import { runTree } from "./tree";

/** The motion of a document; `results` are its runs, in the order of motion.runs. */
export function motionView(document: SlipstickDocument, results: RunResult[]): HTMLElement {
  const motion = document.motion!;
  const paths = makePaths(motion, results).filter((path) => path.motion.rows > 0);
  if (paths[0] === undefined) return atOnce(document, results[0]!);
  let chosen = paths[0];
  const player = new Player(chosen.motion);
  const others = () => paths.filter((path) => path !== chosen).map((path) => path.motion);
  const ends = make("div", {});
  const showEnds = (): void => ends.replaceChildren(endsOf(document, results, chosen));
  const choose = (path: Path): void => {
    chosen = path;
    player.setMotion(path.motion);
    showEnds();
  };
  showEnds();
  listenToKeys(player);

  return make(
    "div",
    { class: "motion" },
    make(
      "div",
      { class: "motion-main" },
      document.scene && stage(document.scene, player, others),
      transport(player),
      modeLine(player, document.model.contacts),
      paths.length > 1 && runTree(results, paths, document.result["limited"] === true, choose),
      section("Events", eventTable(player, document.model.contacts)),
      section("Start and end", ends),
    ),
    make(
      "div",
      { class: "motion-side" },
      section("Over time", curves(player, others)),
      section("Phase plane", phasePlane(player, others, motion.regions, document.model.contacts)),
    ),
  );
}

/** A run that ended where it began has nothing that moves. */
function atOnce(document: SlipstickDocument, result: RunResult): HTMLElement {
  const events = result.events.map(({ type }) => eventChip(type));
  return make("div", { class: "motion" }, section("Start and end", make("p", { class: "legend" }, events), states(document, new Motion([], []), result.state, result.end)));
}

/** What each contact does now, in words. */
function modeLine(player: Player, contacts: string[]): HTMLElement {
  const line = make("p", { class: "mode-line" });
  let shown: string | null = null;
  const update = (): void => {
    const word = player.motion.word(player.row);
    if (word === shown) return;
    shown = word;
    const words = [...word].map((letter, i) => `${contacts[i] ?? ""}: ${kModeWords[letter] ?? letter}`);
    line.replaceChildren(modeWord(word, contacts), make("span", { class: "soft" }, words.join(", ")));
  };
  player.onMove(update);
  update();
  return line;
}

function endsOf(document: SlipstickDocument, results: RunResult[], path: Path): HTMLElement {
  const last = results[path.runs[path.runs.length - 1]!]!;
  const end: RunEnd | undefined = last.end;
  return states(document, path.motion, last.state, end);
}
