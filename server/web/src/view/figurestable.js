// The statistics of a player as a table: a row for each figure, a column for each kind of games.

import { el } from './dom.js';
import { wordNode } from './parts.js';
import { figuresOf } from '../model/figures.js';
import { words } from '../text/words.js';

const ONE_DIGIT = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
/** Games of three and four are rare: without them there is no row. */
const RARE_FIGURES = new Set(['three', 'four']);

/** @typedef {{ title: string, sums: import('../model/figures.js').Sums }} FigureColumn */

/**
 * @param {FigureColumn[]} columns
 * @returns {HTMLElement}
 */
export function figuresTable(columns) {
  const { figures: texts } = words().accounts;
  const all = columns.map(({ sums }) => figuresOf(sums));
  const names = /** @type {Record<string, string>} */ (texts.names);
  const rows = all[0].flatMap(({ key }, i) => {
    const figures = all.map((column) => column[i]);
    if (RARE_FIGURES.has(key) && figures.every(({ value }) => value === undefined)) return [];
    return [el('tr', {}, el('th', { scope: 'row', text: names[key] }), ...figures.map(figureCell))];
  });
  const heads = columns.map(({ title }) => el('th', { scope: 'col', text: title }));
  return el(
    'table', { class: 'num' },
    el('thead', {}, el('tr', {}, el('td', {}), ...heads)), el('tbody', {}, ...rows));
}

/** @param {import('../model/figures.js').Figure} figure */
function figureCell(figure) {
  const { kind, value } = figure;
  if (kind !== 'play' || value === undefined) return el('td', { text: figureText(figure) });
  return el('td', {}, wordNode(value.word), ` ${value.points}`);
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
  if (kind === 'ranks') return value.join(' / ');
  if (kind === 'play') return `${value.word} ${value.points}`;
  const options = { share: { style: /** @type {const} */ ('percent') }, average: ONE_DIGIT, count: {} }[kind];
  return new Intl.NumberFormat(language, options).format(value);
}
