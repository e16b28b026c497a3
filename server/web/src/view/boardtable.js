// A leaderboard as a table; the row of the player who looks is marked.

import { el } from './dom.js';
import { nameNode } from './parts.js';
import { words } from '../text/words.js';

/**
 * @typedef {{
 *   place: number, identity: string, handle?: string, rating?: number, deviation?: number, weighted?: number,
 *   average?: number, turns?: number, games: number,
 * }} BoardLine
 */

/**
 * @param {{ board: string, mean?: number, lines: BoardLine[] }} board
 * @param {string | undefined} identity The own one.
 * @param {string | undefined} own How the player stands in the pool.
 */
export function boardTable({ board, mean, lines }, identity, own) {
  const { leaders: texts } = words().archive;
  const isRating = board === 'rating';
  const note = isRating ? texts.ratingNote : texts.averageNote(numberText(mean ?? 0));
  const heads = isRating ? [texts.rating, texts.games] : [texts.weighted, texts.average, texts.turns, texts.games];
  const table = el(
    'table', { class: 'num' },
    el('thead', {}, el(
      'tr', {}, ...[texts.place, texts.player, ...heads].map((text) => el('th', { scope: 'col', text })))),
    el('tbody', {}, ...lines.map((line) => rowOf(line, isRating, line.identity === identity))));
  const isListed = lines.some((line) => line.identity === identity);
  return el(
    'div', { class: 'prose padded wide' }, lines.length > 0 ? table : el('p', { text: texts.nobody }),
    isRating && !isListed && own !== undefined && el('p', { class: 'num', text: own }),
    el('p', { class: 'small', text: note }));
}

/**
 * @param {BoardLine} line
 * @param {boolean} isRating
 * @param {boolean} isOwn
 */
function rowOf({ place, handle, rating, deviation, weighted, average, turns, games }, isRating, isOwn) {
  const { leaders: texts } = words().archive;
  const name = handle === undefined ? el('span', { class: 'muted', text: texts.nameless })
    : el('a', { class: 'text-link', href: `/players/${encodeURIComponent(handle)}` }, nameNode(handle));
  const values = isRating ? [`${rating} ± ${deviation}`, String(games)]
    : [numberText(weighted ?? 0), numberText(average ?? 0), String(turns), String(games)];
  return el(
    'tr', { class: isOwn ? 'own' : undefined }, el('td', { text: String(place) }),
    el('th', { scope: 'row' }, name, isOwn && ` (${texts.you})`), ...values.map((text) => el('td', { text })));
}

/** @param {number} value */
function numberText(value) {
  const { language } = words().lobby;
  return new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value);
}
