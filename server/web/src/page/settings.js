// A page that is still to come.

import { el } from '../view/dom.js';

/**
 * @param {any} context
 * @returns {import('./routes.js').Page}
 */
export function openSettings({ frame }) {
  frame.setTitle('');
  return { node: el('div', { class: 'page' }, el('h1', { text: 'settings' })), close() {} };
}
