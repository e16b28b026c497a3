// The cards of a game that is over: what they say, and what the player can do next.

import { words } from '../text/words.js';
import { resultLines, resultReason, resultTitle } from './gameend.js';
import { ratingStepText } from '../view/ratings.js';

/** @typedef {import('./game.js').GamePage} GamePage */

/**
 * @param {GamePage} page
 * @returns {import('../view/endcard.js').EndView}
 */
export function endViewOf(page) {
  const texts = words().game;
  const { table, history, frame } = page;
  const { rematch } = page;
  /** @type {import('../view/endcard.js').EndView['choices']} */
  const choices = rematch?.choices ?? [];
  if (table.turns.length > 0) choices.push({ label: texts.replay, act: () => history.goTo(0) });
  choices.push({ label: page.isPlayer ? texts.newGame : texts.toLobby, act: () => frame.go('/') });
  return {
    title: resultTitle(table),
    why: [...resultReason(table), ...afterwards(page)],
    lines: resultLines(table),
    series: rematch?.series ?? '',
    note: rematch?.note ?? [],
    choices,
    proof: proofViewOf(page).title,
    isGuest: page.isPlayer && page.account.kind === 'guest',
  };
}

/**
 * Facts that need the record: the rule that decided, and the change of the player's rating.
 *
 * @param {GamePage} page
 */
function afterwards({ history: { decision, script }, ratings, table }) {
  const step = table.seat === undefined ? undefined : ratings[table.seat];
  const rating = step && script?.ownRatingText(ratingStepText(step));
  return [decision, rating].flatMap((text) => (text ? [' ', text] : []));
}

/**
 * @param {GamePage} page
 * @returns {{ title: string, more: string, isBad: boolean }}
 */
export function proofViewOf({ history, table }) {
  const texts = words().game;
  const { proof } = history;
  if (history.hasFailed) return { title: texts.notProvable, more: '', isBad: false };
  if (!proof) return { title: texts.proving, more: '', isBad: false };
  if (proof.ok)
    return { title: texts.proved, more: texts.provedWhat(proof.draws, bagMark(table.setup.commitment)), isBad: false };
  const what = proof.problem ? (words().record.bagFaults[proof.problem.what] ?? proof.problem.what) : '';
  return { title: texts.notProved, more: texts.problem(what, proof.problem?.seq), isBad: true };
}

/**
 * The first characters of the commitment, to tell bags apart.
 *
 * @param {string} commitment
 */
function bagMark(commitment) {
  return commitment.slice(0, 12).replace(/(.{4})(?=.)/g, '$1 ');
}
