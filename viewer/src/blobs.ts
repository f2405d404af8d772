// Connected regions of equal words in a grid, and where in each there is most room for a label.

export interface Blob {
  word: string;
  size: number;
  /** Column and row of the cell farthest from any other word and from the edge. */
  i: number;
  j: number;
}

export function findBlobs(words: string[][]): Blob[] {
  const depth = depths(words);
  const seen = words.map((row) => row.map(() => false));
  const blobs: Blob[] = [];
  words.forEach((row, j) =>
    row.forEach((word, i) => {
      if (!seen[j]![i]) blobs.push(flood(words, depth, seen, { word, size: 0, i, j }));
    }),
  );
  return blobs;
}

function flood(words: string[][], depth: number[][], seen: boolean[][], blob: Blob): Blob {
  const todo: [number, number][] = [[blob.i, blob.j]];
  seen[blob.j]![blob.i] = true;
  for (let next = todo.pop(); next; next = todo.pop()) {
    const [i, j] = next;
    ++blob.size;
    if (depth[j]![i]! > depth[blob.j]![blob.i]!) [blob.i, blob.j] = [i, j];
    for (const [k, l] of around(i, j)) {
      if (words[l]?.[k] !== blob.word || seen[l]![k]) continue;
      seen[l]![k] = true;
      todo.push([k, l]);
    }
  }
  return blob;
}

/** Steps from each cell to the nearest one of another word or outside: two sweeps, down and up. */
function depths(words: string[][]): number[][] {
  const depth = words.map((row) => row.map(() => 0));
  const relax = (i: number, j: number, sides: [number, number][]): number =>
    Math.min(...sides.map(([k, l]) => (words[l]?.[k] === words[j]![i] ? depth[l]![k]! + 1 : 1)));
  for (let j = 0; j < words.length; ++j)
    for (let i = 0; i < words[j]!.length; ++i) depth[j]![i] = relax(i, j, [[i - 1, j], [i, j - 1]]);
  for (let j = words.length - 1; j >= 0; --j)
    for (let i = words[j]!.length - 1; i >= 0; --i) depth[j]![i] = Math.min(depth[j]![i]!, relax(i, j, [[i + 1, j], [i, j + 1]]));
  return depth;
}

const around = (i: number, j: number): [number, number][] => [[i - 1, j], [i + 1, j], [i, j - 1], [i, j + 1]];
