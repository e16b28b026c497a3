// The recovery codes, which are shown once: to copy, to keep as a file, and a box that says that they are kept.

import { el, icon, setAttribute, setText } from './dom.js';
import { copyText } from './copy.js';
import { saveText } from './download.js';
import { words } from '../text/words.js';

/**
 * @param {{
 *   codes: string[], handle: string, host: string, toast: (text: string) => void, done: () => void,
 * }} view
 * @returns {HTMLElement}
 */
export function codesCard({ codes, handle, host, toast, done }) {
  const { codesCard: texts } = words().accounts;
  const file = `${texts.file(handle, host)}\n\n${codes.join('\n')}\n`;
  const lines = codes.map((code) => el('li', { text: code }));
  const list = el('ol', { class: 'codes code', 'aria-label': texts.list }, ...lines);
  const copy = el('button', { class: 'btn', type: 'button', onclick: async () => {
    if (await copyText(file)) return toast(texts.copied);
    getSelection()?.selectAllChildren(list);
    toast(texts.copySelf);
  } }, icon('link'), texts.copy);
  const save = el('button', { class: 'btn', type: 'button', onclick: () => saveText(file, `tilewire-${handle}.txt`) },
    icon('download'), texts.download);
  const error = el('p', { id: 'codes-error', class: 'bad small' });
  const box = /** @type {HTMLInputElement} */ (el('input', {
    type: 'checkbox', 'aria-describedby': 'codes-error', onchange: () => say(''),
  }));
  const say = (/** @type {string} */ text) => {
    setText(error, text);
    setAttribute(box, 'aria-invalid', text !== '' && 'true');
  };
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (box.checked) return done();
    say(texts.savedFirst);
    box.focus();
  };
  return el(
    'form', { class: 'card form padded', 'aria-label': texts.title, novalidate: true, onsubmit: submit }, list,
    el('div', { class: 'two' }, copy, save),
    el('label', { class: 'check' }, box, el('span', { text: texts.saved })), error,
    el('button', { class: 'btn go wide tall', text: texts.done }),
  );
}
