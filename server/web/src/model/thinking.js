// How long the turn in progress takes, the clocks that tell, and the deadlines.

import { creditWindow } from './window.js';

/** @typedef {import('./table.js').Table} Table */

/**
 * How a turn began. What stood still since, such as during a hold, moves `at`.
 *
 * @typedef {object} TurnStart
 * @property {number} at
 * @property {number} sumMs All time that the seat had then.
 * @property {number | undefined} stoodSince Since when its clock stands.
 */

/**
 * The clocks before the first event that has some.
 *
 * @param {Protocol.GameSetup} setup
 * @returns {Protocol.Clocks}
 */
export function clocksBefore({ seats, options: { clock } }) {
  const mainMs = clock?.kind === 'per_move' ? clock.bank_ms : clock?.initial_ms;
  const allowanceMs = clock?.kind === 'per_move' ? clock.limit_ms : clock?.delay_ms;
  return { main_ms: seats.map(() => mainMs ?? 0), allowance_ms: seats.map(() => allowanceMs ?? 0) };
}

/**
 * Takes over clocks, and remembers since when that of the seat on turn stands.
 *
 * @param {Table} table
 * @param {Protocol.Clocks} clocks
 * @param {number} at
 */
export function takeClocks(table, clocks, at) {
  table.clocks = clocks;
  const { turnStart } = table;
  if (!turnStart) return;
  if (clocks.running?.seat !== table.onTurn) {
    turnStart.stoodSince ??= at;
  } else if (turnStart.stoodSince !== undefined) {
    turnStart.at += at - turnStart.stoodSince;
    turnStart.stoodSince = undefined;
  }
}

/**
 * The time that the turn in progress has used.
 *
 * @param {Table} table
 * @param {number} at
 * @returns {number | undefined}
 */
export function timeUsed({ turnStart, waitingClocks, onTurn }, at) {
  if (!turnStart || onTurn === undefined) return undefined;
  // A turn that waited is charged up to its arrival.
  if (waitingClocks) return turnStart.sumMs - waitingClocks.main_ms[onTurn] - waitingClocks.allowance_ms[onTurn];
  return Math.max(0, (turnStart.stoodSince ?? at) - turnStart.at);
}

/**
 * A turn begins.
 *
 * @param {Table} table
 * @param {Protocol.TurnStartedEvent} event
 */
export function turnStarted(table, event) {
  const { seat, clocks } = event;
  Object.assign(table, { phase: 'running', turnNo: event.turn_no, onTurn: seat, first: table.first ?? seat, nudge: undefined });
  table.turnStart = { at: event.at, sumMs: clocks.main_ms[seat] + clocks.allowance_ms[seat], stoodSince: undefined };
}

/**
 * The server was away: every deadline moves.
 *
 * @param {Table} table
 * @param {number} byMs
 */
export function clockCredited(table, byMs) {
  creditWindow(table.window, byMs);
  for (const seat of table.seats) if (seat.claimAt !== undefined) seat.claimAt += byMs;
  if (table.abortRequest) table.abortRequest = { ...table.abortRequest, until: table.abortRequest.until + byMs };
  if (table.nudge?.claim_at) table.nudge = { ...table.nudge, claim_at: table.nudge.claim_at + byMs };
  if (table.readyBy !== undefined) table.readyBy += byMs;
  if (table.turnStart) table.turnStart.at += byMs;
}
