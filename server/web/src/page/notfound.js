// The page for addresses that lead nowhere.

import { el } from '../view/dom.js';
import { words } from '../text/words.js';

/**
 * @param {import('./routes.js').PageContext} context
 * @returns {import('./routes.js').Page}
 */
export function openNotFound({ frame }) {
  const { notFound, seek } = words().pages;
  frame.setTitle(notFound.title);
  const node = el(
    'div', { class: 'page alone' }, el('h1', { text: notFound.title }), el('p', { class: 'lead', text: notFound.text }),
    el('a', { class: 'btn', href: '/', text: seek.toLobby }),
  );
  return { node, close() {} };
}
