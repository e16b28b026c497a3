// Ratings after games.

/** A rating with a larger deviation is provisional. */
const SURE_DEVIATION = 110;

/**
 * How a game has changed a rating.
 *
 * @typedef {{
 *   before: { value: number }, after: { value: number, deviation: number, provisional?: boolean },
 * }} RatingStep
 */

/** @param {number} deviation */
export function isProvisional(deviation) {
  return deviation > SURE_DEVIATION;
}

/**
 * How a game has changed a rating, from a result of the HTTP API.
 *
 * @param {{ before: number, after: number, deviation: number }} change
 * @returns {RatingStep}
 */
export function ratingStepOf({ before, after, deviation }) {
  return { before: { value: before }, after: { value: after, deviation, provisional: isProvisional(deviation) } };
}
