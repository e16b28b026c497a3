// The page's identity on the server: the token that proves it, and the first message of a connection.

/**
 * @typedef {object} SessionUse
 * @property {string} [token] Of an earlier run.
 * @property {string} [name]
 * @property {string} [client]
 * @property {(act: () => void, ms: number) => any} setTimer
 * @property {(timer: any) => void} clearTimer
 * @property {() => number} serverNow
 * @property {() => Promise<{ token: string, expires_at?: number }>} renew Asks for another token.
 * @property {(token: string | undefined, expiresAt: number | undefined) => void} changed
 * @property {() => string | undefined} [instead] The token to go on with when that of an earlier run is not taken.
 * @property {(token: string | undefined) => string | boolean} [newer] Another token of the same identity, if there is one after
 *   the one that is not taken; `true`: one is on its way.
 */

/** Timers take no longer times. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** A token that ends soon is not renewed again and again. */
const SHORTEST_RENEWAL_MS = 15_000;

/** One identity, from connection to connection. */
export class Session {
  /** @type {string | undefined} */
  identity = undefined;
  #use;
  #token;
  #wantedName;
  /** @type {any} */
  #timer = undefined;

  /** @param {SessionUse} use */
  constructor(use) {
    this.#use = use;
    this.#token = use.token;
    this.#wantedName = use.name;
  }

  /** The body of an `auth`. */
  authBody() {
    const { client } = this.#use;
    return { token: this.#token, name: this.#wantedName, client };
  }

  /**
   * The server has let the client in.
   *
   * @param {{ identity: string, token: string, expires_at?: number }} welcome
   */
  welcomed({ identity, token, expires_at: expiresAt }) {
    this.identity = identity;
    this.#wantedName = undefined; // It counts once: it must not undo a later change on another device.
    this.#keep(token, expiresAt);
  }

  /**
   * The next connection is to be that of another token's identity; without a token, of a new guest.
   *
   * @param {string | undefined} token
   */
  replace(token) {
    this.#token = token;
    this.identity = undefined;
  }

  /** The connection has ended. */
  lost() {
    this.#use.clearTimer(this.#timer);
  }

  /**
   * The token is not taken. Returns whether to go on at once: with a newer token of the same identity, or as somebody else,
   * usually a new guest. That only with a token of an earlier run: who was somebody here has lost that, and must hear of it.
   * `later`: the newer token is not there yet.
   *
   * @returns {boolean | 'later'}
   */
  refused() {
    const newer = this.#use.newer?.(this.#token);
    if (newer === true) return 'later';
    if (newer) {
      this.#token = newer;
      return true;
    }
    const isOfEarlierRun = this.#token !== undefined && this.identity === undefined;
    this.#token = this.identity = undefined;
    this.#use.changed(undefined, undefined);
    if (isOfEarlierRun) this.#token = this.#use.instead?.();
    return isOfEarlierRun;
  }

  /**
   * Keeps a token, and asks for another one when half of its time is over.
   *
   * @param {string} token
   * @param {number | undefined} expiresAt
   */
  #keep(token, expiresAt) {
    this.#token = token;
    this.#use.changed(token, expiresAt);
    this.#use.clearTimer(this.#timer);
    if (expiresAt === undefined) return;
    const halfMs = Math.min(LONGEST_TIMER_MS, (expiresAt - this.#use.serverNow()) / 2);
    const renew = () =>
      this.#use.renew().then(
        (ok) => this.#keep(ok.token, ok.expires_at),
        () => {},
      );
    this.#timer = this.#use.setTimer(renew, Math.max(SHORTEST_RENEWAL_MS, halfMs));
  }
}
