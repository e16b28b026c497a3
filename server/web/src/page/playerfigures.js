// The parts of a player's page with figures: ratings, statistics, and the games against the player who looks.

import { el } from '../view/dom.js';
import { figuresTable } from '../view/figurestable.js';
import { block } from '../view/lobbylayout.js';
import { ratingCurve } from '../view/ratingcurve.js';
import { words } from '../text/words.js';

/** @typedef {import('../model/curve.js').RatingPoint} RatingPoint */

/**
 * What the server tells of a player's figures; parts that are missing are not shown.
 *
 * @typedef {{
 *   ratings?: { pool: string, points: RatingPoint[] }[],
 *   statistics?: import('../view/figurestable.js').FigureColumn[],
 *   versus?: { counted: import('../model/figures.js').Tally, spread: number },
 * }} PlayerFigures
 */

/**
 * @param {PlayerFigures} figures
 * @returns {HTMLElement[]}
 */
export function figureParts({ ratings = [], statistics = [], versus }) {
  const { accounts: texts } = words();
  /** @type {HTMLElement[]} */
  const parts = [];
  const add = (/** @type {string} */ title, /** @type {(side: HTMLElement) => Node[]} */ fill) => {
    const { node, side } = block(`figures-${parts.length}`, title);
    node.append(el('div', { class: 'card' }, ...fill(side)));
    parts.push(node);
  };
  const prose = (/** @type {Node} */ child) => [el('div', { class: 'prose padded num' }, child)];
  for (const { pool, points } of ratings) {
    if (points.length > 0) add(texts.ratings.of(pool), (side) => ratingCurve(pool, points, side));
  }
  if (versus) add(texts.versus.title, () => prose(el('p', { text: texts.versus.text(versus) })));
  if (statistics.length > 0) add(texts.figures.title, () => prose(figuresTable(statistics)));
  return parts;
}
