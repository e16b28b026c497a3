// The bar at the top: where one is, the connection, the sound, the settings, the own name with its menu. On a phone
// most of it is in one menu.

import { el, icon, setAttribute, setText } from './dom.js';
import { nameNode } from './parts.js';
import { words } from '../text/words.js';

/**
 * @typedef {{
 *   onSound(): void, onName(): void, onLogOut(): void, settings: import('../store/settings.js').Settings,
 * }} BarOptions
 */

/** The places of the navigation: the path and the key of the text. */
const BAR_PLACES = /** @type {const} */ ([
  ['/', 'play', 'play'], ['/#watch', 'watch', 'eye'], ['/leaderboards', 'leaders', 'list'],
  ['/archive', 'finished', 'clock'], ['/rules', 'rules', 'question'],
]);

/** The bar and its menu. */
export class Bar {
  /**
   * @param {HTMLElement} header The element with the brand in it.
   * @param {BarOptions} options
   */
  constructor(header, options) {
    this.header = header;
    this.options = options;
    this.name = '';
    this.kind = /** @type {'guest' | 'player' | 'site'} */ ('guest');
    this.lag_ms = /** @type {number | undefined} */ (undefined);
    this.isOpen = false;
    this.isModerator = false;
    this.reports = 0;
    this.place = '';
    this.title = el('div', { class: 'title' });
    this.toolSlot = el('div', { class: 'tools' });
    this.rest = /** @type {HTMLElement[]} */ ([]);
    this.relabel();
    options.settings.on((name) => name === 'sounds' && this.#showSound());
  }

  /** Writes all texts anew, after the language has changed. */
  relabel() {
    const { bar } = words().lobby;
    for (const node of this.rest) node.remove();
    const link = (/** @type {string} */ path, /** @type {string} */ text, /** @type {string} */ drawing = '') => (
      el('a', { href: path, 'data-place': path }, drawing ? icon(drawing) : undefined, text));
    const nav = el('nav', { 'aria-label': bar.nav }, ...BAR_PLACES.map(([path, key]) => link(path, bar[key])));
    this.lag = el('span', { class: 'lag num' });
    this.sound = el('button', { class: 'tool desk', type: 'button', onclick: () => this.options.onSound() });
    const gear = el(
      'a', { class: 'tool desk', href: '/settings', 'aria-label': bar.settings, title: bar.settings }, icon('gear'),
    );
    const button = (/** @type {Record<string, any>} */ attributes, /** @type {Node[]} */ ...children) => (
      el('button', { type: 'button', ...attributes }, ...children));
    this.me = button({ class: 'me desk', onclick: () => this.kind === 'guest' && this.options.onName() });
    this.meLinks = el(
      'span', { class: 'join desk' }, el('a', { class: 'tool', href: '/login', text: bar.logIn }),
      el('a', { class: 'btn small', href: '/register', text: bar.register }),
    );
    this.meMenu = el('div', { id: 'me-menu', class: 'drop', popover: 'auto' });
    this.menuMe = el('div', {});
    const opener = button({ class: 'tool menu', popovertarget: 'site-menu', 'aria-label': bar.menu }, icon('menu'));
    this.menuSound = el('button', { type: 'button', onclick: () => this.options.onSound() });
    this.menu = el(
      'div', { id: 'site-menu', class: 'drop', popover: 'auto' },
      el(
        'nav', { 'aria-label': bar.nav },
        ...BAR_PLACES.map(([path, key, drawing]) => link(path, bar[key], drawing)),
        link('/settings', bar.settings, 'gear'),
      ),
      el('hr'), this.menuSound, this.menuMe,
    );
    const menus = [this.menu, this.meMenu];
    for (const menu of menus) menu.addEventListener('click', (event) => this.#closeOnPress(event));
    const end = el('div', { class: 'end' }, this.toolSlot, this.lag, this.sound, gear, this.me, this.meLinks, opener);
    this.rest = [nav, this.title, end, ...menus];
    this.header.append(nav, this.title, end);
    this.header.after(...menus);
    this.#showSound();
    this.setMe(this.name, this.kind);
    this.setPlace(this.place);
    this.setLag(this.lag_ms, this.isOpen);
  }

  /** @param {string} place The path that the navigation marks as the current one. */
  setPlace(place) {
    this.place = place;
    for (const link of document.querySelectorAll('[data-place]')) {
      setAttribute(link, 'aria-current', link.getAttribute('data-place') === place && 'page');
    }
  }

  /**
   * @param {string} name The own name; empty before the server has said it.
   * @param {Bar['kind']} kind
   */
  setMe(name, kind) {
    Object.assign(this, { name, kind });
    const { bar } = words().lobby;
    const me = /** @type {HTMLElement} */ (this.me);
    me.replaceChildren(el('span', { class: 'face', 'aria-hidden': 'true', text: initialOf(name) }), nameNode(name), ...this.#reportCount());
    setAttribute(me, 'hidden', name === '');
    setAttribute(me, 'title', kind === 'guest' ? bar.rename : bar.account);
    setAttribute(me, 'popovertarget', kind !== 'guest' && 'me-menu');
    setAttribute(/** @type {HTMLElement} */ (this.meLinks), 'hidden', kind !== 'guest');
    for (const menu of [this.meMenu, this.menuMe]) menu?.replaceChildren(...this.#meItems());
    this.setPlace(this.place);
  }

  /**
   * @param {boolean} isModerator Whether the menu of the player leads to the reports.
   * @param {number} [reports] How many are open.
   */
  setModerator(isModerator, reports = 0) {
    if (this.isModerator === isModerator && this.reports === reports) return;
    Object.assign(this, { isModerator, reports });
    this.setMe(this.name, this.kind);
  }

  /** How many reports are open, if any is. */
  #reportCount() {
    const { bar } = words().lobby;
    const { reports } = this;
    return reports > 0 ? [el('span', { class: 'count', title: bar.openReports(reports), text: String(reports) })] : [];
  }

  /** The player's actions about the own name, as items of a menu. */
  #meItems() {
    const { bar } = words().lobby;
    const { name, kind, options } = this;
    const link = (/** @type {string} */ path, /** @type {string} */ drawing, /** @type {Node | string} */ text) => (
      el('a', { href: path, 'data-place': path }, icon(drawing), text));
    const button = (/** @type {string} */ drawing, /** @type {Node | string} */ text, /** @type {() => void} */ act) => (
      el('button', { type: 'button', onclick: act }, icon(drawing), text));
    if (kind === 'guest') {
      return [
        button('person', nameNode(name || '…'), () => options.onName()), link('/register', 'check', bar.register),
        link('/login', 'enter', bar.logIn),
      ];
    }
    const account = link('/account', 'key', bar.account);
    const friends = link('/friends', 'people', bar.friends);
    if (kind === 'site') return [friends, account];
    const profile = link(`/players/${encodeURIComponent(name)}`, 'person', nameNode(name));
    const moderation = this.isModerator
      ? [link('/moderation', 'list', el('span', {}, bar.moderation, ' ', ...this.#reportCount()))] : [];
    return [profile, friends, account, ...moderation, button('leave', bar.logOut, () => options.onLogOut())];
  }

  /**
   * @param {number | undefined} lag_ms
   * @param {boolean} isOpen
   */
  setLag(lag_ms, isOpen) {
    this.lag_ms = lag_ms;
    this.isOpen = isOpen;
    const { bar } = words().lobby;
    if (!this.lag) return;
    setText(this.lag, isOpen ? (lag_ms === undefined ? bar.connected : bar.lag(lag_ms)) : bar.notConnected);
    this.lag.classList.toggle('off', !isOpen);
  }

  /** @param {Node | string} title What the page is about, beside the navigation. */
  setTitle(title) {
    this.title.replaceChildren(title);
    this.header.classList.toggle('with-title', this.title.textContent !== '');
  }

  /** @param {Node[]} nodes The page's own tools. */
  setTools(nodes) {
    this.toolSlot.replaceChildren(...nodes);
    this.header.classList.toggle('with-tools', nodes.length > 0);
  }

  #showSound() {
    const { bar } = words().lobby;
    const isOn = this.options.settings.get('sounds');
    this.sound?.replaceChildren(icon(isOn ? 'sound' : 'sound-off'));
    this.menuSound?.replaceChildren(icon(isOn ? 'sound' : 'sound-off'), isOn ? bar.soundOn : bar.soundOff);
    if (!this.sound) return;
    setAttribute(this.sound, 'aria-label', bar.sound);
    setAttribute(this.sound, 'title', isOn ? bar.soundOn : bar.soundOff);
    setAttribute(this.sound, 'aria-pressed', isOn ? 'true' : 'false');
  }

  /** @param {Event} event A press in a menu: on the sound it changes only that. */
  #closeOnPress({ target, currentTarget }) {
    const item = target instanceof Element && target.closest('a, button');
    if (item && item !== this.menuSound) /** @type {HTMLElement} */ (currentTarget).hidePopover();
  }
}

/**
 * The initial of a person.
 *
 * @param {string} name
 * @returns {string}
 */
export function initialOf(name) {
  return (name.match(/[\p{L}\p{N}]/u)?.[0] ?? '').toUpperCase();
}
