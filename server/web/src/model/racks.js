// The racks and the bag, as far as they are seen: draws, and the end of a game, which shows all of them.

/** @typedef {import('./table.js').Table} Table */

/**
 * A seat has drawn: what it is owed, or to fill its rack.
 *
 * @param {Table} table
 * @param {Protocol.TilesDrawnEvent} event
 */
export function tilesDrawn(table, event) {
  const seat = table.seats[event.seat];
  seat.rackCount += event.count - seat.owed;
  seat.owed = 0;
  // One draw that is not seen makes the whole rack unknown.
  seat.rack = event.tiles && seat.rack ? [...seat.rack, ...event.tiles] : undefined;
  table.bag = event.bag;
}

/**
 * The game is over.
 *
 * @param {Table} table
 * @param {Protocol.EndedEvent} event
 */
export function gameEnded(table, event) {
  Object.assign(table, { phase: 'ended', result: event, onTurn: undefined, window: undefined, turnStart: undefined });
  endQuestions(table);
  showRacks(table, event);
}

/**
 * Clears every open question, and marks no player as away.
 *
 * @param {Table} table
 */
export function endQuestions(table) {
  Object.assign(table, { abortRequest: undefined, nudge: undefined });
  for (const seat of table.seats) seat.claimAt = undefined;
}

/**
 * Shows all racks and exchanges at the end.
 *
 * @param {Table} table
 * @param {Protocol.GameResult} result
 */
export function showRacks(table, { results, exchanges = [] }) {
  for (const { seat, rack } of results) table.seats[seat].rack = [...rack];
  for (const { turn_no: no, tiles } of exchanges) {
    const turn = table.turns.find((known) => known.no === no && known.kind === 'exchange');
    if (turn) turn.exchanged = tiles;
  }
}
