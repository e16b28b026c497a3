// The page's state of one game: folded from its events, or taken over from a snapshot. Both give the same state (P-EVENT-4).

import { squareOf } from '../play/squares.js';
import { endQuestions, gameEnded, showRacks, tilesDrawn } from './racks.js';
import { clockCredited, clocksBefore, takeClocks, timeUsed, turnStarted } from './thinking.js';
import { exchangeMade, findOwed, playMade, turnLost, turnOfRecord, turnUsed, verdictGiven } from './turns.js';
import { inWindow, windowOf } from './window.js';

/**
 * @typedef {object} Table
 * @property {string} game
 * @property {string | undefined} identity The own identity.
 * @property {number} [epoch]
 * @property {number} seq The last event that is folded in.
 * @property {'player' | 'spectator'} role
 * @property {number} [seat] The own seat; spectators have none.
 * @property {Protocol.GameSetup} setup Empty before the first event or snapshot: `isKnown` says whether it is there.
 * @property {boolean} isKnown Whether an event or a snapshot has come.
 * @property {number} rows
 * @property {number} cols
 * @property {string[]} layout A text for each row.
 * @property {number} start The start square.
 * @property {string} phase `waiting`, `running`, `final` or `ended`.
 * @property {number} turnNo
 * @property {number} [onTurn]
 * @property {number} [first] The seat that plays first.
 * @property {Protocol.OrderTile[][]} rounds The draw for first play.
 * @property {Map<number, string>} board
 * @property {TableSeat[]} seats
 * @property {number} bag Tiles in the bag; owed tiles count as dealt.
 * @property {Protocol.Clocks} clocks
 * @property {ChallengeWindow | undefined} window
 * @property {number} [waitingUntil] When a turn that waits takes effect, unix ms.
 * @property {Protocol.Clocks} [waitingClocks] The clocks while a turn waits.
 * @property {Protocol.AbortRequest} [abortRequest] A request to abort the game that waits for an answer.
 * @property {import('./nudge.js').Nudge} [nudge] Whether the player on turn was asked if the player is there.
 * @property {Protocol.UsedHint[]} hints The hints that were used, oldest first.
 * @property {Protocol.Hint} [hint] What the last own hint says.
 * @property {any[]} late What a later script reads (adjourn.js): the last snapshot, and the events that change nothing here.
 * @property {number} [readyBy] When the game is cancelled unless all are ready, unix ms.
 * @property {Turn[]} turns
 * @property {Turn | undefined} lastPlay The last turn that was a play, also when it came off.
 * @property {boolean} paused Whether the game waits for the server's storage.
 * @property {number | undefined} pausedAt Since when, on the server's clock.
 * @property {number} [lostAt] Since when the page hears nothing of the game, on the server's clock.
 * @property {number} watching
 * @property {Protocol.GameResult} [result]
 * @property {Protocol.GameEvent | undefined} said The last event worth words.
 * @property {TurnStart | undefined} turnStart How the turn in progress began.
 */

/**
 * @typedef {object} TableSeat
 * @property {string} name
 * @property {string} identity
 * @property {boolean} bot
 * @property {string | undefined} level
 * @property {Protocol.SeatRating | undefined} rating The rating when a rated game was created.
 * @property {number} score
 * @property {number} rackCount Tiles on the rack; owed tiles count as dealt.
 * @property {string[] | undefined} rack The tiles, if they are seen; without owed ones.
 * @property {number} owed Tiles that the seat draws when its play stands.
 * @property {boolean} ready
 * @property {string} [retired] Why the seat has left the game.
 * @property {number} turnDebt
 * @property {boolean} connected
 * @property {number} [claimAt] When its game can be claimed, unix ms; set while the player has vanished.
 * @property {boolean} [hasAsked] Whether the player was seen to ask for an abort, which each seat can do once.
 */

/** @typedef {import('./turns.js').Turn} Turn */
/** @typedef {import('./window.js').ChallengeWindow} ChallengeWindow */
/** @typedef {import('./thinking.js').TurnStart} TurnStart */

// Events about which there is nothing to say.
const SILENT_KINDS = new Set([
  'created',
  'seat_ready',
  'board_drawn',
  'bag_shuffled',
  'tiles_drawn',
  'turn_started',
  'accepted',
  'hold_ended',
  'window_closed',
  'clock_credited',
]);

/**
 * A game without any data yet. The fields that every snapshot sets are left out.
 *
 * @param {string} game
 * @param {string} [identity] The own identity.
 * @returns {Table}
 */
export function emptyTable(game, identity) {
  return {
    game,
    identity,
    seq: 0,
    role: 'spectator',
    setup: /** @type {Protocol.GameSetup} */ ({}),
    isKnown: false,
    rows: 0,
    cols: 0,
    layout: [],
    start: 0,
    phase: 'waiting',
    turnNo: 0,
    rounds: [],
    board: new Map(),
    seats: [],
    bag: 0,
    clocks: { main_ms: [], allowance_ms: [] },
    window: undefined,
    hints: [],
    late: [],
    turns: [],
    lastPlay: undefined,
    paused: false,
    pausedAt: undefined,
    watching: 0,
    said: undefined,
    turnStart: undefined,
  };
}

/**
 * Takes over the answer to an `attach`: what follows it is news.
 *
 * @param {Table} table
 * @param {Protocol.OkBody} ok
 */
export function takeAttached(table, ok) {
  table.role = ok.role === 'player' ? 'player' : 'spectator';
  table.seat = ok.seat;
  if (ok.outcome === 'events') table.epoch = ok.epoch;
  Object.assign(table, { paused: false, pausedAt: undefined, lostAt: undefined });
  takeWaiting(table, undefined);
}

/**
 * Replaces everything that was known by a snapshot.
 *
 * @param {Table} table
 * @param {Protocol.Snapshot} body
 */
export function takeSnapshot(table, body) {
  const { watching } = table;
  Object.assign(table, emptyTable(body.game, table.identity), { watching });
  setUp(table, body.setup);
  Object.assign(table, {
    epoch: body.epoch,
    seq: body.seq,
    role: body.role === 'player' ? 'player' : 'spectator',
    seat: body.seat,
    phase: body.phase,
    turnNo: body.turn_no,
    onTurn: body.on_turn,
    first: body.first,
    bag: body.bag,
    clocks: body.clocks,
    result: body.result,
    abortRequest: body.abort_request,
    nudge: body.nudge,
    hints: body.hints ?? [],
    late: [body],
    waitingUntil: body.waiting_until,
    waitingClocks: body.waiting_until === undefined ? undefined : body.clocks,
  });
  for (const { square, tile } of body.board) table.board.set(squareOf(square, table.cols) ?? -1, tile);
  body.seats.forEach((from, i) => {
    const { score, rack_count: rackCount, rack, ready, retired, turn_debt: turnDebt, connected } = from;
    Object.assign(table.seats[i], { score, rackCount, rack: rack && [...rack], ready, retired, turnDebt, connected });
  });
  for (const { seat, claim_at: claimAt } of body.vanished) table.seats[seat].claimAt = claimAt;
  table.turns = body.turns.map((record) => turnOfRecord(record, table.cols));
  table.lastPlay = table.turns.filter(({ kind }) => kind === 'play').pop();
  if (body.window) table.window = windowOf(body.window);
  if (table.window && table.lastPlay && !table.lastPlay.off) findOwed(table, table.lastPlay);
  if (body.result) showRacks(table, body.result);
}

/**
 * The score of a seat to show: when the game is over, with what is left on racks and with overtime.
 *
 * @param {Table} table
 * @param {number} seat
 * @returns {number}
 */
export function scoreOf(table, seat) {
  return table.result?.results.find((line) => line.seat === seat)?.final_score ?? table.seats[seat].score;
}

/**
 * Folds in the next event.
 *
 * @param {Table} table
 * @param {Protocol.GameEvent} event
 */
export function takeEvent(table, event) {
  table.seq = event.seq;
  if (!SILENT_KINDS.has(event.kind)) table.said = event;
  const usedMs = timeUsed(table, event.at);
  // A turn that still waits is told again behind the event.
  takeWaiting(table, undefined);
  if ('clocks' in event && event.clocks) takeClocks(table, event.clocks, event.at);
  switch (event.kind) {
    case 'created':
      return setUp(table, event.setup);
    case 'seat_ready':
      return void (seatOf(table, event).ready = true);
    case 'board_drawn':
      return void (table.layout = event.layout);
    case 'order_drawn':
      return void Object.assign(table, { rounds: event.rounds, first: event.first });
    case 'bag_shuffled':
      return void (table.bag = event.count);
    case 'tiles_drawn':
      return tilesDrawn(table, event);
    case 'turn_started':
      return turnStarted(table, event);
    case 'play_made':
      return playMade(table, event, usedMs);
    case 'exchanged':
      return exchangeMade(table, event, usedMs);
    case 'passed':
      return void turnUsed(table, event, 'pass', usedMs);
    case 'turn_lost':
      return turnLost(table, event);
    case 'challenge_decided':
      return verdictGiven(table, event);
    case 'seat_vanished':
      return void Object.assign(seatOf(table, event), { connected: false, claimAt: event.claim_at });
    case 'seat_returned':
      return void Object.assign(seatOf(table, event), { connected: true, claimAt: undefined });
    case 'abort_requested':
      seatOf(table, event).hasAsked = true;
      return void (table.abortRequest = { seat: event.seat, until: event.until });
    case 'abort_declined':
      return void (table.abortRequest = undefined);
    case 'nudged':
    case 'nudge_answered': // It names no target, so nobody is asked.
      return void (table.nudge = /** @type {any} */ (event));
    case 'time_given':
      if (table.turnStart && event.target === table.onTurn) table.turnStart.sumMs += event.time_ms;
      return;
    case 'hint_used':
      return void (table.hints = [...table.hints, { seat: event.seat, turn_no: table.turnNo, grade: event.grade }]);
    case 'seat_retired':
      return void Object.assign(seatOf(table, event), { retired: event.reason, claimAt: undefined });
    case 'clock_credited':
      return clockCredited(table, event.resumed_at - event.stopped_at);
    case 'ended':
      return gameEnded(table, event);
    default:
      if (event.kind === 'adjourned') endQuestions(table);
      table.late.push(event);
      inWindow(table, event); // And kinds of later versions, which change nothing.
  }
}

/**
 * Takes over that a turn waits for challenges of the play before; `undefined`: none does.
 *
 * @param {Table} table
 * @param {Protocol.TurnWaiting | undefined} body
 */
export function takeWaiting(table, body) {
  table.waitingUntil = body?.until;
  table.waitingClocks = body?.clocks;
}

/**
 * Takes over a push about the game that is no event.
 *
 * @param {Table} table
 * @param {string} op
 * @param {any} body
 * @param {number} [serverNow] The server's time; while the game is paused its clocks stand from here on.
 */
export function takePush(table, op, body, serverNow) {
  if (op === 'presence' && table.seats[body.seat]) table.seats[body.seat].connected = body.connected;
  else if (op === 'crowd') table.watching = body.watching;
  else if (op === 'hint') table.hint = body;
  else if (op === 'paused') Object.assign(table, { paused: true, pausedAt: table.pausedAt ?? serverNow });
  else if (op === 'unpaused') Object.assign(table, { paused: false, pausedAt: undefined });
}

/**
 * @param {Table} table
 * @param {Protocol.GameSetup} setup
 */
function setUp(table, setup) {
  const { board, tiles } = setup.rule_set;
  const seat = setup.seats.findIndex(({ identity }) => identity === table.identity);
  Object.assign(table, {
    setup,
    isKnown: true,
    rows: board.rows,
    cols: board.cols,
    layout: board.layout,
    start: squareOf(board.start, board.cols) ?? 0,
    bag: tiles.reduce((sum, { count }) => sum + count, 0),
    readyBy: setup.ready_by,
    clocks: clocksBefore(setup),
  });
  if (seat >= 0) Object.assign(table, { seat, role: 'player' });
  table.seats = setup.seats.map(({ name, identity, bot = false, level, rating }) => ({
    name,
    identity,
    bot,
    level,
    rating,
    score: 0,
    rackCount: 0,
    rack: [],
    owed: 0,
    ready: false,
    turnDebt: 0,
    connected: true,
  }));
}

/**
 * @param {Table} table
 * @param {{ seat: number }} event
 */
function seatOf(table, event) {
  return table.seats[event.seat];
}
