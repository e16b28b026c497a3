// The statistics of a player as a table: a row for each figure, a column for each kind of games.

import { el } from './dom.js';
import { figuresOf } from '../model/figures.js';
import { words } from '../text/words.js';

const ONE_DIGIT = { minimumFractionDigits: 1, maximumFractionDigits: 1 };

/** @typedef {{ title: string, sums: import('../model/figures.js').Sums }} FigureColumn */

/**
 * @param {FigureColumn[]} columns
 * @returns {HTMLElement}
 */
export function figuresTable(columns) {
  const { figures: texts } = words().accounts;
  const all = columns.map(({ sums }) => figuresOf(sums));
  const names = /** @type {Record<string, string>} */ (texts.names);
  const rows = all[0].map(({ key }, i) => {
    const values = all.map((figures) => el('td', { text: figureText(figures[i]) }));
    return el('tr', {}, el('th', { scope: 'row', text: names[key] }), ...values);
  });
  const heads = columns.map(({ title }) => el('th', { scope: 'col', text: title }));
  return el(
    'table', {},
    el('thead', {}, el('tr', {}, el('td', {}), ...heads)), el('tbody', {}, ...rows));
}

/**
 * A value as it is written; a dash if there is none.
 *
 * @param {import('../model/figures.js').Figure} figure
 * @returns {string}
 */
export function figureText({ kind, value }) {
  const { language, duration } = words().lobby;
  if (value === undefined) return '–';
  if (kind === 'time') return duration(value);
  const options = { share: { style: /** @type {const} */ ('percent') }, average: ONE_DIGIT, count: {} }[kind];
  return new Intl.NumberFormat(language, options).format(value);
}
