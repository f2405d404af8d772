// A tree of runs as the motions it contains: every path from the first run to an end.

import type { MotionDocument, RunResult, SlipstickDocument, SlipstickEvent } from "../document";
import { Motion, type ShownEvent } from "./motion";

export interface Path {
  /** The run in which it ends, in result.runs. */
  leaf: number;
  /** Runs one after the other. */
  runs: number[];
  motion: Motion;
}

/** The runs of a result; a motion without branching is one run. */
export function runResults(document: SlipstickDocument): RunResult[] {
  const result = document.result as unknown as RunResult & { runs?: RunResult[] };
  return result.runs ?? [result];
}

/** All paths, the one that takes the first choice everywhere first. */
export function makePaths(motion: MotionDocument, results: RunResult[]): Path[] {
  const parents = new Set(results.map((run) => run.parent ?? -1));
  const leaves = results.map((_, i) => i).filter((i) => !parents.has(i));
  return leaves.map((leaf) => makePath(motion, results, leaf));
}

function makePath(motion: MotionDocument, results: RunResult[], leaf: number): Path {
  const runs = chain(results, leaf);
  const choice = (i: number): string | undefined => results[runs[i] ?? -1]?.choice ?? undefined;
  const events = runs.flatMap((run, i) =>
    results[run]!.events.map((event): ShownEvent => (event.policy === "branch" ? { ...event, taken: takenAt(event, choice(i), choice(i + 1)) } : event)),
  );
  return { leaf, runs, motion: new Motion(runs.map((run) => motion.runs[run]!), events) };
}

/** The choice taken at an event: the name of the next run if the event ends a run, else the own choice of a run that begins with the event. */
const takenAt = ({ alternatives = [] }: SlipstickEvent, own: string | undefined, next: string | undefined): string | undefined =>
  next !== undefined && alternatives.includes(next) ? next : own;

/** Ancestors of a run, the run itself and, if it was not followed again, the rest of the run it merged into. */
function chain(results: RunResult[], leaf: number): number[] {
  const runs: number[] = [];
  for (let run: number | null | undefined = leaf; run !== null && run !== undefined; run = results[run]!.parent) runs.unshift(run);
  const seen = new Set(runs);
  let next = results[leaf]!.merged_into ?? null;
  while (next !== null && !seen.has(next)) {
    seen.add(next);
    runs.push(next);
    const from: number = next;
    const child = results.findIndex((run) => run.parent === from);
    next = results[next]!.merged_into ?? (child >= 0 ? child : null);
  }
  return runs;
}
