// All the games that a connection follows: attaches them on every new connection, and again after a gap or a pause.

import { Stream, mayAttachLater } from './stream.js';

/** @typedef {import('./stream.js').GameObserver} GameObserver */

const ATTACH_AGAIN_MS = 1000;

/** The streams of a connection, by game. */
export class Streams {
  /** @type {Map<string, Stream>} */
  #streams = new Map();
  #send;
  #setTimer;
  #isOpen = false;

  /**
   * @param {object} use
   * @param {(op: string, text: string) => number} use.send Sends and returns the id.
   * @param {(act: () => void, ms: number) => unknown} use.setTimer
   */
  constructor({ send, setTimer }) {
    this.#send = send;
    this.#setTimer = setTimer;
  }

  /**
   * @param {string} game
   * @param {GameObserver} observer
   * @param {string | undefined} code
   */
  add(game, observer, code) {
    const stream = new Stream(game, observer, code, () => this.#detach(stream));
    this.#streams.set(game, stream);
    if (this.#isOpen) this.#attach(stream);
    return stream;
  }

  /** The connection is open: every game is attached from its position. */
  opened() {
    this.#isOpen = true;
    for (const stream of this.#streams.values()) this.#attach(stream);
  }

  /** The connection is lost, and all attachments with it. */
  lost() {
    this.#isOpen = false;
    for (const stream of this.#streams.values()) Object.assign(stream, { attachId: 0, isAttached: false });
  }

  /**
   * An answer has come. Returns whether it was to an `attach`.
   *
   * @param {number} id
   * @param {string} op
   * @param {any} body
   */
  answered(id, op, body) {
    const stream = [...this.#streams.values()].find(({ attachId }) => id !== 0 && attachId === id);
    if (!stream) return false;
    if (op === 'ok') stream.attached(body);
    else this.#ended(stream, body);
    return true;
  }

  /**
   * A push has come. Returns whether it was about a game that is followed.
   *
   * @param {string} op
   * @param {any} body
   */
  pushed(op, body) {
    const stream = this.#streams.get(body.game);
    if (!stream) return false;
    // A push before the answer to an `attach` belongs to an earlier attachment.
    if (op !== 'detached') {
      if (stream.take(op, body)) this.#attach(stream);
    } else if (stream.isAttached) {
      this.#ended(stream, body);
    }
    return true;
  }

  /** @param {Stream} stream */
  #attach(stream) {
    stream.attaching(this.#send('attach', JSON.stringify(stream.attachBody())));
  }

  /**
   * The server has ended a stream, or refuses it.
   *
   * @param {Stream} stream
   * @param {{ code: string, retryable?: boolean, detail?: Protocol.ErrorDetail }} body
   */
  #ended(stream, body) {
    Object.assign(stream, { attachId: 0, isAttached: false });
    if (!mayAttachLater(body)) {
      this.#streams.delete(stream.game);
      return stream.observer.lost(body.code);
    }
    this.#setTimer(() => {
      const isWanted = this.#streams.get(stream.game) === stream;
      if (this.#isOpen && isWanted && !stream.isAttached && !stream.attachId) this.#attach(stream);
    }, body.detail?.retry_after_ms ?? ATTACH_AGAIN_MS);
  }

  /** @param {Stream} stream */
  #detach(stream) {
    if (this.#streams.get(stream.game) !== stream) return;
    this.#streams.delete(stream.game);
    if (this.#isOpen) this.#send('detach', JSON.stringify({ game: stream.game }));
  }
}
