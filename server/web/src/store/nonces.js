// The player's random numbers for the bags of games: announced with a seek, sent when its game begins, kept until then.

import { sha256 } from '../bag/sha256.js';
import { bytesToText } from '../bag/base64.js';

const NONCES_KEY = 'tilewire.nonces';
const NONCES_KEPT = 80;

/** @typedef {{ nonce: string, nonce_hash: string }} Nonce Both as on the wire, base64url. */

/** Nonces by the seek that they were announced with and, later, by its game. */
export class NonceStore {
  /** @param {Storage | undefined} storage The browser's storage; without one the nonces last as long as the page. */
  constructor(storage) {
    this.storage = storage;
    /** @type {Map<string, string>} */
    this.known = new Map(this.#read());
  }

  /**
   * Draws a nonce for one game.
   *
   * @returns {Nonce}
   */
  draw() {
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    return { nonce: bytesToText(bytes), nonce_hash: bytesToText(sha256(bytes)) };
  }

  /**
   * Keeps the nonce that was announced with a seek.
   *
   * @param {string} seek
   * @param {string} nonce
   */
  keep(seek, nonce) {
    this.known.set(`seek ${seek}`, nonce);
    this.#write();
  }

  /**
   * Says that a seek has become a game.
   *
   * @param {string} seek
   * @param {string} game
   */
  move(seek, game) {
    const nonce = this.known.get(`seek ${seek}`);
    if (nonce === undefined) return;
    this.known.delete(`seek ${seek}`);
    this.known.set(`game ${game}`, nonce);
    this.#write();
  }

  /**
   * The nonce to send with `ready` in a game, if one was announced on this device.
   *
   * @param {string} game
   * @returns {string | undefined}
   */
  of(game) {
    return this.known.get(`game ${game}`);
  }

  /** @returns {[string, string][]} */
  #read() {
    try {
      return JSON.parse(this.storage?.getItem(NONCES_KEY) ?? '[]');
    } catch {
      return [];
    }
  }

  #write() {
    const kept = [...new Map([...this.#read(), ...this.known])].slice(-NONCES_KEPT);
    try {
      this.storage?.setItem(NONCES_KEY, JSON.stringify(kept));
    } catch {
      // A full or forbidden storage: the nonces last as long as the page.
    }
  }
}
