// A rating curve: a slider goes from point to point, and a table has the same values.

import { el, setAttribute, setText } from './dom.js';
import { svgNode, svgText } from './svg.js';
import { CURVE_EDGE, curveOf } from '../model/curve.js';
import { isProvisional } from '../model/ratings.js';
import { words } from '../text/words.js';

/** @typedef {import('../model/curve.js').RatingPoint} RatingPoint */

const CURVE_WIDTH = 440;
const CURVE_HEIGHT = 190;
/** The marks of a shorter curve are times of day. */
const CURVE_DAY_MS = 86_400_000;

/**
 * @param {string} label What is rated.
 * @param {RatingPoint[]} points One at least, in the order of their times.
 * @returns {HTMLElement[]} The curve, the values of the chosen point, and the table behind a fold.
 */
export function ratingCurve(label, points) {
  const { ratings: texts } = words().accounts;
  const shape = curveOf(points, CURVE_WIDTH, CURVE_HEIGHT);
  const said = el('p', { class: 'curve small num' });
  const here = svgNode('path', { class: 'here' });
  const dot = svgNode('circle', { r: 4, fill: 'currentColor' });
  const svg = svgNode('svg', { viewBox: `0 0 ${CURVE_WIDTH} ${CURVE_HEIGHT}`, 'aria-hidden': 'true' }, ...marksOf(shape),
    svgNode('polygon', { points: shape.band, fill: 'currentColor', opacity: 0.1 }),
    svgNode('path', { class: 's0', d: shape.line }), here, dot);
  const slider = /** @type {HTMLInputElement} */ (el('input', {
    type: 'range', min: 1, max: points.length, value: points.length, 'aria-label': texts.of(label),
    hidden: points.length === 1, oninput: () => show(),
  }));
  const show = () => {
    const at = Number(slider.value) - 1;
    const { x, y } = shape.dots[at];
    here.setAttribute('d', `M${x} ${CURVE_EDGE.top}V${CURVE_HEIGHT - CURVE_EDGE.bottom}`);
    dot.setAttribute('cx', String(x));
    dot.setAttribute('cy', String(y));
    const text = pointText(points[at]);
    setAttribute(slider, 'aria-valuetext', text);
    setText(said, text);
  };
  show();
  const { moment } = words().lobby;
  const row = (/** @type {RatingPoint} */ point) => el(
    'tr', {}, el('th', { scope: 'row', text: moment(point.at) }), el('td', { text: String(Math.round(point.rating)) }),
    el('td', { text: String(Math.round(point.deviation)) }));
  const head = [texts.day, texts.rating, texts.deviation].map((text) => el('th', { scope: 'col', text }));
  const table = el('table', {}, el('thead', {}, el('tr', {}, ...head)), el('tbody', {}, ...points.map(row)));
  return [
    el('div', { class: 'trace' }, el('div', { class: 'plot' }, svg, slider)), said,
    el('details', { class: 'fold' }, el('summary', { text: texts.table }), el('div', { class: 'prose padded' }, table)),
  ];
}

/** @param {ReturnType<typeof curveOf>} shape */
function marksOf({ levels, times }) {
  const { accounts: { day }, archive: { time } } = words();
  const isShort = times[times.length - 1].at - times[0].at < CURVE_DAY_MS;
  const mark = times.length > 1 && isShort ? time : day;
  const { left, right } = CURVE_EDGE;
  return [
    ...levels.flatMap(({ rating, y }) => [
      svgNode('path', { class: 'rule', d: `M${left} ${y}H${CURVE_WIDTH - right}` }),
      svgText(left - 6, y + 4, 'end', String(rating)),
    ]),
    ...times.map(({ at, x }) => svgText(x, CURVE_HEIGHT - 8, 'middle', mark(at))),
  ];
}

/** @param {RatingPoint} point */
function pointText({ at, rating, deviation }) {
  const { ratings: texts, date } = words().accounts;
  return texts.point(date(at), Math.round(rating), Math.round(deviation), isProvisional(deviation));
}
