// The page of a game: still to come.

import { el } from '../view/dom.js';

/**
 * @param {any} context
 * @returns {{ node: HTMLElement, close(): void }}
 */
export function openGame({ frame, game }) {
  frame.setTitle(game);
  return { node: el('div', { class: 'page' }, el('h1', { text: game })), close() {} };
}
