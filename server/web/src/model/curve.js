// The shape of a rating curve: where its points, its band and the marks of its axes lie.

/** @typedef {{ at: number, rating: number, deviation: number }} RatingPoint `at` in unix ms. */

/** The room for the labels of the axes. */
export const CURVE_EDGE = { left: 44, right: 24, top: 10, bottom: 26 };
const CURVE_STEPS = [25, 50, 100, 200, 500, 1000];
const CURVE_LEVELS = 6;
const CURVE_DAYS = 3;

/**
 * The shape in a drawing of this size. The points are in the order of their times; there is one at least.
 *
 * @param {RatingPoint[]} points
 * @param {number} width
 * @param {number} height
 */
export function curveOf(points, width, height) {
  const { left, right, top, bottom } = CURVE_EDGE;
  const lowest = Math.min(...points.map(({ rating, deviation }) => rating - deviation));
  const highest = Math.max(...points.map(({ rating, deviation }) => rating + deviation));
  const step = CURVE_STEPS.find((one) => (highest - lowest) / one <= CURVE_LEVELS) ?? 2000;
  const floor = Math.floor(lowest / step) * step;
  const ceiling = Math.max(floor + step, Math.ceil(highest / step) * step);
  const [first, last] = [points[0].at, points[points.length - 1].at];
  const x = (/** @type {number} */ at) => (
    left + (last > first ? (at - first) / (last - first) : 0.5) * (width - left - right));
  const y = (/** @type {number} */ rating) => (
    top + ((ceiling - rating) / (ceiling - floor)) * (height - top - bottom));
  const dots = points.map(({ at, rating }) => ({ x: roundedPart(x(at)), y: roundedPart(y(rating)) }));
  const edge = (/** @type {number} */ sign) => (
    points.map(({ at, rating, deviation }) => `${roundedPart(x(at))},${roundedPart(y(rating + sign * deviation))}`));
  const levels = Array.from({ length: Math.round((ceiling - floor) / step) + 1 }, (_, i) => floor + i * step);
  const days = last > first ? CURVE_DAYS : 1;
  const times = Array.from({ length: days }, (_, i) => first + ((last - first) * i) / Math.max(1, days - 1));
  return {
    dots,
    line: `M${dots.map((dot) => `${dot.x} ${dot.y}`).join('L')}`,
    /** The corners of the band within one deviation. */
    band: [...edge(1), ...edge(-1).reverse()].join(' '),
    levels: levels.map((rating) => ({ rating, y: roundedPart(y(rating)) })),
    times: times.map((at) => ({ at, x: roundedPart(x(at)) })),
  };
}

/** @param {number} part */
function roundedPart(part) {
  return Math.round(part * 10) / 10;
}
