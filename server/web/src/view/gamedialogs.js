// The dialogs of a game about tiles: the letter of a blank, the tiles of an exchange.

import { el, setAttribute, setText } from './dom.js';
import { faceName } from './board.js';
import { isBlankFace, lettersOf, shownFace, valueOf } from '../play/faces.js';
import { words } from '../text/words.js';

/** @typedef {import('./frame.js').Frame} Frame */

/**
 * Asks which letter a blank stands for.
 *
 * @param {Frame} frame
 * @param {any} setup
 * @returns {Promise<string | undefined>} The letter as it is shown, or nothing.
 */
export async function askBlank(frame, setup) {
  const texts = words().game;
  const over = new AbortController();
  /** @type {string | undefined} */
  let chosen;
  const choose = (/** @type {string} */ face) => {
    chosen = face;
    over.abort();
  };
  const letters = lettersOf(setup);
  const body = el(
    'div',
    { class: 'letters-to-choose' },
    ...letters.map((face) =>
      el('button', { type: 'button', class: 'btn', text: shownFace(face), onclick: () => choose(face) }),
    ),
  );
  body.addEventListener('keydown', (event) => {
    const face = letters.find((letter) => shownFace(letter) === event.key.toUpperCase());
    if (face && !event.ctrlKey && !event.metaKey && !event.altKey) choose(face);
  });
  await frame.dialog({
    title: texts.blankAsk,
    body,
    actions: [{ label: texts.cancel, kind: 'flat' }],
    signal: over.signal,
  });
  return chosen;
}

/**
 * Asks which tiles to give back.
 *
 * @param {Frame} frame
 * @param {any} setup
 * @param {string[]} rack
 * @param {number} most
 * @returns {Promise<string[]>} Their faces; none if the player thought better of it.
 */
export async function askExchange(frame, setup, rack, most) {
  const texts = words().game;
  const chosen = new Set();
  const count = el('p', { class: 'num', 'aria-live': 'polite' });
  const show = () => {
    setText(count, chosen.size ? texts.exchangeDo(chosen.size) : '\u00a0');
    tiles.forEach((tile, i) => setAttribute(tile, 'aria-pressed', String(chosen.has(i))));
  };
  const press = (/** @type {number} */ i) => {
    if (!chosen.delete(i) && chosen.size < most) chosen.add(i);
    show();
  };
  const tiles = rack.map((face, i) => {
    const tile = el(
      'button',
      { type: 'button', class: isBlankFace(face) ? 'tile blank' : 'tile', 'aria-label': faceName(setup, face) },
      el('i', { text: face === '?' ? '' : shownFace(face) }),
      !isBlankFace(face) && el('sub', { text: String(valueOf(setup, face)) }),
    );
    tile.addEventListener('click', () => press(i));
    return tile;
  });
  show();
  const body = el(
    'div',
    {},
    el('p', { text: texts.exchangeText }),
    el('div', { class: 'tiles-to-choose' }, ...tiles),
    count,
  );
  // A letter chooses the next of its tiles, or gives the last one back when all are chosen.
  body.addEventListener('keydown', ({ key, ctrlKey, metaKey, altKey }) => {
    if (ctrlKey || metaKey || altKey) return;
    const same = rack.flatMap((face, i) => (shownFace(face) === key.toUpperCase() ? [i] : []));
    const next = same.find((i) => !chosen.has(i)) ?? same.at(-1);
    if (next !== undefined) press(next);
  });
  const isSure = await frame.dialog({
    title: texts.exchangeAsk,
    body,
    actions: [
      { label: texts.cancel, kind: 'flat' },
      { label: texts.exchange, value: true, kind: 'go', check: () => chosen.size > 0 },
    ],
  });
  return isSure ? rack.filter((_, i) => chosen.has(i)) : [];
}
