// The dialog with the direct messages: the list of conversations, or one of them.

import { el, icon, setAttribute, setText } from './dom.js';
import { KeyedList } from './keyed.js';
import { nameNode } from './parts.js';
import { words } from '../text/words.js';

/**
 * Shows the dialog until it is closed. The focus goes back to where it was.
 *
 * @param {{ back(): void, closed(): void }} acts
 */
export function messagesDialog({ back, closed }) {
  const { chat: texts, game } = words();
  const title = el('h2', { id: 'messages-title' });
  const square = (/** @type {string} */ name, /** @type {string} */ drawing, /** @type {() => void} */ onclick) => (
    el('button', { type: 'button', class: 'btn sq', 'aria-label': name, onclick }, icon(drawing)));
  const backButton = square(texts.back, 'previous', back);
  const close = square(game.close, 'close', () => node.close());
  const body = el('div', { class: 'talk' });
  const node = /** @type {HTMLDialogElement} */ (el(
    'dialog', { class: 'wide chat-dialog', 'aria-labelledby': 'messages-title' },
    el('div', { class: 'head' }, backButton, title, close), body,
  ));
  node.addEventListener('pointerdown', (event) => {
    if (event.target === node) node.close();
  });
  // A link in it leads to another page.
  node.addEventListener('click', (event) => {
    const link = event.target instanceof Element && event.target.closest('a');
    if (link && !link.target) node.close();
  });
  node.addEventListener('close', () => {
    node.remove();
    closed();
  });
  document.body.append(node);
  node.showModal();
  return {
    close: () => node.close(),
    /** @param {HTMLElement} list */
    showList(list) {
      setAttribute(backButton, 'hidden', true);
      title.replaceChildren(texts.messages);
      body.replaceChildren(list);
      /** @type {HTMLElement | null} */ (list.querySelector('button, a'))?.focus();
    },
    /** @param {string} handle @param {HTMLElement} room */
    showRoom(handle, room) {
      setAttribute(backButton, 'hidden', false);
      const href = `/players/${encodeURIComponent(handle)}`;
      title.replaceChildren(el('a', { class: 'text-link', href }, nameNode(handle)));
      body.replaceChildren(room);
    },
  };
}

/** @typedef {{ handle: string, at: number, unread: number }} ConversationLine */

/** The conversations, the last one first. */
export class ConversationList {
  /** @param {(handle: string) => void} open */
  constructor(open) {
    const { chat: texts } = words();
    const list = el('ul', { class: 'conversations' });
    this.none = el('p', { class: 'muted none', text: texts.noMessages });
    const friends = el('a', { class: 'text-link', href: '/friends', text: texts.friends });
    this.node = el('div', { class: 'list-of-talks' }, list, this.none, el('p', { class: 'foot' }, friends));
    const make = (/** @type {ConversationLine} */ { handle }) => conversationRow(() => open(handle));
    this.entries = new KeyedList(list, (/** @type {ConversationLine} */ line) => line.handle, make);
  }

  /** @param {ConversationLine[]} lines */
  show(lines) {
    this.entries.show(lines);
    setAttribute(this.none, 'hidden', lines.length > 0);
  }
}

/**
 * @param {() => void} open
 * @returns {import('./keyed.js').Entry<ConversationLine>}
 */
function conversationRow(open) {
  const name = el('span', { class: 'cut' });
  const time = el('span', { class: 'small muted' });
  const count = el('span', { class: 'count' });
  const button = el('button', { type: 'button', onclick: open }, name, time, count);
  return {
    node: el('li', {}, button), update: ({ handle, at, unread }) => {
      const { chat: texts } = words();
      if (name.textContent !== handle) name.replaceChildren(nameNode(handle));
      setText(time, texts.time(at));
      setText(count, texts.fresh(unread));
      setAttribute(count, 'hidden', unread === 0);
    },
  };
}
