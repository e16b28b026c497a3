// Finding a player by the start of the handle, while it is typed.

import { el, setText } from '../view/dom.js';
import { nameNode } from '../view/parts.js';
import { callAsPlayer } from './accountparts.js';
import { refusedText, words } from '../text/words.js';

/** As the server has them. */
const MIN_CHARS = 2;
const MAX_CHARS = 20;
/** A pause in typing after which the page asks. */
const PAUSE_MS = 250;

/**
 * A field for the start of a handle, and the players found.
 *
 * @param {import('./routes.js').PageContext} context
 */
export function findPlayer(context) {
  const { leaders: texts } = words().archive;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let pause;
  let asked = 0;
  const status = el('p', { class: 'small muted', role: 'status' });
  const found = el('div', { class: 'acts-row' });
  const show = async () => {
    clearTimeout(pause);
    const question = ++asked;
    const name = input.value.trim();
    if ([...name].length < MIN_CHARS) {
      found.replaceChildren();
      setText(status, '');
      return;
    }
    try {
      const { players } = await callAsPlayer(context, `/players?name=${encodeURIComponent(name)}`);
      if (question !== asked) return;
      found.replaceChildren(...players.map(linkOf));
      setText(status, texts.found(players.length));
    } catch (refused) {
      if (question !== asked) return;
      found.replaceChildren();
      setText(status, refusedText(/** @type {any} */ (refused)));
    }
  };
  const input = /** @type {HTMLInputElement} */ (el('input', {
    class: 'field', type: 'search', name: 'find', maxlength: MAX_CHARS, autocomplete: 'off', spellcheck: 'false',
    oninput: () => {
      clearTimeout(pause);
      pause = setTimeout(() => void show(), PAUSE_MS);
    },
  }));
  return el(
    'form', {
      class: 'form', role: 'search', onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        void show();
      },
    },
    el('label', {}, el('span', { class: 'label', text: texts.find }), input), found, status);
}

/** @param {{ handle: string }} player */
function linkOf({ handle }) {
  return el('a', { class: 'btn small', href: `/players/${encodeURIComponent(handle)}` }, nameNode(handle));
}
