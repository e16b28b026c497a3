// Finished games in a list: each row is a link to the replay.

import { el } from './dom.js';
import { nameNode } from './parts.js';
import { outcomeOf } from '../model/archive.js';
import { ratingStepOf } from '../model/ratings.js';
import { ratingStepText } from './ratings.js';
import { words } from '../text/words.js';

/** @typedef {import('../model/archive.js').GameResult} GameResult */

/** An empty list. */
export function gameRows() {
  return el('ul', { class: 'card rows-list past' });
}

/**
 * @param {GameResult} game
 * @param {Record<string, any> | undefined} seat The seat whose side the row is told from.
 * @param {string} ruleSet Its name.
 */
export function gameRow(game, seat, ruleSet) {
  const { lobby, archive: texts } = words();
  const others = game.seats.filter((/** @type {any} */ other) => other !== seat);
  const names = others.flatMap((/** @type {any} */ { name }, /** @type {number} */ i) => (
    i > 0 ? [', ', nameNode(name)] : [nameNode(name)]));
  const scores = [...(seat ? [seat] : []), ...others].map(({ final_score: score }) => score);
  const about = [
    texts.day(game.ended_at), ruleSet, game.time_class ? texts.speeds[game.time_class] : texts.untimed,
    texts.reasons[game.reason] ?? game.reason, ...(game.private ? [texts.privateGame] : []),
  ];
  const step = seat?.rating && ratingStepText(ratingStepOf(seat.rating));
  const isWon = seat && seat.rank === 1;
  return el(
    'li', { 'data-game': game.game }, el('b', { class: isWon ? 'won' : '', text: headOf(game, seat) }),
    el('a', { class: 'name cut', href: `/games/${encodeURIComponent(game.game)}` }, ...names),
    el('span', { class: 'what num', text: lobby.score(scores) }),
    el('span', { class: 'about', title: lobby.moment(game.ended_at), text: about.join(', ') }),
    step && el('span', { class: 'what', text: step }));
}

/**
 * @param {GameResult} game
 * @param {Record<string, any> | undefined} seat
 */
function headOf(game, seat) {
  const texts = words().archive;
  if (!seat) return game.pool ? texts.rated : texts.casual;
  const outcome = outcomeOf(game, seat);
  return outcome === 'lost' && game.seats.length > 2 ? texts.place(seat.rank) : texts.results[outcome];
}
