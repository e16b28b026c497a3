// The parts of a player's page with figures: ratings, statistics, and the games against the player who looks.

import { el } from '../view/dom.js';
import { figuresTable } from '../view/figurestable.js';
import { block } from '../view/lobbylayout.js';
import { ratingCurve } from '../view/ratingcurve.js';
import { ratingText } from '../view/ratings.js';
import { poolText } from './pools.js';
import { words } from '../text/words.js';

/** Curves that are open at first; the others are behind folds. */
const CURVES_OPEN = 2;

/**
 * The ratings of a player as the server tells them, the pool of the last game first.
 *
 * @typedef {{
 *   pool: string, rating: number, deviation: number, provisional: boolean, games: number, last_game_at: number,
 *   curve: import('../model/curve.js').RatingPoint[],
 * }} PoolRating
 */

/**
 * @param {PoolRating[]} ratings
 * @param {import('./rulebook.js').Rulebook} rulebook
 */
export function ratingParts(ratings, rulebook) {
  const { profile: texts } = words().archive;
  const newest = [...ratings].sort((a, b) => b.last_game_at - a.last_game_at);
  const { node } = block('ratings', texts.ratings);
  if (newest.length === 0) node.append(el('p', { class: 'card empty muted', text: texts.noRatings }));
  const cards = newest.map((rating, i) => ratingCard(rating, poolText(rating.pool, rulebook), i < CURVES_OPEN));
  if (cards.length > 0) node.append(el('div', { class: 'form' }, ...cards));
  return node;
}

/**
 * @param {PoolRating} rating
 * @param {string} pool
 * @param {boolean} isOpen
 */
function ratingCard({ rating, deviation, provisional, games, curve }, pool, isOpen) {
  const { profile: texts } = words().archive;
  const value = el('b', { class: 'rating num', text: ratingText({ value: rating, provisional }) });
  const about = [`± ${deviation}`, ...(provisional ? [texts.provisional] : []), texts.rating(games)].join(', ');
  return el(
    'details', { class: 'card fold', open: isOpen }, el('summary', {}, pool, ' ', value),
    el('p', { class: 'curve small muted num', text: about }), ...(curve.length > 0 ? ratingCurve(pool, curve) : []));
}

/**
 * @param {{ people: Breakdown, bots: Breakdown }} statistics
 * @param {import('./rulebook.js').Rulebook} rulebook
 *
 * @typedef {import('../model/figures.js').Sums} Sums
 * @typedef {{ all: Sums, by_rule_set: Record<string, Sums> }} Breakdown
 */
export function statisticsPart(statistics, rulebook) {
  const { profile: texts } = words().archive;
  const { people, bots } = statistics;
  const { node } = block('figures', texts.figures);
  if (people.all.games + bots.all.games === 0) {
    node.append(el('p', { class: 'card empty muted', text: texts.noFigures }));
    return node;
  }
  const place = el('div', { class: 'prose padded' });
  const sums = (/** @type {Breakdown} */ { all, by_rule_set: sets }, /** @type {string} */ id) => (id ? sets[id] : all);
  const show = (/** @type {string} */ id) => {
    const columns = [{ title: texts.people, sums: sums(people, id) }, { title: texts.bots, sums: sums(bots, id) }];
    const shown = columns.filter((column) => column.sums !== undefined && column.sums.games > 0);
    place.replaceChildren(figuresTable(shown));
  };
  const ids = [...new Set([people, bots].flatMap((part) => Object.keys(part.by_rule_set)))];
  const select = /** @type {HTMLSelectElement} */ (el(
    'select', { class: 'field', onchange: () => show(select.value) },
    el('option', { value: '', text: texts.allRuleSets }),
    ...ids.map((id) => el('option', { value: id, text: rulebook.nameOf(id) }))));
  const choice = ids.length > 1 && el(
    'label', { class: 'padded choice' }, el('span', { class: 'hide', text: texts.ruleSet }), select);
  show('');
  node.append(el('div', { class: 'card' }, choice, place));
  return node;
}

/**
 * @param {{ all: Tally, counted: Tally, spread: number, series: Record<string, Tally> }} versus
 * @param {string} handle
 *
 * @typedef {import('../model/figures.js').Tally} Tally
 */
export function versusPart(versus, handle) {
  const { archive: { profile: texts }, accounts } = words();
  const { won, lost, shared } = versus.all;
  const isNew = won + lost + shared === 0;
  const fragment = new URLSearchParams({ opponent: handle });
  const link = el('a', { class: 'text-link', href: `/archive#${fragment}`, text: texts.all });
  const { node } = block('versus', accounts.versus.title, isNew ? undefined : link);
  const series = Object.values(versus.series);
  const lines = series.map((tally, i) => el('p', { class: 'small muted', text: texts.seriesLine(i + 1, tally) }));
  node.append(el(
    'div', { class: 'card padded' }, el('p', { class: 'num', text: isNew ? texts.noVersus : texts.versus(versus) }),
    ...(series.length > 1 ? lines : [])));
  return node;
}
