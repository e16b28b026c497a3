// The player of this page: a guest, a registered player, or a user of the site around the page; and the change from one to another.

import { words } from '../text/words.js';

/**
 * @typedef {{
 *   identities: import('../store/identity.js').IdentityStore, connection: import('../wire/socket.js').Connection,
 *   frame: import('../view/frame.js').Frame, router: () => import('./routes.js').Router,
 * }} AccountParts
 */

/** The player of this browser. */
export class Account {
  /** Recovery codes that the player has not said to have kept. @type {string[] | undefined} */
  unsaved = undefined;
  /** Whether the player logs out, so that the end of the session is no surprise. */
  isLeaving = false;
  #wasPlayer = false;
  /** @type {string | undefined} */
  #identity;

  /** @param {AccountParts} parts */
  constructor(parts) {
    const { identities, connection } = parts;
    this.parts = parts;
    this.#identity = identities.kept?.identity;
    connection.on('token', (/** @type {string | undefined} */ token) => {
      if (token === undefined) this.#refused();
      else this.#renewed(token);
    });
    connection.on('welcome', () => {
      // The name of a registered player is the handle, which may have changed on another device.
      if (this.kind === 'player') this.named(connection.name ?? '');
      this.show();
    });
    this.show();
  }

  /** @returns {'guest' | 'player' | 'site'} */
  get kind() {
    const { isOfSite, kept } = this.parts.identities;
    if (isOfSite) return 'site';
    return kept?.handle === undefined ? 'guest' : 'player';
  }

  /** The handle of a registered player; otherwise the name, empty before the server has said it. */
  get name() {
    return this.parts.identities.kept?.handle ?? this.parts.connection.name ?? '';
  }

  /** The own identity; that of the last visit until the server has said it. */
  get identity() {
    const { connection, identities } = this.parts;
    return connection.identity ?? identities.kept?.identity;
  }

  get token() {
    return this.parts.identities.kept?.token;
  }

  /** The name of the guest that comes back after logging out, if there is one. */
  get guest() {
    const { aside } = this.parts.identities;
    return aside && (aside.name ?? '');
  }

  /** Shows in the bar who plays. */
  show() {
    this.parts.frame.bar.setMe(this.name, this.kind);
  }

  /**
   * Goes on as a registered player: this one has registered or logged in.
   *
   * @param {{ me: { identity: string, handle?: string }, token: string }} signedIn
   */
  async take({ me, token }) {
    const { identities, connection } = this.parts;
    this.#identity = me.identity;
    identities.logIn({ token, identity: me.identity, handle: me.handle }, connection.name);
    await this.#goOn(token);
  }

  /**
   * Goes on with the token of an answer. It takes the place of the kept one, which the server may refuse before the answer comes.
   *
   * @template {{ token: string }} Answer
   * @param {() => Promise<Answer>} ask
   * @param {(answer: Answer) => { identity: string, handle?: string }} meOf
   * @returns {Promise<Answer>}
   */
  async change(ask, meOf) {
    const { identities } = this.parts;
    identities.setChanging(true);
    try {
      const answer = await ask();
      await this.take({ me: meOf(answer), token: answer.token });
      return answer;
    } finally {
      identities.setChanging(false);
    }
  }

  /**
   * The kept token, if another one of the same identity was refused; `true`: a tab waits for one.
   *
   * @param {string | undefined} token The refused one.
   */
  newer(token) {
    const { identities } = this.parts;
    const { kept } = identities;
    if (this.isLeaving || kept === undefined || kept.identity !== this.#identity) return false;
    return kept.token === token ? identities.isChanging : kept.token;
  }

  /**
   * The session of the registered player is about to end: the browser keeps the guest that waits instead.
   *
   * @returns {() => void} Keeps the player again.
   */
  stepAside() {
    const { identities } = this.parts;
    const { kept } = identities;
    const { guest } = this;
    identities.logOut(this.#identity);
    return () => {
      if (kept) identities.logIn(kept, guest);
    };
  }

  /** Goes on in the lobby as the guest that waits, or as a new one: the session has ended. */
  async leave() {
    const { identities, router } = this.parts;
    identities.logOut(this.#identity);
    this.#identity = identities.kept?.identity;
    await this.#goOn(this.token);
    router().go('/', { again: true });
  }

  /**
   * Goes on as a user of the site around the page.
   *
   * @param {string} token
   */
  async useOnly(token) {
    const { identities, connection, router } = this.parts;
    const before = connection.identity;
    identities.useOnly(token);
    await this.#goOn(token);
    if (connection.identity !== before) router().show({ again: true });
  }

  /** @param {string} handle The registered player has this one. */
  named(handle) {
    const { identities, connection } = this.parts;
    if (identities.kept) identities.keep({ ...identities.kept, handle });
    connection.name = handle;
    this.show();
  }

  /** Gives the identity up. */
  forget() {
    const { identities, connection } = this.parts;
    connection.stop();
    identities.keep(undefined);
    location.assign('/');
  }

  /** The token to go on with, as that of an earlier visit is not taken any more; without one, as a new guest. */
  instead() {
    const { errors } = words();
    this.parts.frame.toast(this.#wasPlayer ? errors.loggedOut : errors.newGuest);
    return this.token;
  }

  /** The message when the server no longer accepts the token of this visit; `undefined` if the player has logged out. */
  lost() {
    const { errors, lobby } = words();
    const logIn = () => {
      void this.#goOn(this.token);
      this.parts.router().go('/login');
    };
    if (this.isLeaving) return undefined;
    return this.#wasPlayer ? { text: errors.loggedOut, label: lobby.bar.logIn, run: logIn }
      : { text: errors.lostIdentity, label: errors.asNewGuest, run: () => this.forget() };
  }

  /**
   * Goes on with a token, or as a new guest.
   *
   * @param {string | undefined} token
   * @returns {Promise<void>} Kept when the server has let that identity in.
   */
  #goOn(token) {
    const { connection } = this.parts;
    return new Promise((resolve) => {
      const end = connection.on('welcome', () => {
        end();
        resolve();
      });
      connection.useToken(token);
      connection.start();
    });
  }

  /** @param {string} token */
  #renewed(token) {
    const { identities, connection: { identity = '' } } = this.parts;
    const { kept } = identities;
    this.#identity = identity;
    identities.keep({ token, identity, handle: kept?.identity === identity ? kept.handle : undefined });
  }

  #refused() {
    const { identities } = this.parts;
    // Another tab may have gone on already.
    if (this.isLeaving || identities.kept?.identity !== this.#identity) return;
    this.#wasPlayer = this.kind === 'player';
    if (this.#wasPlayer) identities.logOut(this.#identity);
    else identities.keep(undefined);
    this.show();
  }
}
