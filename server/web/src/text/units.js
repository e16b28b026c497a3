// Durations and dates in words, by the rules of a language.

/** @typedef {'long' | 'short' | 'narrow'} UnitDisplay */

const UNIT_STEPS = /** @type {const} */ ([
  ['day', 86_400_000], ['hour', 3_600_000], ['minute', 60_000], ['second', 1000],
]);

/**
 * A duration in its one or two largest units: "2 days, 3 hr", "25 min".
 *
 * @param {string} language
 * @param {number} ms
 * @param {UnitDisplay} [unitDisplay]
 * @returns {string}
 */
export function durationText(language, ms, unitDisplay = 'short') {
  const steps = UNIT_STEPS.filter(([, step]) => Math.abs(ms) >= step);
  const [unit, step] = steps[0] ?? UNIT_STEPS[3];
  const format = (/** @type {number} */ count, /** @type {string} */ name) => new Intl.NumberFormat(language, {
    style: 'unit', unit: name, unitDisplay: name === 'day' ? 'long' : unitDisplay, maximumFractionDigits: 1,
  }).format(count);
  if (steps.length < 2) return format(ms / step, unit);
  const count = Math.trunc(ms / step);
  const [smallUnit, smallStep] = steps[1];
  const rest = Math.trunc((ms - count * step) / smallStep);
  const parts = [format(count, unit), ...(rest > 0 ? [format(rest, smallUnit)] : [])];
  return new Intl.ListFormat(language, { type: 'unit', style: 'short' }).format(parts);
}

/**
 * A day and time of day.
 *
 * @param {string} language
 * @param {number} at_ms
 * @returns {string}
 */
export function momentText(language, at_ms) {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(at_ms);
}

/**
 * A list of things: "a, b and c".
 *
 * @param {string} language
 * @param {string[]} items
 * @returns {string}
 */
export function listText(language, items) {
  return new Intl.ListFormat(language).format(items);
}
