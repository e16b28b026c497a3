// The token of the player's identity, kept by the browser. It goes to the server that gave it and nowhere else.

const IDENTITY_KEY = 'tilewire.identity';

/** @typedef {{ token: string, identity: string }} KeptIdentity */

/** The identity on this device. Another origin has another storage, so no other server sees it. */
export class IdentityStore {
  /** @param {Storage | undefined} storage The browser's storage; without one the identity lasts as long as the page. */
  constructor(storage) {
    this.storage = storage;
    /** @type {KeptIdentity | undefined} */
    this.unstored = undefined;
  }

  /** @returns {KeptIdentity | undefined} */
  get kept() {
    try {
      return readIdentity(this.storage?.getItem(IDENTITY_KEY)) ?? this.unstored;
    } catch {
      return this.unstored;
    }
  }

  /**
   * Keeps the newest token of the identity; `undefined` forgets it.
   *
   * @param {KeptIdentity | undefined} kept
   */
  keep(kept) {
    this.unstored = kept;
    try {
      if (kept === undefined) this.storage?.removeItem(IDENTITY_KEY);
      else this.storage?.setItem(IDENTITY_KEY, JSON.stringify(kept));
    } catch {
      // A full or forbidden storage: the identity lasts as long as the page.
    }
  }

  /**
   * Takes an identity that lasts as long as the page: from now on what the browser keeps is neither read nor changed.
   *
   * @param {string} token
   */
  useOnly(token) {
    this.storage = undefined;
    this.unstored = { token, identity: '' };
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
    this.unstored = now;
    return identity !== undefined && now?.identity !== identity;
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
