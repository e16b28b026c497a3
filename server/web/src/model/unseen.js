// The tiles that nobody at this screen has seen, and where they are: in the bag, on hidden racks, or withheld.

import { tileOfFace } from '../play/faces.js';

/** @typedef {import('./table.js').Table} Table */

/**
 * @typedef {object} Unseen
 * @property {Array<{ face: string, count: number, value: number }>} tiles Every face of the tile set in its order, with
 *   the number of tiles that are neither on the board nor on a rack that is seen.
 * @property {number} all
 * @property {number} bag Tiles in the bag; owed tiles count as dealt.
 * @property {Array<{ seat: number, count: number }>} others The racks that are not seen; owed tiles count as dealt.
 * @property {number} withheld Tiles that are in no place of these: those that the own seat draws when its play stands, and
 *   exchanged tiles before the bag is mixed.
 */

/**
 * @param {Table} table
 * @returns {Unseen}
 */
export function unseenOf(table) {
  /** @type {Map<string, number>} */
  const seen = new Map();
  const racks = table.seats.flatMap(({ rack }) => rack ?? []);
  for (const face of [...table.board.values(), ...racks]) {
    const tile = tileOfFace(face);
    seen.set(tile, (seen.get(tile) ?? 0) + 1);
  }
  const tiles = table.setup.rule_set.tiles.map(({ face, count, value }) => ({
    face,
    value,
    count: Math.max(0, count - (seen.get(face) ?? 0)),
  }));
  const all = tiles.reduce((sum, { count }) => sum + count, 0);
  const others = table.seats.flatMap(({ rack, rackCount }, seat) => (rack ? [] : [{ seat, count: rackCount }]));
  const placed = others.reduce((sum, { count }) => sum + count, table.bag);
  return { tiles, all, bag: table.bag, others, withheld: Math.max(0, all - placed) };
}
