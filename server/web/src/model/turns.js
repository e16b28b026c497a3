// The turns of a game: plays, exchanges, passes, lost turns, and the verdicts about plays.

import { tileOfFace } from '../play/faces.js';
import { laidSquares } from '../play/squares.js';
import { openWindow } from './window.js';

/** @typedef {import('./table.js').Table} Table */

/**
 * @typedef {object} Turn
 * @property {number} no
 * @property {number} seat
 * @property {'play' | 'exchange' | 'pass' | 'lost'} kind
 * @property {number | undefined} playId
 * @property {string | undefined} start
 * @property {string[]} tiles The main word with `.` where tiles lay already; empty if it is no play.
 * @property {Array<[number, string]>} squares The tiles laid.
 * @property {Array<[string, number]>} words
 * @property {number} bonus
 * @property {number} score As made: a play that came off keeps the points that it lost.
 * @property {number} total The seat's points afterwards.
 * @property {number | undefined} count Tiles exchanged.
 * @property {string[] | undefined} exchanged The tiles exchanged, if they are known.
 * @property {boolean} off Whether the play came off the board.
 * @property {'off' | 'withdrawn' | 'stands' | undefined} verdict If the play was challenged.
 * @property {string[]} badWords
 * @property {number | undefined} challenger
 * @property {Protocol.SeatPoints[]} penalty Points that a failed challenge gave or took.
 * @property {number | undefined} usedMs The time it took, if its events are known.
 * @property {string[] | undefined} rack The rack before the turn, if it was seen.
 */

/** @type {Record<string, Turn['kind']>} */
const KINDS_OF_TURNS = { play: 'play', exchange: 'exchange', pass: 'pass', lost_turn: 'lost' };

/**
 * A turn from a snapshot.
 *
 * @param {Protocol.TurnRecord} record
 * @param {number} cols
 * @returns {Turn}
 */
export function turnOfRecord(record, cols) {
  const { turn_no: no, seat, score, total, words = [], tiles, start, count, off = false, play_id: playId } = record;
  const { bonus = 0, challenger, bad_words: badWords = [], points: penalty = [], rack } = record;
  const kind = KINDS_OF_TURNS[record.kind] ?? 'pass';
  const isPlay = kind === 'play';
  return {
    ...plainTurn(no, seat, kind, total),
    playId,
    start,
    score,
    words,
    count,
    off,
    tiles: isPlay ? (tiles ?? []) : [],
    squares: isPlay && start ? laidSquares(start, tiles ?? [], cols) : [],
    bonus,
    challenger,
    badWords,
    penalty,
    verdict: challenger === undefined ? undefined : verdictOf(off, off && badWords.length === 0),
    rack: rack && [...rack],
    exchanged: isPlay ? undefined : tiles,
  };
}

/**
 * @param {boolean} upheld Whether the play came off.
 * @param {boolean} withdrawn Whether its author took it off, so that the lexicon was not asked.
 * @returns {NonNullable<Turn['verdict']>}
 */
function verdictOf(upheld, withdrawn) {
  if (withdrawn) return 'withdrawn';
  return upheld ? 'off' : 'stands';
}

/**
 * @param {number} no
 * @param {number} seat
 * @param {Turn['kind']} kind
 * @param {number} total
 * @returns {Turn}
 */
function plainTurn(no, seat, kind, total) {
  return {
    no,
    seat,
    kind,
    playId: undefined,
    start: undefined,
    tiles: [],
    squares: [],
    words: [],
    bonus: 0,
    score: 0,
    total,
    count: undefined,
    exchanged: undefined,
    off: false,
    verdict: undefined,
    badWords: [],
    challenger: undefined,
    penalty: [],
    usedMs: undefined,
    rack: undefined,
  };
}

/**
 * Ends the turn in progress, or uses one that the seat has lost.
 *
 * @param {Table} table
 * @param {{ turn_no: number, seat: number }} event
 * @param {Turn['kind']} kind
 * @param {number | undefined} usedMs
 * @returns {Turn}
 */
export function turnUsed(table, event, kind, usedMs) {
  const { score, rack } = table.seats[event.seat];
  const turn = { ...plainTurn(event.turn_no, event.seat, kind, score), usedMs, rack: rack && [...rack] };
  table.turns.push(turn);
  Object.assign(table, { onTurn: undefined, turnStart: undefined });
  return turn;
}

/**
 * A play was made. The tiles that replace it are owed, and count as dealt.
 *
 * @param {Table} table
 * @param {Protocol.PlayMadeEvent} event
 * @param {number | undefined} usedMs
 */
export function playMade(table, event, usedMs) {
  const { start, tiles, words, bonus = 0, score, total, owed } = event;
  const seat = table.seats[event.seat];
  const squares = laidSquares(start, tiles, table.cols);
  const turn = Object.assign(turnUsed(table, event, 'play', usedMs), {
    playId: event.seq,
    start,
    tiles,
    squares,
    words,
    bonus,
    score,
    total,
  });
  for (const [square, face] of squares) table.board.set(square, face);
  seat.rack = withoutTiles(
    seat.rack,
    squares.map(([, face]) => tileOfFace(face)),
  );
  seat.rackCount += owed - squares.length;
  Object.assign(seat, { score: total, owed });
  table.bag -= owed;
  table.lastPlay = turn;
  openWindow(table, event);
}

/**
 * Tiles were given back; those drawn for them follow.
 *
 * @param {Table} table
 * @param {Protocol.ExchangedEvent} event
 * @param {number | undefined} usedMs
 */
export function exchangeMade(table, event, usedMs) {
  const seat = table.seats[event.seat];
  Object.assign(turnUsed(table, event, 'exchange', usedMs), { count: event.count, exchanged: event.tiles });
  seat.rackCount -= event.count;
  seat.rack = event.tiles && withoutTiles(seat.rack, event.tiles);
}

/**
 * A challenge was decided.
 *
 * @param {Table} table
 * @param {Protocol.ChallengeDecidedEvent} event
 */
export function verdictGiven(table, event) {
  const {
    seat: challenger,
    upheld,
    withdrawn,
    bad_words: badWords,
    points: penalty,
    turn_debt: turnDebt,
    totals,
  } = event;
  totals.forEach((total, i) => {
    table.seats[i].score = total;
  });
  table.seats[challenger].turnDebt = turnDebt;
  // The challenger loses the turn in progress with the next event.
  if (turnDebt > 0 && table.onTurn === challenger) table.onTurn = undefined;
  const turn = table.lastPlay;
  if (turn?.playId !== event.play_id) return;
  Object.assign(turn, { challenger, badWords, penalty, verdict: verdictOf(upheld, withdrawn) });
  if (upheld) takeOff(table, turn);
}

/**
 * Takes a play off the board: its tiles go back to the rack, those owed for it to the bag.
 *
 * @param {Table} table
 * @param {Turn} turn
 */
function takeOff(table, turn) {
  const seat = table.seats[turn.seat];
  for (const [square] of turn.squares) table.board.delete(square);
  seat.rack?.push(...turn.squares.map(([, face]) => tileOfFace(face)));
  seat.rackCount += turn.squares.length - seat.owed;
  table.bag += seat.owed;
  seat.owed = 0;
  Object.assign(turn, { off: true, total: seat.score });
  table.onTurn = undefined;
}

/**
 * Finds what the author of the open play of a snapshot is owed, which counts as dealt there: what is beyond the tiles
 * that it kept. Its rack was full before the play, or else the bag was empty and nothing is owed.
 *
 * @param {Table} table
 * @param {Turn} play
 */
export function findOwed(table, play) {
  const seat = table.seats[play.seat];
  const kept = seat.rack?.length ?? table.setup.rule_set.rack_size - play.squares.length;
  seat.owed = Math.max(0, seat.rackCount - kept);
}

/**
 * A rack without some of its tiles; unknown if it did not have them.
 *
 * @param {readonly string[] | undefined} rack
 * @param {readonly string[]} tiles
 * @returns {string[] | undefined}
 */
function withoutTiles(rack, tiles) {
  if (!rack) return undefined;
  const left = [...rack];
  for (const tile of tiles) {
    const at = left.indexOf(tile);
    if (at < 0) return undefined;
    left.splice(at, 1);
  }
  return left;
}

/**
 * A seat has lost a turn: the one in progress, or one that has not begun.
 *
 * @param {Table} table
 * @param {Protocol.TurnLostEvent} event
 */
export function turnLost(table, event) {
  const seat = table.seats[event.seat];
  table.turnNo = event.turn_no;
  turnUsed(table, event, 'lost', undefined);
  seat.turnDebt = Math.max(0, seat.turnDebt - 1);
}
