// An earlier position of a game: of one in progress from its turns, of a finished one from its positions.

/** @typedef {import('./table.js').Table} Table */
/** @typedef {import('./table.js').Turn} Turn */

/**
 * The position after this number of turns; the last one is the table as it stands.
 *
 * @param {Table | readonly Table[]} source A game in progress, or the positions of `historyOf` in history.js.
 * @param {number} turnIndex
 * @returns {Table}
 */
export function tableAt(source, turnIndex) {
  if ('game' in source) return turnIndex >= source.turns.length ? source : earlierTable(source, Math.max(0, turnIndex));
  return source[Math.max(0, Math.min(source.length - 1, turnIndex))];
}

/**
 * An earlier position, as far as the turns tell of it.
 *
 * @param {Table} table
 * @param {number} count
 * @returns {Table}
 */
function earlierTable(table, count) {
  const made = table.turns.slice(0, count);
  const later = table.turns.slice(count);
  const lies = made.filter((turn, i) => !turn.off || i === count - 1);
  const board = new Map(lies.flatMap(({ squares }) => squares));
  const rackSize = table.setup.rule_set.rack_size;
  const hidden = table.setup.rule_set.tiles.reduce((sum, tile) => sum + tile.count, 0) - board.size;
  const bag = Math.max(0, hidden - rackSize * table.seats.length);
  const seats = table.seats.map((seat, at) => {
    const ownLater = later.filter((turn) => turn.seat === at);
    // With tiles in the bag every rack is full; without, nothing was drawn since.
    const rackCount = bag > 0 ? rackSize : seat.rackCount + laidBy(ownLater);
    return {
      ...seat,
      score: scoreAfter(made, at),
      rack: ownLater.length > 0 ? ownLater[0].rack : seat.rack,
      rackCount,
      owed: 0,
    };
  });
  return {
    ...table,
    board,
    seats,
    bag,
    turns: made,
    lastPlay: made.filter(({ kind }) => kind === 'play').pop(),
    phase: 'running',
    turnNo: later[0].no,
    onTurn: later[0].seat,
    window: undefined,
    result: undefined,
    waitingUntil: undefined,
    waitingClocks: undefined,
  };
}

/** @param {readonly Turn[]} turns */
function laidBy(turns) {
  return turns.reduce((sum, turn) => sum + (turn.off ? 0 : turn.squares.length), 0);
}

/**
 * @param {readonly Turn[]} turns
 * @param {number} seat
 */
function scoreAfter(turns, seat) {
  let score = 0;
  for (const turn of turns) {
    if (turn.seat === seat) score = turn.total;
    for (const gained of turn.penalty) if (gained.seat === seat) score += gained.points;
  }
  return score;
}
