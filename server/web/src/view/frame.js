// The frame around every page: bar, banner, toasts, dialogs, announcer. Pages get it as `frame`.

import { el, icon } from './dom.js';
import { Bar } from './bar.js';
import { showDialog } from './dialog.js';
import { createAnnouncer } from './announcer.js';
import { words } from '../text/words.js';

const TOAST_MS = 6000;
const TOASTS_SHOWN = 3;

/**
 * @typedef {{
 *   settings: import('../store/settings.js').Settings, go(path: string): void, back(otherwise: string): void, onSound(): void, onName(): void,
 *   onLogOut(): void,
 * }} FrameOptions
 */

/** @typedef {{ text: string, action?: { label: string, run: () => void } }} Line */

/** The frame around the pages. */
export class Frame {
  /** @param {FrameOptions} options */
  constructor(options) {
    this.settings = options.settings;
    this.goTo = options.go;
    this.goBack = options.back;
    this.main = /** @type {HTMLElement} */ (document.getElementById('page'));
    this.banner = /** @type {HTMLElement} */ (document.getElementById('banner'));
    this.toasts = /** @type {HTMLElement} */ (document.getElementById('toasts'));
    this.skip = /** @type {HTMLElement} */ (document.getElementById('skip'));
    this.announcer = createAnnouncer();
    document.body.append(this.announcer.node);
    this.bar = new Bar(/** @type {HTMLElement} */ (document.getElementById('bar')), options);
    /** @type {Map<string, Line & { node: HTMLElement }>} */
    this.lines = new Map();
    /** Called when a line has changed. A page with a place of its own for one sets it, and clears it when it closes. */
    this.onLine = () => {};
    this.relabel();
    this.skip.addEventListener('click', (event) => {
      event.preventDefault();
      this.main.focus();
    });
  }

  /** Writes all texts anew, after the language has changed. */
  relabel() {
    this.skip.textContent = words().lobby.bar.skip;
    this.bar.relabel();
  }

  /** @param {string} path Goes to a page, with its fragment if there is one: `/games/ID#code=…`. */
  go(path) {
    this.goTo(path);
  }

  /** @param {string} otherwise Returns from a detour to where it began; goes here if it began here. */
  back(otherwise) {
    this.goBack(otherwise);
  }

  /**
   * Says something for a few seconds; with an act, it stays until it is pressed or dismissed.
   *
   * @param {string} text
   * @param {{ label: string, run: () => void }} [action]
   * @returns {() => void} Takes it away.
   */
  toast(text, action) {
    const { bar } = words().lobby;
    const close = () => {
      clearTimeout(timer);
      node.remove();
    };
    const act = action && el('button', {
      class: 'btn small', type: 'button', text: action.label, onclick: () => { close(); action.run(); },
    });
    const dismiss = action && el(
      'button', { class: 'btn sq small', type: 'button', 'aria-label': bar.dismiss, onclick: close }, icon('close'),
    );
    const node = el('div', { class: 'toast' }, el('p', { text }), act, dismiss);
    const timer = action ? undefined : setTimeout(close, TOAST_MS);
    this.toasts.append(node);
    while (this.toasts.children.length > TOASTS_SHOWN) this.toasts.firstElementChild?.remove();
    return close;
  }

  /**
   * @param {Parameters<typeof showDialog>[0]} dialog
   * @returns {Promise<any>} The value of the act, or `undefined` if it was dismissed.
   */
  dialog(dialog) {
    return showDialog(dialog);
  }

  /**
   * Asks before something that cannot be undone.
   *
   * @param {string} title
   * @param {string} text
   * @param {string} action The label of the act, as in "Resign".
   * @returns {Promise<boolean>}
   */
  async confirm(title, text, action) {
    const { bar } = words().lobby;
    const actions = /** @type {import('./dialog.js').DialogAction[]} */ ([
      { label: bar.cancel, value: false, kind: 'flat' }, { label: action, value: true, kind: 'risk' },
    ]);
    return await showDialog({ title, body: text, actions }) === true;
  }

  /**
   * Tells screen readers.
   *
   * @param {string} text
   * @param {boolean} [urgent] Whether it interrupts what is being read.
   */
  announce(text, urgent) {
    this.announcer.say(text, urgent);
  }

  /** @param {string} text The title of the tab; empty for the name alone. */
  setTitle(text) {
    document.title = text ? `${text} · Tilewire` : 'Tilewire';
  }

  /** @param {Node | string} title What the page is about, in the bar. */
  setBarTitle(title) {
    this.bar.setTitle(title);
  }

  /** @param {Node[]} nodes The page's own tools in the bar. */
  tools(nodes) {
    this.bar.setTools(nodes);
  }

  /**
   * Shows a line under the bar while something is wrong, or takes it away.
   *
   * @param {string} kind A line of the same kind is replaced.
   * @param {string} [text]
   * @param {{ label: string, run: () => void }} [action] With the label `''`, a cross.
   */
  setLine(kind, text, action) {
    const old = this.lines.get(kind);
    if (old?.text === text) return;
    old?.node.remove();
    this.lines.delete(kind);
    this.onLine();
    if (!text) return;
    const button = action && el(
      'button', { class: `btn small${action.label ? '' : ' sq'}`, type: 'button', onclick: action.run },
      action.label || icon('close'),
    );
    if (button && !action?.label) button.setAttribute('aria-label', words().lobby.bar.dismiss);
    const node = el('p', { 'data-kind': kind }, el('span', { text }), button);
    this.lines.set(kind, { text, action, node });
    this.banner.append(node);
    this.onLine();
  }

  /**
   * Puts a page on the screen, from its top, and tells screen readers by the focus.
   *
   * @param {HTMLElement} node
   * @param {boolean} moveFocus
   */
  show(node, moveFocus) {
    this.main.replaceChildren(node);
    window.scrollTo(0, 0);
    if (moveFocus) this.main.focus({ preventScroll: true });
  }
}
