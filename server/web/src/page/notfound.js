// The page for addresses that lead nowhere.

import { el } from '../view/dom.js';
import { words } from '../text/words.js';

/** Where the player may have wanted to go, beside the lobby. */
const NOT_FOUND_WAYS = /** @type {const} */ ([['/#watch', 'watch'], ['/archive', 'finished'], ['/rules', 'rules']]);

/**
 * @param {import('./routes.js').PageContext} context
 * @returns {import('./routes.js').Page}
 */
export function openNotFound({ frame }) {
  const { lobby: { bar }, pages: { notFound } } = words();
  frame.setTitle(notFound.title);
  const node = el(
    'div', { class: 'page alone' }, el('h1', { text: notFound.title }), el('p', { class: 'lead', text: notFound.text }),
    el(
      'div', { class: 'acts-row' }, el('a', { class: 'btn go', href: '/', text: bar.play }),
      ...NOT_FOUND_WAYS.map(([href, key]) => el('a', { class: 'btn', href, text: bar[key] })),
    ),
  );
  return { node, close() {} };
}
