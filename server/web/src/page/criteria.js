// The players that an offer admits: the dialog in which its owner chooses them, and what the lists say of them (P-CRIT).

import { el, setAttribute, setText } from '../view/dom.js';
import { notes } from './offer.js';
import { words } from '../text/words.js';

const EXCLUDED_MOST = 5;

/** @typedef {Record<string, any>} Criteria As on the wire. */

/**
 * Asks who may join, and offers the game to these players.
 *
 * @param {import('../view/frame.js').Frame} frame
 * @param {import('./setup.js').Setup} setup
 * @param {import('./seeking.js').Seeking} seeking
 */
export async function askCriteria(frame, setup, seeking) {
  const { bar } = words().lobby;
  const { criteria: texts } = words().pages;
  const wish = await setup.wish();
  const { isRegistered } = seeking.connection;
  const form = criteriaForm({ isRegistered, isTimed: wish.options.clock?.kind !== 'untimed', isRated: wish.options.rated });
  const any = wish.options.rated ? [{ label: texts.any, value: 'any' }] : [];
  const chosen = await frame.dialog({
    title: texts.title, body: form.node,
    actions: [
      { label: bar.cancel, kind: 'flat' }, ...any,
      { label: texts.offer, value: 'offer', kind: 'go', check: () => form.check() },
    ],
  });
  if (chosen === 'any') await seeking.find(/** @type {any} */ ({ ...wish, any_rating: true }));
  if (chosen === 'offer') await seeking.offer(wish, { criteria: form.value() });
}

/** @param {{ isRegistered: boolean, isTimed: boolean, isRated?: boolean }} about What can be asked for. */
function criteriaForm({ isRegistered, isTimed, isRated }) {
  const { criteria: texts } = words().pages;
  /** @param {string} name @param {Record<string, any>} attributes @param {boolean} isOn @param {string} [hint] */
  const field = (name, attributes, isOn, hint) => {
    const input = /** @type {HTMLInputElement} */ (el('input', { class: 'field', name, ...attributes }));
    const label = el('span', { class: 'label', text: /** @type {any} */ (texts)[name] });
    const node = el('label', { hidden: !isOn }, label, input, hint && el('span', { class: 'small muted', text: hint }));
    return { input, node };
  };
  /** @param {string} name @param {boolean} isOn */
  const check = (name, isOn) => {
    const input = /** @type {HTMLInputElement} */ (el('input', { type: 'checkbox', name }));
    return { input, node: el('label', { class: 'check', hidden: !isOn }, input, ` ${/** @type {any} */ (texts)[name]}`) };
  };
  const points = { type: 'number', inputmode: 'numeric', step: 1 };
  const [min, max] = ['min', 'max'].map((name) => field(name, points, isTimed));
  const checks = {
    established: check('established', isTimed), registered: check('registered', true),
    followed: check('followed', isRegistered),
  };
  const exclude = field('exclude', { autocomplete: 'off', autocapitalize: 'off' }, isRegistered, texts.excludeHint);
  const problem = el('p', { class: 'bad small', role: 'alert' });
  const boxes = Object.values(checks).map(({ node }) => node);
  const hint = el('p', { class: 'small muted', text: texts.anyHint, hidden: !isRated });
  const node = el('div', { class: 'form' }, min.node, max.node, ...boxes, exclude.node, hint, problem);
  const value = () => {
    /** @type {Criteria} */
    const chosen = {};
    if (min.input.value !== '') chosen.min_rating = Math.round(Number(min.input.value));
    if (max.input.value !== '') chosen.max_rating = Math.round(Number(max.input.value));
    for (const [name, { input }] of Object.entries(checks)) if (input.checked) chosen[name] = true;
    const names = exclude.input.value.split(',').map((name) => name.trim()).filter(Boolean);
    if (names.length > 0) chosen.exclude = names;
    return chosen;
  };
  return {
    node,
    value,
    /** Shows the error, if there is one. */
    check() {
      const { min_rating, max_rating, exclude: names = [] } = value();
      const wrong = min_rating > max_rating ? texts.upsideDown : names.length > EXCLUDED_MOST ? texts.tooMany : '';
      setText(problem, wrong);
      setAttribute(min.input, 'aria-invalid', wrong === texts.upsideDown && 'true');
      setAttribute(exclude.input, 'aria-invalid', wrong === texts.tooMany && 'true');
      return wrong === '' && min.input.checkValidity() && max.input.checkValidity();
    },
  };
}

/**
 * The players that an offer admits now, in a few words; empty if it is for everybody.
 *
 * @param {Record<string, any>} seek As on the wire.
 * @param {number} now Server time, ms.
 */
export function criteriaText({ criteria = {}, range, created_at }, now) {
  const { criteria: texts } = words().pages;
  const { min_rating: min, max_rating: max } = criteria;
  const parts = [];
  if (min !== undefined && max !== undefined) parts.push(texts.between(min, max));
  else if (min !== undefined) parts.push(texts.atLeast(min));
  else if (max !== undefined) parts.push(texts.atMost(max));
  if (criteria.established) parts.push(texts.onlyEstablished);
  if (criteria.registered) parts.push(texts.onlyRegistered);
  if (criteria.followed) parts.push(texts.onlyFollowed);
  if (criteria.exclude) parts.push(texts.hiddenFrom(criteria.exclude));
  if (range) {
    const points = rangeAfter(range, now - created_at);
    parts.push(points === undefined ? texts.anyRating : texts.within(points));
  }
  return parts.join(', ');
}

/**
 * The largest difference of ratings after a wait; nothing if every rating is good (P-CRIT-5).
 *
 * @param {Record<string, any>} range As on the wire.
 * @param {number} waited_ms
 * @returns {number | undefined}
 */
export function rangeAfter({ start, step, every_ms, most, any }, waited_ms) {
  const steps = Math.floor(Math.max(waited_ms, 0) / every_ms);
  if (any && steps > Math.ceil(Math.max(most - start, 0) / step)) return undefined;
  return Math.min(start + step * steps, most);
}

/** From now on the lists say who may join. */
export function noteCriteria() {
  notes.of = (seek) => {
    const text = criteriaText(seek, (notes.now ?? Date.now)());
    return text && `, ${text}`;
  };
}
