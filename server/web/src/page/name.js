// Asks for a name and sends it.

import { el } from '../view/dom.js';
import { refusedText, words } from '../text/words.js';

/**
 * Shows a dialog with the own name until it is changed or dismissed.
 *
 * @param {import('../view/frame.js').Frame} frame
 * @param {import('../wire/socket.js').Connection} connection
 */
export async function askForName(frame, connection) {
  const { name: texts, bar } = words().lobby;
  const input = nameField(connection.name ?? '', texts.label);
  const problem = el('p', { class: 'bad small', role: 'alert' });
  const body = el(
    'div', { class: 'form' }, el('label', {}, el('span', { class: 'label', text: texts.label }), input), problem,
    el('p', { class: 'small', text: texts.hint }),
  );
  for (;;) {
    const shown = frame.dialog({
      title: texts.title, body,
      actions: [{ label: bar.cancel, kind: 'flat' }, { label: texts.save, value: 'save', kind: 'go' }],
    });
    input.select();
    if (await shown !== 'save') return;
    try {
      await rename(connection, input.value);
      frame.bar.setMe(connection.name ?? '', 'guest');
      frame.toast(texts.changed(connection.name ?? ''));
      return;
    } catch (refused) {
      problem.textContent = refusedText(/** @type {any} */ (refused));
    }
  }
}

/**
 * Sends a name, if it is another one.
 *
 * @param {import('../wire/socket.js').Connection} connection
 * @param {string} wanted
 */
export async function rename(connection, wanted) {
  const name = wanted.trim();
  if (name === connection.name) return;
  const answer = await connection.request('rename', { name });
  connection.name = answer.name;
}

/**
 * A field for a name.
 *
 * @param {string} name
 * @param {string} label
 * @returns {HTMLInputElement}
 */
export function nameField(name, label) {
  return /** @type {HTMLInputElement} */ (el('input', {
    class: 'field', value: name, maxlength: 24, autocomplete: 'nickname', spellcheck: 'false', 'aria-label': label,
  }));
}
