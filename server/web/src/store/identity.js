// The token of the player's identity, kept by the browser. It goes to the server that gave it and nowhere else. While a
// registered player is logged in, the guest of this browser waits aside.

const IDENTITY_KEY = 'tilewire.identity';
const ASIDE_KEY = 'tilewire.guest';
/** When a tab has asked for a token in place of the kept one. */
const CHANGE_KEY = 'tilewire.change';
/** The longest time that other tabs wait for that token: no answer takes longer. */
const CHANGE_WITHIN_MS = 30_000;

/**
 * `handle`: of a registered player; a guest has none. `name`: the name of a guest that waits aside. `at`: of a change.
 *
 * @typedef {{ token: string, identity: string, handle?: string, name?: string, at?: number }} KeptIdentity
 */

/** The identity on this device. Another origin has another storage, so no other server sees it. */
export class IdentityStore {
  /** Whether the identity lasts as long as the page: the site around it says who the player is. */
  isOfSite = false;

  /** @param {Storage | undefined} storage The browser's storage; without one the identity lasts as long as the page. */
  constructor(storage) {
    this.storage = storage;
    /** @type {Record<string, KeptIdentity | undefined>} */
    this.unstored = {};
  }

  /** @returns {KeptIdentity | undefined} */
  get kept() {
    return this.#read(IDENTITY_KEY);
  }

  /**
   * The guest that comes back when the registered player logs out.
   *
   * @returns {KeptIdentity | undefined}
   */
  get aside() {
    return this.#read(ASIDE_KEY);
  }

  /**
   * Keeps the newest token of the identity; `undefined` forgets it.
   *
   * @param {KeptIdentity | undefined} kept
   */
  keep(kept) {
    this.#write(IDENTITY_KEY, kept);
  }

  /**
   * Keeps a registered player. A guest who was another identity waits aside.
   *
   * @param {KeptIdentity} player
   * @param {string | undefined} name The name of the guest.
   */
  logIn(player, name) {
    const { kept } = this;
    if (kept && kept.handle === undefined && kept.identity !== player.identity) {
      this.#write(ASIDE_KEY, { ...kept, name });
    }
    this.keep(player);
  }

  /**
   * Forgets a registered player; the guest that waits is kept again. Another tab may have done so already.
   *
   * @param {string | undefined} player The identity of the player.
   */
  logOut(player) {
    if (this.kept?.identity !== player) return;
    this.keep(this.aside);
    this.#write(ASIDE_KEY, undefined);
  }

  /** @param {boolean} isOn Whether a tab waits for a token in place of the kept one, which the server may refuse already. */
  setChanging(isOn) {
    this.#write(CHANGE_KEY, isOn ? { token: '', identity: '', at: Date.now() } : undefined);
  }

  get isChanging() {
    return Date.now() - (this.#read(CHANGE_KEY)?.at ?? 0) < CHANGE_WITHIN_MS;
  }

  /**
   * Takes an identity that lasts as long as the page: from now on what the browser keeps is neither read nor changed.
   *
   * @param {string} token
   */
  useOnly(token) {
    this.storage = undefined;
    this.isOfSite = true;
    this.unstored = { [IDENTITY_KEY]: { token, identity: '' } };
  }

  /**
   * Whether another tab has taken this identity away or put another one in its place. A newer token of the same
   * identity does not count.
   *
   * @param {StorageEvent} event
   * @param {string | undefined} identity The one that this tab has.
   * @returns {boolean}
   */
  isReplacedBy(event, identity) {
    if (!this.storage || (event.key !== IDENTITY_KEY && event.key !== null)) return false;
    const now = readIdentity(event.newValue);
    this.unstored[IDENTITY_KEY] = now;
    return identity !== undefined && now?.identity !== identity;
  }

  /** @param {string} key */
  #read(key) {
    try {
      return readIdentity(this.storage?.getItem(key)) ?? this.unstored[key];
    } catch {
      return this.unstored[key];
    }
  }

  /**
   * @param {string} key
   * @param {KeptIdentity | undefined} kept
   */
  #write(key, kept) {
    this.unstored[key] = kept;
    try {
      if (kept === undefined) this.storage?.removeItem(key);
      else this.storage?.setItem(key, JSON.stringify(kept));
    } catch {
      // A full or forbidden storage: the identity lasts as long as the page.
    }
  }
}

/**
 * @param {string | null | undefined} text
 * @returns {KeptIdentity | undefined}
 */
function readIdentity(text) {
  try {
    const kept = JSON.parse(text ?? '');
    return typeof kept.token === 'string' ? kept : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The browser's storage, if it lets us have one.
 *
 * @returns {Storage | undefined}
 */
export function browserStorage() {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}
