// The end of a game in words and numbers.

import { rich } from '../text/rich.js';
import { shownFace } from '../play/faces.js';
import { words } from '../text/words.js';
import { nameOf, whoOf } from './gameview.js';

/** @typedef {import('../model/table.js').Table} Table */
/** @typedef {import('../text/rich.js').Part} Part */

/**
 * The winners, as a title.
 *
 * @param {Table} table
 * @returns {Part[] | string}
 */
export function resultTitle(table) {
  const texts = words().game;
  const { result } = table;
  if (!result) return texts.ended;
  if (texts.noResult[result.reason]) return texts.noResult[result.reason];
  const { winners } = result;
  if (winners.length !== 1) return texts.shared(winners.map((seat) => whoOf(table, seat).name));
  const scores = result.results.filter(({ seat }) => table.seats[seat].retired === undefined || seat === winners[0]);
  const won = result.results[winners[0]].final_score;
  const second = Math.max(...scores.filter(({ seat }) => seat !== winners[0]).map(({ final_score: score }) => score));
  const lead = result.reason === 'triple_challenge' || !Number.isFinite(second) ? 0 : won - second;
  const who = whoOf(table, winners[0]);
  if (who.you) return lead > 0 ? texts.wonBy(lead) : texts.won;
  return lead > 0 ? texts.lostBy(who, lead) : texts.winner(who);
}

/**
 * Why the game ended, and what became of the tiles that were left.
 *
 * @param {Table} table
 * @returns {Part[]}
 */
export function resultReason(table) {
  const texts = words().game;
  const { result } = table;
  if (!result) return [];
  // No player has called an adjourned game off that is aborted.
  const { reason, aborter } = result;
  const why = texts.reasons[reason === 'aborted' && aborter === undefined ? 'cancelled' : reason]?.(whoOf(table, resultSeat(table, result))) ?? [texts.ended];
  const kept = result.results
    .filter(({ rack_points: points, rack }) => points < 0 && rack.length > 0)
    .map(({ seat, rack }) =>
      texts.kept(whoOf(table, seat), rack.map((face) => (face === '?' ? texts.blank : shownFace(face))).join(' ')),
    );
  return kept.length ? rich`${why} ${kept.flatMap((parts, i) => (i ? [' ', ...parts] : parts))}` : why;
}

/**
 * The seat that the reason is about.
 *
 * @param {Table} table
 * @param {NonNullable<Table['result']>} result
 */
function resultSeat({ lastPlay, seats }, result) {
  if (result.aborter !== undefined) return result.aborter;
  if (result.reason === 'target') return result.winners[0] ?? 0;
  if (result.reason === 'triple_challenge') return seats.findIndex((_, seat) => !result.winners.includes(seat));
  const gone = seats.findIndex(({ retired }) => retired !== undefined);
  if (['resignation', 'time', 'abandonment'].includes(result.reason) && gone >= 0) return gone;
  return lastPlay?.seat ?? 0;
}

/**
 * The lines of the arithmetic, the best first.
 *
 * @param {Table} table
 * @returns {import('../view/endcard.js').EndView['lines']}
 */
export function resultLines(table) {
  const { result } = table;
  if (!result || words().game.noResult[result.reason]) return [];
  return [...result.results]
    .sort((a, b) => a.rank - b.rank || b.final_score - a.final_score)
    .map((line) => ({
      name: nameOf(table, line.seat),
      score: line.score,
      tiles: line.rack_points,
      time: line.time_penalty,
      total: line.final_score,
    }));
}
