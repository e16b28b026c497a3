// Reads the record of a finished game: its positions with all racks, and the proof of the bag; and says which rule
// decided the game; and offers rematches. A script of its own, since nobody needs it before a game is over.

import { historyOf, recordEvents } from '../model/history.js';
import { proveBag } from '../bag/proof.js';
import { decisionOf } from '../model/decision.js';
import { ratingStepOf } from '../model/ratings.js';
import { Rematch } from './rematch.js';
import { recordEn } from '../text/record-en.js';
import { addEnglish, words } from '../text/words.js';

addEnglish({ record: recordEn });

/** @param {import('./game.js').GamePage} page The page of a game that is over. */
export function rematchOf(page) {
  return new Rematch(page);
}

/**
 * @param {string} text A native record.
 * @param {Protocol.GameSetup} setup The setup that the players saw before the first draw.
 * @param {string | undefined} identity
 */
export function readRecord(text, setup, identity) {
  const events = recordEvents(text, setup.rule_set);
  return { positions: historyOf(events, identity), proof: proveBag(events, setup) };
}

/**
 * The rule that made the winner in a sentence, where the final scores do not say it.
 *
 * @param {import('../model/table.js').Table} table
 * @returns {string}
 */
export function decisionText(table) {
  const { decisions } = words().record;
  const decision = decisionOf(table);
  if (decision?.by === 'before') return decisions.before(decision.tie, decision.before);
  // Of two players only one remains: the reason of the end says that.
  if (!decision || (decision.by === 'last' && table.seats.length === 2)) return '';
  return decisions[decision.by];
}

/**
 * How a game has changed the ratings, by seat.
 *
 * @param {string} text A result of the HTTP API.
 * @returns {import('../model/ratings.js').RatingStep[]}
 */
export function ratingSteps(text) {
  /** @type {any[]} */
  const seats = JSON.parse(text).seats;
  return seats.map(({ rating }) => rating && ratingStepOf(rating));
}

/** @param {string} change */
export function ownRatingText(change) {
  return words().record.rating(change);
}
