// The panel of a game's chat: beside the board where there is room for it, else a sheet that rises from the foot.

import { el, icon, setAttribute, setText } from './dom.js';
import { segments } from './choices.js';
import { words } from '../text/words.js';

/**
 * @typedef {{ open(isOpen: boolean): void, choose(kind: string): void }} PanelActs
 * @typedef {{ tabs: string[][], shown: string, isOpen: boolean, unread: number }} PanelShown `tabs`: the rooms with their
 *   names; one alone is no choice.
 */

/** The panel, and the two buttons that open it: at the foot of the cards, and in the bar. */
export class ChatPanel {
  /** @param {PanelActs} acts */
  constructor(acts) {
    const { chat: texts, game } = words();
    this.acts = acts;
    this.tabs = segments('chat', acts.choose);
    setAttribute(this.tabs.node, 'role', 'radiogroup');
    setAttribute(this.tabs.node, 'aria-label', texts.room);
    const close = el('button', {
      type: 'button', class: 'btn sq close', 'aria-label': game.close, onclick: () => acts.open(false),
    }, icon('close'));
    this.title = el('h2', { text: texts.title });
    this.body = el('div', { class: 'talk' });
    this.node = el(
      'section', { class: 'card chat', id: 'chat-panel', 'aria-label': texts.title, hidden: true },
      el('header', {}, this.title, this.tabs.node, close), this.body,
    );
    const opener = (/** @type {string} */ kind, /** @type {Node[]} */ ...children) => el('button', {
      type: 'button', class: kind, 'aria-expanded': 'false', 'aria-controls': 'chat-panel', onclick: () => this.#toggle(),
    }, ...children);
    this.tabCount = el('span', { class: 'count' });
    this.tab = opener('card chat-tab', icon('chat'), el('span', { text: texts.title }), this.tabCount);
    this.toolCount = el('span', { class: 'count' });
    this.tool = opener('tool chat-tool', icon('chat'), this.toolCount);
    this.scrim = el('div', { class: 'chat-scrim', hidden: true, onclick: () => acts.open(false) });
    this.node.addEventListener('keydown', (event) => this.#key(event));
  }

  /**
   * Puts the panel into a game, unless it is there.
   *
   * @param {HTMLElement} table
   * @param {Element | undefined} lastTool
   */
  place(table, lastTool) {
    if (this.node.parentElement !== table) table.append(this.scrim, this.node, this.tab);
    if (!this.tool.isConnected) lastTool?.before(this.tool);
    table.classList.add('with-chat');
  }

  remove() {
    this.node.parentElement?.classList.remove('with-chat', 'chat-open');
    for (const node of [this.node, this.tab, this.tool, this.scrim]) node.remove();
  }

  /** @param {HTMLElement} room */
  show(room) {
    if (this.body.firstChild !== room) this.body.replaceChildren(room);
  }

  /** @param {PanelShown} shown */
  update({ tabs, shown, isOpen, unread }) {
    const { chat: texts } = words();
    this.tabs.show(tabs, shown);
    setAttribute(this.tabs.node, 'hidden', tabs.length < 2);
    this.title.classList.toggle('hide', tabs.length > 1);
    const label = texts.opens(texts.title, unread);
    for (const button of [this.tab, this.tool]) setAttribute(button, 'aria-label', label);
    setAttribute(this.tool, 'title', label);
    setText(this.tabCount, texts.fresh(unread));
    setText(this.toolCount, String(unread));
    for (const count of [this.tabCount, this.toolCount]) setAttribute(count, 'hidden', unread === 0);
    this.setOpen(isOpen);
  }

  /** @param {boolean} isOpen */
  setOpen(isOpen) {
    const wasOpen = !this.node.hidden;
    const hadFocus = this.node.contains(document.activeElement);
    setAttribute(this.node, 'hidden', !isOpen);
    setAttribute(this.scrim, 'hidden', !isOpen);
    this.node.parentElement?.classList.toggle('chat-open', isOpen);
    for (const button of [this.tab, this.tool]) setAttribute(button, 'aria-expanded', String(isOpen));
    if (!wasOpen || isOpen || !hadFocus) return;
    const opener = [this.tab, this.tool].find((button) => button.checkVisibility());
    opener?.focus({ preventScroll: true });
  }

  #toggle() {
    this.acts.open(this.node.hidden === true);
  }

  /** Esc closes the panel; the other keys are not those of the game. @param {KeyboardEvent} event */
  #key(event) {
    if (!event.altKey) event.stopPropagation();
    if (event.key !== 'Escape' || event.isComposing || this.node.querySelector(':popover-open')) return;
    event.preventDefault();
    this.acts.open(false);
  }
}
