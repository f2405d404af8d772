// The path of an impact in the planes of impulses and of velocities of one contact (hodograph).

import * as Plot from "@observablehq/plot";
import { chart } from "../chart";
import { number, withUnit } from "../format";
import { color, kModeWords } from "../palette";
import type { ImpulsePoint, Line, Outcome, Piece, Plane } from "./impact_result";

type Domain = [least: number, greatest: number];

/** The path of one contact: its start and the ends of its pieces. */
interface Path {
  points: ImpulsePoint[];
  pieces: Piece[];
}

const pathOf = ({ path }: Outcome, plane: Plane): Path => {
  const pieces = path.filter(({ contact }) => contact === plane.contact);
  return { points: [plane.start, ...pieces.map(({ end }) => end)], pieces };
};

/** Contains zero and all values, with some room. */
function domainOf(values: number[]): Domain {
  const [least, greatest] = [Math.min(0, ...values), Math.max(0, ...values)];
  const room = 0.15 * (greatest - least) || 1;
  return [least - room, greatest + room];
}

/** Where a line lies between the ends of the horizontal axis, P_t; a vertical one between those of P_n. */
function segmentOf({ c, n, t }: Line, along: Domain, across: Domain): [number, number][] {
  const upright = Math.abs(n) * (across[1] - across[0]) < 1e-9 * Math.abs(t) * (along[1] - along[0]);
  if (upright) return across.map((impulse_n) => [-(c + n * impulse_n) / t, impulse_n]);
  return along.map((impulse_t) => [impulse_t, -(c + t * impulse_t) / n]);
}

/** The pieces between points, each on the colour of what the contact does; the restitution is dashed. */
function pieceMarks({ points, pieces }: Path, x: keyof ImpulsePoint, y: keyof ImpulsePoint): Plot.Markish[] {
  return pieces.map((piece, i) =>
    Plot.line(
      [points[i]!, points[i + 1]!].map((point) => [point[x], point[y]]),
      {
        stroke: color(`mode-${piece.motion}`),
        strokeWidth: 3,
        strokeDasharray: piece.phase === "restitution" ? "7 4" : undefined,
        markerEnd: "arrow",
        className: "path",
      },
    ),
  );
}

const wordOf = (piece: Piece): string => `${piece.phase}: ${kModeWords[piece.motion] ?? piece.motion}`;

const tellPoint = (head: string, point: ImpulsePoint): string[] => [
  head,
  `P_n = ${withUnit(point.impulse_n, "N\u202fs")}`,
  `P_t = ${withUnit(point.impulse_t, "N\u202fs")}`,
  `slip ${withUnit(point.slip, "m/s")}, gap rate ${withUnit(point.gap_rate, "m/s")}`,
];

const spotsOf = ({ points, pieces }: Path, x: keyof ImpulsePoint, y: keyof ImpulsePoint) =>
  points.map((point, i) => ({ x: point[x], y: point[y], tell: () => tellPoint(i === 0 ? "before" : `end of ${wordOf(pieces[i - 1]!)}`, point) }));

const ends = (range: readonly (number | null)[] | undefined): number[] => (range ?? []).filter((end): end is number => end !== null);

/** The plane of the impulses: friction cone, lines of sticking and of greatest compression, the path, the family's ranges. */
export function impulseChart(outcome: Outcome, plane: Plane, index: number): HTMLElement {
  const path = pathOf(outcome, plane);
  const [range_n, range_t] = [outcome.family?.impulse_n[index], outcome.family?.impulse_t[index]];
  const along = domainOf([...path.points.map(({ impulse_t }) => impulse_t), ...ends(range_t)]);
  const across = domainOf([...path.points.map(({ impulse_n }) => impulse_n), ...ends(range_n)]);
  const reach = Math.max(-across[0], across[1]);
  const sides = across[0] < -0.5 * across[1] ? [1, -1] : [1];
  const cone = sides.flatMap((side) => [-1, 1].map((sign) => [[0, 0], [sign * plane.mu * reach, side * reach]] as [number, number][]));
  const box = range_n && range_t ? [{ x1: range_t[0] ?? along[0], x2: range_t[1] ?? along[1], y1: range_n[0] ?? across[0], y2: range_n[1] ?? across[1] }] : [];
  const last = path.points[path.points.length - 1]!;
  return chart({
    title: `Impulses of ${plane.contact}`,
    description: `The path of ${plane.contact} in the plane of its impulses: from zero to P_n = ${number(last.impulse_n)} and P_t = ${number(last.impulse_t)} N s, in ${path.pieces.length} pieces, with the friction cone and the lines of sticking and of greatest compression.`,
    x: { label: "P_t (N\u202fs)", domain: along },
    y: { label: "P_n (N\u202fs)", domain: across, grid: false },
    height: 380,
    marks: () => [
      Plot.rect(box, { x1: "x1", x2: "x2", y1: "y1", y2: "y2", fill: color("verdict-marginal"), fillOpacity: 0.18, className: "family" }),
      cone.map((edge) => Plot.line(edge, { stroke: "var(--soft)", strokeDasharray: "2 3", clip: true })),
      Plot.line(segmentOf(plane.sticking, along, across), { stroke: color("series-2"), strokeWidth: 1.5, clip: true, className: "sticking" }),
      Plot.line(segmentOf(plane.compressed, along, across), { stroke: color("series-4"), strokeWidth: 1.5, clip: true, className: "compressed" }),
      pieceMarks(path, "impulse_t", "impulse_n"),
      Plot.dot(path.points, { x: "impulse_t", y: "impulse_n", r: 4, fill: "var(--ink)", stroke: "var(--paper)", className: "corner" }),
      Plot.frame({ stroke: "var(--line)" }),
    ],
    spots: { list: spotsOf(path, "impulse_t", "impulse_n") },
  });
}

/** The hodograph: slip and gap rate of the contact along the path. */
export function velocityChart(outcome: Outcome, plane: Plane): HTMLElement {
  const path = pathOf(outcome, plane);
  const last = path.points[path.points.length - 1]!;
  return chart({
    title: `Velocity of ${plane.contact}`,
    description: `The hodograph of ${plane.contact}: from slip ${number(plane.start.slip)} and gap rate ${number(plane.start.gap_rate)} to ${number(last.slip)} and ${number(last.gap_rate)} m/s.`,
    x: { label: "slip (m/s)", domain: domainOf(path.points.map(({ slip }) => slip)) },
    y: { label: "gap rate (m/s)", domain: domainOf(path.points.map(({ gap_rate }) => gap_rate)), grid: false },
    height: 380,
    marks: () => [
      Plot.ruleX([0], { stroke: color("series-2"), strokeWidth: 1.5 }),
      Plot.ruleY([0], { stroke: color("series-4"), strokeWidth: 1.5 }),
      pieceMarks(path, "slip", "gap_rate"),
      Plot.dot(path.points, { x: "slip", y: "gap_rate", r: 4, fill: "var(--ink)", stroke: "var(--paper)" }),
      Plot.frame({ stroke: "var(--line)" }),
    ],
    spots: { list: spotsOf(path, "slip", "gap_rate") },
  });
}
