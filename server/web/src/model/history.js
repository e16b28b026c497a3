// Earlier positions of a game: of one in progress from its turns, of a finished one from all its events.

import { RecordReader } from './record.js';
import { emptyTable, takeEvent } from './table.js';

/** @typedef {import('./table.js').Table} Table */
/** @typedef {import('./table.js').Turn} Turn */

const TURN_KINDS = new Set(['play_made', 'exchanged', 'passed', 'turn_lost']);

/**
 * The first line of a native record: `game`, `rule_set`, `language`, `lexicon`, and what later versions add.
 *
 * @param {string} text
 * @returns {{ game: string, rule_set: string, language: string, lexicon: string, setup?: Protocol.GameSetup }}
 */
export function recordHeader(text) {
  const header = JSON.parse(text.slice(0, text.indexOf('\n')));
  if (header.format !== 'tilewire-record') throw new Error('not a record of a game');
  return header;
}

/**
 * The events of a native record in the form of the protocol, with every rack and every draw.
 *
 * @param {string} text
 * @param {Protocol.RuleSetInfo} [ruleSet] As the request `rule_set` describes it; needed unless the record itself does.
 * @returns {Protocol.GameEvent[]}
 */
export function recordEvents(text, ruleSet) {
  const { game, setup } = recordHeader(text);
  const rules = setup?.rule_set ?? ruleSet;
  if (!rules) throw new Error('the record does not have the rules of its game');
  const reader = new RecordReader(rules);
  const lines = text
    .split('\n')
    .slice(1)
    .filter((line) => line.trim() !== '');
  const events = lines.map((line) => reader.event(JSON.parse(line), game));
  return setup && events[0]?.kind === 'created' ? [{ ...events[0], setup }, ...events.slice(1)] : events;
}

/**
 * The positions of a game: before its first turn, after each turn, and at last as it stands. A play that came off is on
 * the board in the position behind it, and in no later one.
 *
 * @param {readonly Protocol.GameEvent[]} events From the first one on.
 * @param {string} [identity] The own identity, if the player had a seat.
 * @returns {Table[]}
 */
export function historyOf(events, identity) {
  const table = emptyTable(events[0]?.game ?? '', identity);
  /** @type {Table[]} */
  const positions = [];
  for (const event of events) {
    const comesOff = event.kind === 'challenge_decided' && event.upheld;
    if ((TURN_KINDS.has(event.kind) || comesOff) && positions.length <= table.turns.length)
      positions.push(tableCopy(table));
    takeEvent(table, event);
  }
  positions[table.turns.length] = table;
  return positions;
}

/**
 * The position after so many turns; the last one is the table as it stands.
 *
 * @param {Table | readonly Table[]} source A game in progress, or the positions of `historyOf`.
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

/**
 * @param {Table} table
 * @returns {Table}
 */
function tableCopy(table) {
  return {
    ...table,
    board: new Map(table.board),
    turns: [...table.turns],
    seats: table.seats.map((seat) => ({ ...seat, rack: seat.rack && [...seat.rack] })),
    window: table.window && { ...table.window },
  };
}
