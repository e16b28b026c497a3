// The dialogs of a game that a first game does not need: a command, and the list of everything without a button.

import { el, setText } from './dom.js';
import { words } from '../text/words.js';

/** @typedef {import('./frame.js').Frame} Frame */

/**
 * Asks for a command as text.
 *
 * @param {Frame} frame
 * @param {(text: string) => string | undefined} check What is wrong with it, if anything.
 * @returns {Promise<string | undefined>}
 */
export async function askCommand(frame, check) {
  const { game, pages: { more: texts } } = words();
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
      { label: game.cancel, kind: 'flat' },
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
  const { game, pages: { more: texts } } = words();
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
  await frame.dialog({ title: game.more, body, actions: [{ label: game.close, kind: 'flat' }], signal: over.signal });
  act?.();
}
