// What ends a disturbance of a gait, over its time and size, and after which ones the gait is regained.

import * as Plot from "@observablehq/plot";
import { chart } from "../chart";
import type { Point } from "../document";
import { make, section, type Child } from "../dom";
import { axisOptions, borderMark, labelsMark, tilesLegend, tilesMark, tileSpots, type Axis, type Kind, type Plane } from "../tiles";

export interface OutcomeMap {
  title: string;
  /** The answer in a sentence. */
  words: string;
  times: number[];
  sizes: Axis;
  /** Rows of the times. */
  outcome: string[][];
  regained: boolean[][];
  kinds: Kind[];
  /** Known points of borders between outcomes, and of those where the gait is lost. */
  borders?: Point[];
  basin?: Point[];
  /** What a tile says besides its kind and whether the gait is regained. */
  tell?: (i: number, j: number) => string[];
}

export function outcomeMapSection(map: OutcomeMap, ...more: Child[]): HTMLElement {
  const transpose = <T>(rows: T[][]): T[][] => map.sizes.values.map((_, j) => rows.map((row) => row[j]!));
  const axes = { x: { name: "time", unit: "s", values: map.times }, y: map.sizes };
  const outcomes: Plane = { ...axes, words: transpose(map.outcome), borders: map.borders ?? [] };
  const regained: Plane = { ...axes, words: transpose(map.regained).map((row) => row.map(String)), borders: map.basin ?? [] };
  const any = map.regained.flat().some(Boolean);
  const tell = (i: number, j: number): string[] => {
    const outcome = map.outcome[i]![j]!;
    const label = map.kinds.find(({ word }) => word === outcome)?.label ?? outcome;
    return [label, map.regained[i]![j] ? "the gait is regained" : "the gait is not regained", ...(map.tell?.(i, j) ?? [])];
  };
  return section(
    map.title,
    make("p", {}, map.words),
    chart({
      title: "",
      description: `${map.title}, over time and size. ${map.words}`,
      x: axisOptions(axes.x),
      y: axisOptions(axes.y),
      height: 420,
      plot: { marginTop: 24 },
      marks: () => [
        tilesMark(outcomes, map.kinds),
        Plot.ruleY([0], { stroke: "var(--soft)", strokeOpacity: 0.6 }),
        borderMark(regained, () => true, { "stroke-width": 2.5 }),
        labelsMark(outcomes, map.kinds),
        Plot.frame({ stroke: "var(--line)" }),
      ],
      spots: tileSpots(outcomes, tell),
    }),
    tilesLegend(outcomes, map.kinds),
    make(
      "p",
      { class: "soft small" },
      any ? "The dark line separates disturbances after which the gait is regained from the others." : "The gait is regained after none of these.",
    ),
    ...more,
  );
}
