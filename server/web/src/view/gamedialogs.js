// The dialogs of a game: the letter of a blank, the tiles of an exchange, a command, and the list of everything else.

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
    setText(count, texts.exchangeDo(chosen.size));
    tiles.forEach((tile, i) => setAttribute(tile, 'aria-pressed', String(chosen.has(i))));
  };
  const tiles = rack.map((face, i) => {
    const tile = el(
      'button',
      { type: 'button', class: isBlankFace(face) ? 'tile blank' : 'tile', 'aria-label': faceName(setup, face) },
      el('i', { text: face === '?' ? '' : shownFace(face) }),
      !isBlankFace(face) && el('sub', { text: String(valueOf(setup, face)) }),
    );
    tile.addEventListener('click', () => {
      if (!chosen.delete(i) && chosen.size < most) chosen.add(i);
      show();
    });
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
  count.className = 'hide';
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

/**
 * Asks for a command as text.
 *
 * @param {Frame} frame
 * @param {(text: string) => string | undefined} check What is wrong with it, if anything.
 * @returns {Promise<string | undefined>}
 */
export async function askCommand(frame, check) {
  const texts = words().game;
  const field = /** @type {HTMLInputElement} */ (
    el('input', {
      class: 'field',
      'aria-label': texts.command,
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
      maxlength: 80,
      autofocus: true,
    })
  );
  const fault = el('p', { class: 'bad', role: 'alert' });
  const body = el('div', {}, field, fault, el('p', { class: 'muted small', text: texts.commandHelp }));
  const isSure = await frame.dialog({
    title: texts.command,
    body,
    actions: [
      { label: texts.cancel, kind: 'flat' },
      {
        label: texts.commandDo,
        value: true,
        kind: 'go',
        check: () => {
          const wrong = check(field.value);
          setText(fault, wrong ?? '');
          return wrong === undefined;
        },
      },
    ],
  });
  return isSure ? field.value : undefined;
}

/**
 * Shows everything that has no button of its own.
 *
 * @param {Frame} frame
 * @param {{ label: string, isRisk?: boolean, act: () => void }[]} items
 * @param {string} about The game in words.
 */
export async function askMore(frame, items, about) {
  const texts = words().game;
  const over = new AbortController();
  /** @type {(() => void) | undefined} */
  let act;
  const buttons = items.map((item) =>
    el('button', {
      type: 'button',
      class: item.isRisk ? 'btn wide risk' : 'btn wide',
      text: item.label,
      onclick: () => {
        act = item.act;
        over.abort();
      },
    }),
  );
  const keys = el(
    'dl',
    { class: 'key-list' },
    ...texts.keyList.flatMap(([key, what]) => [el('dt', {}, el('kbd', { text: key })), el('dd', { text: what })]),
  );
  const body = el(
    'div',
    { class: 'more-list' },
    el('p', { text: about }),
    ...buttons,
    el('details', {}, el('summary', { text: texts.keys }), keys),
  );
  await frame.dialog({ title: texts.more, body, actions: [{ label: texts.close, kind: 'flat' }], signal: over.signal });
  act?.();
}
