// The score of a series of rematches.

/** @typedef {import('./table.js').Table} Table */

/** Half points of a game won alone. */
const WIN = 2;

/**
 * The points of each seat in the series, including this game if it has a result; `undefined` for a game that is no rematch.
 *
 * @param {Table} table
 * @returns {{ number: number, points: number[] } | undefined}
 */
export function seriesOf(table) {
  const { series } = table.setup;
  if (!series) return undefined;
  const halves = [...series.score];
  const winners = table.result?.winners ?? [];
  for (const seat of winners) halves[seat] += winners.length === 1 ? WIN : WIN / 2;
  return { number: series.number, points: halves.map((half) => half / WIN) };
}
