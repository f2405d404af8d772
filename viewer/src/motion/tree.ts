// The tree of runs: which run came from which by which choice, and how each ended.

import type { RunResult } from "../document";
import { make, on } from "../dom";
import { number } from "../format";
import { color } from "../palette";
import type { Path } from "./paths";

const kRowHeight = 34; // px, as in the style sheet

/** `limited`: some choices were not followed. */
export function runTree(results: RunResult[], paths: Path[], limited: boolean, choose: (path: Path) => void): HTMLElement {
  const order = depthFirst(results, null);
  const last = Math.max(...results.map(({ end }) => end.time));
  const rows = order.map(({ run, depth }, row) => {
    const parent = results[run]!.parent ?? null;
    const from = parent === null ? 0 : results[parent]!.end.time;
    const up = parent === null ? 0 : row - order.findIndex((other) => other.run === parent);
    return make(
      "div",
      { class: "run-row" },
      name(results, paths, run, depth, choose),
      bar(from / last, results[run]!.end.time / last, up),
      make("span", { class: "small soft" }, ending(results[run]!)),
    );
  });
  const legend = limited ? "Runs: choices were followed up to the limit on runs or depth" : "Runs: each choice was followed";
  return make("fieldset", { class: "tree" }, make("legend", {}, legend), make("div", { class: "tree-rows" }, rows));
}

function name(results: RunResult[], paths: Path[], run: number, depth: number, choose: (path: Path) => void): HTMLElement {
  const text = results[run]!.choice ?? "start";
  const path = paths.find(({ leaf }) => leaf === run);
  const style = `padding-left:${depth * 18}px`;
  if (path === undefined) return make("span", { class: "run-name", style }, text);
  const radio = make("input", { type: "radio", name: "run", value: run, checked: path === paths[0] });
  on(radio, { change: () => choose(path) });
  return make("label", { class: "run-name toggle", style }, radio, make("span", {}, text));
}

/** From its start to its end in time, with a line up to the run it came from. */
function bar(from: number, to: number, up: number): HTMLElement {
  const percent = (part: number): string => `${(100 * part).toFixed(2)}%`;
  const line = `left:${percent(from)};width:max(3px,${percent(to - from)});background:${color("series-0")}`;
  const link = `left:${percent(from)};height:${up * kRowHeight}px;bottom:50%`;
  return make("span", { class: "run-bar", "aria-hidden": "true" }, make("i", { style: line }), up > 0 && make("b", { style: link }));
}

function ending(run: RunResult): string {
  if (run.merged_into !== undefined && run.merged_into !== null) return `goes on like run ${run.merged_into}`;
  if (run.end.reason === "branch") return `several futures at ${number(run.end.time)} s`;
  return `${run.end.reason === "time" ? "time is up" : run.end.reason} at ${number(run.end.time)} s`;
}

function depthFirst(results: RunResult[], parent: number | null, depth = 0): { run: number; depth: number }[] {
  return results.flatMap((result, run) =>
    (result.parent ?? null) === parent ? [{ run, depth }, ...depthFirst(results, run, depth + 1)] : [],
  );
}
