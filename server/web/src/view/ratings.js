// Ratings as they stand beside names.

import { words } from '../text/words.js';

/**
 * A rating; a provisional one has a question mark.
 *
 * @param {{ value: number, provisional?: boolean }} rating
 */
export function ratingText({ value, provisional }) {
  return provisional ? `${value}?` : String(value);
}

/**
 * A rating after a game with the change: "1512 (+12)".
 *
 * @param {import('../model/ratings.js').RatingStep} step
 */
export function ratingStepText({ before, after }) {
  return `${ratingText(after)} (${words().game.signed(after.value - before.value)})`;
}
