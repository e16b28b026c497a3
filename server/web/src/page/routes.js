// Which page belongs to which address, and how the player gets from one to another.

import { el } from '../view/dom.js';
import { words } from '../text/words.js';
import { detourOf, detourTo } from './detours.js';
import { openLobby } from './lobby.js';
import { openLater } from './scripts.js';

/** The pages around the account; each is known by its path. */
const ACCOUNT_PATHS = new Set(['/account', '/login', '/moderation', '/recover', '/register']);

/**
 * The context of a page.
 *
 * @typedef {{
 *   frame: import('../view/frame.js').Frame, connection: import('../wire/socket.js').Connection,
 *   seeking: import('./seeking.js').Seeking, rulebook: import('./rulebook.js').Rulebook,
 *   nonces: import('../store/nonces.js').NonceStore, account: import('./account.js').Account,
 *   rename(): Promise<void>, yourTurn(game: string): void,
 * }} PageContext
 * @typedef {{ node: HTMLElement, close(): void, isBusy?: () => boolean, ready?: Promise<void> }} Page `isBusy`: the
 *   player must not be taken away; `ready`: when it has its title, if not at once.
 * @typedef {{ key: string, place: string, game?: string, open(context: PageContext): Page }} Route
 */

/**
 * The route of an address.
 *
 * @param {{ pathname: string, hash: string }} location
 * @returns {Route}
 */
export function routeOf({ pathname, hash }) {
  const [, first = '', second = '', ...more] = pathname.split('/').map(routePart);
  const code = new URLSearchParams(hash.slice(1)).get('code') ?? undefined;
  const key = `${pathname} ${code ?? ''}`;
  /** @type {Route} */
  const nowhere = { key, place: '', open: openLater('pages', ({ pages }, c) => pages.openNotFound(c)) };
  if (more.length > 0) return nowhere;
  if (pathname === '/') {
    const isWatching = hash === '#watch';
    const place = isWatching ? '/#watch' : '/';
    const openWatch = openLater('pages', ({ pages }, c) => pages.openWatch(c));
    return { key: place, place, open: isWatching ? openWatch : openLobby };
  }
  if (pathname === '/watch') {
    return { key, place: '/#watch', open: openLater('pages', ({ pages }, c) => pages.openWatch(c)) };
  }
  if (first === 'games' && second) {
    const open = openLater('game', ({ openGame }, c) => openGame({ ...c, game: second, code }));
    return { key, place: '', game: second, open };
  }
  if (first === 'seeks' && second) {
    return { key, place: '/', open: openLater('pages', ({ pages }, c) => pages.openSeek({ ...c, seek: second })) };
  }
  if (pathname === '/join') {
    return { key, place: '/', open: openLater('pages', ({ pages }, c) => pages.openSeek({ ...c, code: code ?? '' })) };
  }
  if (first === 'rules') {
    const ruleSet = second || undefined;
    return { key, place: '/rules', open: openLater('pages', ({ pages }, c) => pages.openRules({ ...c, ruleSet })) };
  }
  if (pathname === '/settings') {
    return { key, place: '/settings', open: openLater('pages', ({ pages }, c) => pages.openSettings(c)) };
  }
  if (pathname === '/archive' || pathname === '/finished') {
    // The filters are in the fragment.
    const open = openLater('people', ({ people }, c) => people.openArchive({ ...c, asked: hash.slice(1) }));
    return { key: `/archive ${hash}`, place: '/archive', open };
  }
  if (pathname === '/leaderboards') {
    const open = openLater('people', ({ people }, c) => people.openLeaderboards({ ...c, asked: hash.slice(1) }));
    return { key: pathname, place: pathname, open };
  }
  if (first === 'players' && second) {
    const open = openLater('people', ({ people }, c) => people.openProfile({ ...c, handle: second }));
    return { key, place: pathname, open };
  }
  if (pathname === '/friends') {
    return { key: pathname, place: pathname, open: openLater('people', ({ people }, c) => people.openFriends(c)) };
  }
  if (ACCOUNT_PATHS.has(pathname)) {
    return { key, place: pathname, open: openLater('people', ({ people }, c) => people.openAccountPage(first, c)) };
  }
  return nowhere;
}

/** @param {string} text */
function routePart(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Shows the page of the address, and follows links, "back" and "forward". */
export class Router {
  /**
   * @param {PageContext} context
   */
  constructor(context) {
    this.context = context;
    /** @type {Page | undefined} */
    this.page = undefined;
    /** @type {Route | undefined} */
    this.route = undefined;
    window.addEventListener('popstate', () => this.show());
    document.addEventListener('click', (event) => this.#followLink(event));
  }

  /**
   * @param {string} path
   * @param {{ again?: boolean }} [how] As for `show`.
   */
  go(path, how) {
    history.pushState(detourTo(path, location.pathname + location.hash, history.state), '', path);
    this.show(how);
  }

  /**
   * Returns from a detour to where it began.
   *
   * @param {string} otherwise Where to go if it began here.
   */
  back(otherwise) {
    const detour = detourOf(history.state);
    if (!detour) return this.go(otherwise);
    history.pushState(detour.under, '', detour.from);
    this.show();
  }

  /**
   * Opens the page of the address, if it is another one.
   *
   * @param {{ again?: boolean }} [how] `again`: in any case, since the texts or the identity have changed.
   */
  show({ again = false } = {}) {
    const route = routeOf(location);
    if (!again && route.key === this.route?.key) return;
    const isFirst = this.route === undefined;
    const { frame } = this.context;
    this.page?.close();
    frame.tools([]);
    frame.setBarTitle('');
    frame.setTitle('');
    frame.bar.setPlace(route.place);
    this.route = route;
    this.page = route.open(this.context);
    frame.show(this.page.node, !isFirst && !again);
    this.#showWayBack();
    if (isFirst) return;
    void Promise.resolve(this.page.ready).then(() => this.route === route && frame.announce(document.title));
  }

  /** Above the page of a detour from a game: the way back to it. */
  #showWayBack() {
    const { from } = detourOf(history.state) ?? {};
    if (!from?.startsWith('/games/')) return;
    const onclick = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.back('/');
    };
    const link = el('a', { class: 'text-link', href: from, text: words().lobby.bar.backToGame, onclick });
    this.context.frame.main.prepend(el('p', { class: 'back small' }, link));
  }

  /** Whether the player plays something now and must not be taken to another page. */
  isBusy() {
    if (this.page?.isBusy) return this.page.isBusy();
    const { games } = this.context.connection;
    return games.some((/** @type {any} */ { game, phase }) => game === this.route?.game && phase !== 'ended');
  }

  /**
   * @param {MouseEvent} event
   */
  #followLink(event) {
    const { button, metaKey, ctrlKey, shiftKey, altKey } = event;
    if (event.defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : undefined;
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (link.id === 'skip' || /\.[a-z]+$/.test(link.pathname)) return;
    event.preventDefault();
    this.go(link.pathname + link.hash);
  }
}
