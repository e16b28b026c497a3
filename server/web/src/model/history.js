// The positions of a finished game, from all its events as its record has them.

import { RecordReader } from './record.js';
import { emptyTable, takeEvent } from './table.js';

/** @typedef {import('./table.js').Table} Table */

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
