// Days, and how long ago something was, by the rules of a language.

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const AGO_STEPS = [['day', 86_400_000], ['hour', 3_600_000]];

/**
 * A day.
 *
 * @param {string} language
 * @param {number} at Unix ms.
 * @returns {string}
 */
export function dateText(language, at) {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(at);
}

/**
 * A day in a few characters, for axes.
 *
 * @param {string} language
 * @param {number} at Unix ms.
 * @returns {string}
 */
export function shortDateText(language, at) {
  return new Intl.DateTimeFormat(language, { year: '2-digit', month: 'short', day: 'numeric' }).format(at);
}

/**
 * A time that is over, in whole hours or days: "3 hours ago".
 *
 * @param {string} language
 * @param {number} ms
 * @returns {string}
 */
export function agoText(language, ms) {
  const [unit, step] = AGO_STEPS.find(([, least]) => ms >= least) ?? AGO_STEPS[1];
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-Math.floor(Math.max(0, ms) / step), unit);
}

/**
 * A time of day.
 *
 * @param {string} language
 * @param {number} at Unix ms.
 * @returns {string}
 */
export function timeText(language, at) {
  return new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(at);
}

/**
 * A day in short, for lists.
 *
 * @param {string} language
 * @param {number} at Unix ms.
 * @returns {string}
 */
export function mediumDateText(language, at) {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(at);
}
