// The tiles that nobody at this screen has seen: those of the bag and of hidden racks.

import { tileOfFace } from '../play/faces.js';

/** @typedef {import('./table.js').Table} Table */

/**
 * Every face of the tile set in its order, with the number of tiles that are neither on the board nor on a rack that is
 * seen.
 *
 * @param {Table} table
 * @returns {Array<{ face: string, count: number, value: number }>}
 */
export function unseenTiles(table) {
  /** @type {Map<string, number>} */
  const seen = new Map();
  const racks = table.seats.flatMap(({ rack }) => rack ?? []);
  for (const face of [...table.board.values(), ...racks]) {
    const tile = tileOfFace(face);
    seen.set(tile, (seen.get(tile) ?? 0) + 1);
  }
  return table.setup.rule_set.tiles.map(({ face, count, value }) => ({
    face,
    value,
    count: Math.max(0, count - (seen.get(face) ?? 0)),
  }));
}
