// Connected regions of equal words in a grid, and where in each there is most room for a label.

type Cell = [i: number, j: number];

export interface Blob {
  word: string;
  size: number;
  /** Column and row of a cell farthest from any other word and from the edge, and how far that is, in cells. */
  i: number;
  j: number;
  depth: number;
}

export function findBlobs(words: string[][]): Blob[] {
  const depth = depths(words);
  const seen = words.map((row) => row.map(() => false));
  const blobs: Blob[] = [];
  words.forEach((row, j) =>
    row.forEach((word, i) => {
      if (!seen[j]![i]) blobs.push(describe(word, flood(words, seen, [i, j]), depth));
    }),
  );
  return blobs;
}

/** All cells connected to a first one. */
function flood(words: string[][], seen: boolean[][], first: Cell): Cell[] {
  const word = words[first[1]]![first[0]];
  const cells: Cell[] = [first];
  seen[first[1]]![first[0]] = true;
  for (let next = 0; next < cells.length; ++next)
    for (const [k, l] of around(...cells[next]!)) {
      if (words[l]?.[k] !== word || seen[l]![k]) continue;
      seen[l]![k] = true;
      cells.push([k, l]);
    }
  return cells;
}

/** Of the deepest cells the one nearest to the middle of them all. */
function describe(word: string, cells: Cell[], depth: number[][]): Blob {
  const deepest = cells.reduce((most, [i, j]) => Math.max(most, depth[j]![i]!), 0);
  const inner = cells.filter(([i, j]) => depth[j]![i] === deepest);
  const middle = [0, 1].map((axis) => inner.reduce((sum, cell) => sum + cell[axis]!, 0) / inner.length);
  const distance = ([i, j]: Cell): number => Math.hypot(i - middle[0]!, j - middle[1]!);
  const [i, j] = inner.reduce((best, cell) => (distance(cell) < distance(best) ? cell : best));
  return { word, size: cells.length, i, j, depth: deepest };
}

/** Steps from each cell to the nearest one of another word or outside: two sweeps, down and up. */
function depths(words: string[][]): number[][] {
  const depth = words.map((row) => row.map(() => 0));
  const relax = (i: number, j: number, sides: Cell[]): number =>
    Math.min(...sides.map(([k, l]) => (words[l]?.[k] === words[j]![i] ? depth[l]![k]! + 1 : 1)));
  for (let j = 0; j < words.length; ++j)
    for (let i = 0; i < words[j]!.length; ++i) depth[j]![i] = relax(i, j, [[i - 1, j], [i, j - 1]]);
  for (let j = words.length - 1; j >= 0; --j)
    for (let i = words[j]!.length - 1; i >= 0; --i) depth[j]![i] = Math.min(depth[j]![i]!, relax(i, j, [[i + 1, j], [i, j + 1]]));
  return depth;
}

const around = (i: number, j: number): Cell[] => [[i - 1, j], [i + 1, j], [i, j - 1], [i, j + 1]];
