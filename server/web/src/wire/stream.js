// The events of one game. They reach the observer in order and each once, whatever happens to the connection
// (P-RESUME).

/**
 * @typedef {object} GameObserver
 * @property {(body: Protocol.Snapshot) => void} snapshot Replaces everything that was known.
 * @property {(body: Protocol.GameEvent) => void} event
 * @property {(body: Protocol.TurnWaiting | undefined) => void} waiting A turn waits, or none does any more.
 * @property {(op: string, body: any) => void} push `presence`, `crowd`, `paused`, `unpaused` and others of the game.
 * @property {(ok: Protocol.OkBody) => void} attached Before the events or the snapshot that follow. Pauses are told
 * anew.
 * @property {(code: string) => void} lost The stream has ended for good.
 */

/** Refusals after which a stream goes on later. A `detached` does not say so itself. */
const LATER_CODES = new Set([
  'rate_limited',
  'busy',
  'shutting_down',
  'internal',
  'storage_paused',
  'command_in_flight',
]);

/** The stream of one game on one connection. */
export class Stream {
  /**
   * Epoch and number belong together, so an epoch counts only with the number that came with it.
   *
   * @type {number | undefined}
   */
  epoch = undefined;
  seq = 0;
  /** The last event when it was attached. */
  head = 1;
  /** The id of the `attach` that is not answered; 0 if it is. */
  attachId = 0;
  isAttached = false;
  awaitsSnapshot = false;
  #detach;

  /**
   * @param {string} game
   * @param {GameObserver} observer
   * @param {string | undefined} code
   * @param {(stream: Stream) => void} detach
   */
  constructor(game, observer, code, detach) {
    this.game = game;
    this.observer = observer;
    this.code = code;
    this.#detach = detach;
  }

  /** Whether everything has come that had happened when the game was attached; before that, events are old news. */
  get isCurrent() {
    return this.isAttached && !this.awaitsSnapshot && this.seq >= this.head;
  }

  /** Ends the stream. */
  detach() {
    this.#detach(this);
  }

  /** The body of an `attach`: from the position, or from the first event if there is none. */
  attachBody() {
    const { game, epoch, seq, code } = this;
    return { game, epoch, seq: epoch === undefined ? 0 : seq, code };
  }

  /**
   * An `attach` was sent. What comes before its answer does not count.
   *
   * @param {number} id
   */
  attaching(id) {
    Object.assign(this, { attachId: id, isAttached: false, awaitsSnapshot: false });
  }

  /** @param {Protocol.OkBody} ok */
  attached(ok) {
    Object.assign(this, {
      attachId: 0,
      isAttached: true,
      head: ok.head ?? 0,
      awaitsSnapshot: ok.outcome === 'snapshot',
    });
    if (!this.awaitsSnapshot) this.epoch = ok.epoch;
    this.observer.attached(ok);
    this.observer.waiting(undefined);
  }

  /**
   * A push about the game has come. Returns whether the stream must be attached again, as some events are missing.
   *
   * @param {string} op
   * @param {any} body
   */
  take(op, body) {
    if (!this.isAttached || (this.awaitsSnapshot && op !== 'snapshot')) return false;
    if (op === 'snapshot') {
      Object.assign(this, { epoch: body.epoch, seq: body.seq, awaitsSnapshot: false });
      this.observer.snapshot(body);
    } else if (op === 'event') {
      if (body.seq > this.seq + 1) return true;
      if (body.seq <= this.seq) return false;
      this.seq = body.seq;
      this.observer.event(body);
    } else if (op === 'turn_waiting') {
      this.observer.waiting(body);
    } else {
      this.observer.push(op, body);
    }
    return false;
  }
}

/**
 * Whether a stream that the server has ended or refused goes on after a pause.
 *
 * @param {{ code: string, retryable?: boolean }} body
 */
export function mayAttachLater({ code, retryable }) {
  return retryable ?? LATER_CODES.has(code);
}
