// Shows sentences with names and words of the game in them. Names keep to themselves whichever way they are written.

import { el } from './dom.js';
import { facesOfWord, isBlankFace, shownFace } from '../play/faces.js';

/** The language of the words of the game that is shown, if it is known. */
let wordLanguage = /** @type {string | undefined} */ (undefined);

/**
 * Says in which language the words of the game are, so that a screen reader reads them right.
 *
 * @param {string | undefined} tag By BCP 47.
 */
export function setWordLanguage(tag) {
  wordLanguage = tag;
}

/**
 * Replaces what is in an element by a sentence, if it differs.
 *
 * @param {HTMLElement} node
 * @param {import('../text/rich.js').Part[] | string | undefined} parts
 */
export function setParts(node, parts) {
  const key = JSON.stringify(parts ?? '');
  if (node.dataset.parts === key) return;
  node.dataset.parts = key;
  if (parts === undefined || typeof parts === 'string') node.replaceChildren(parts ?? '');
  else {
    const buttons = () => Array.from(node.querySelectorAll('button'));
    const focused = buttons().findIndex((button) => button === document.activeElement);
    node.replaceChildren(...parts.map(partNode));
    if (focused >= 0) buttons()[focused]?.focus({ preventScroll: true });
  }
}

/** @param {import('../text/rich.js').Part} part */
function partNode(part) {
  if (typeof part === 'string') return document.createTextNode(part);
  if ('name' in part) return nameNode(part.name);
  if ('strong' in part) return el('b', { text: part.strong });
  return part.act ? wordButton(part) : wordNode(part.word);
}

/** @param {import('../text/rich.js').MarkedWord} part */
function wordButton({ word, act, label, valid }) {
  const mark = valid === undefined ? undefined : el('span', { 'aria-hidden': 'true', text: valid ? ' ✓' : ' ✗' });
  const kind = valid === undefined ? '' : valid ? ' good' : ' bad';
  const attributes = { type: 'button', class: `ask${kind}`, 'aria-label': label, title: label, onclick: act };
  return el('button', attributes, wordNode(word), mark);
}

/**
 * The name of a player.
 *
 * @param {string} name
 * @returns {HTMLElement}
 */
export function nameNode(name) {
  return el('bdi', { class: 'name', text: name });
}

/**
 * A word of the game in capitals, its blanks light and with a dotted line.
 *
 * @param {string} word As on the wire: `[LL]AmA`.
 * @returns {HTMLElement}
 */
export function wordNode(word) {
  const node = el('b', { class: 'word', lang: wordLanguage });
  for (const face of facesOfWord(word)) {
    const shown = shownFace(face);
    const last = node.lastChild;
    if (isBlankFace(face)) node.append(el('i', { class: 'bl', text: shown }));
    else if (last instanceof Text) last.appendData(shown);
    else node.append(shown);
  }
  return node;
}
