// Requests that are not answered yet. Each is answered exactly once, over as many connections as it takes: after a loss
// all go out again in their old order, commands under their old `cmd_id` (P-RESUME-9), and refusals that pass are tried
// again.

/** An `error` of the server, or why there is no answer. */
export class Refused extends Error {
  /** @param {{ code: string, message?: string, retryable?: boolean, detail?: Protocol.ErrorDetail }} body */
  constructor({ code, message = '', retryable = false, detail = {} }) {
    super(message);
    this.code = code;
    this.retryable = retryable;
    /** @type {Protocol.ErrorDetail} */
    this.detail = detail;
  }
}

/** The code of requests that the page gave up because the connection is stopped. */
export const STOPPED_CODE = 'stopped';

/** Commands that end a turn. They may have to wait, so another one may go out beside them (P-CMD-7). */
const TURN_OPS = new Set(['play', 'exchange', 'pass']);
/** Refusals that pass in time, but of which the player should hear at once: the position may be another one then. */
const TOLD_CODES = new Set(['held', 'challenge_pending', 'cannot_claim', 'owner_away']);
const MOST_TRIES = 8;
const LONGEST_WAIT_MS = 15_000;

/**
 * @typedef {object} OpenRequest
 * @property {string} op
 * @property {string} text The body. It is written once, so that it is the same whenever it is sent.
 * @property {string | undefined} game The game that a command belongs to.
 * @property {number} id Under which it was sent on this connection; 0 if it waits.
 * @property {number} tries
 * @property {boolean} isPausing
 * @property {(body: any) => void} resolve
 * @property {(error: Refused) => void} reject
 */

/** The unanswered requests of a connection, oldest first. */
export class OpenRequests {
  /** @type {OpenRequest[]} */
  #open = [];
  #send;
  #setTimer;
  #serverNow;
  #isOpen = false;

  /**
   * @param {object} use
   * @param {(op: string, text: string) => number} use.send Sends and returns the id.
   * @param {(act: () => void, ms: number) => unknown} use.setTimer
   * @param {() => number} use.serverNow
   */
  constructor({ send, setTimer, serverNow }) {
    this.#send = send;
    this.#setTimer = setTimer;
    this.#serverNow = serverNow;
  }

  /**
   * @param {string} op
   * @param {any} body
   * @returns {Promise<any>}
   */
  add(op, body) {
    return new Promise((resolve, reject) => {
      const game = body.cmd_id === undefined ? undefined : body.game;
      this.#open.push({ op, text: JSON.stringify(body), game, id: 0, tries: 0, isPausing: false, resolve, reject });
      this.#sendWhatMay();
    });
  }

  /** The connection is open: everything that is not answered goes out. */
  opened() {
    this.#isOpen = true;
    for (const request of this.#open) Object.assign(request, { id: 0, isPausing: false });
    this.#sendWhatMay();
  }

  /** The connection is lost. */
  lost() {
    this.#isOpen = false;
  }

  /**
   * An answer has come. Returns whether it was to one of these requests.
   *
   * @param {number} id
   * @param {string} op `ok` or `error`.
   * @param {any} body
   */
  answered(id, op, body) {
    const request = this.#open.find((open) => open.id === id);
    if (!id || !request) return false;
    const pauseMs = op === 'error' ? this.#pauseBefore(request, body) : undefined;
    if (pauseMs === undefined) {
      this.#open.splice(this.#open.indexOf(request), 1);
      if (op === 'error') request.reject(new Refused(body));
      else request.resolve(body);
    } else {
      Object.assign(request, { id: 0, isPausing: true, tries: request.tries + 1 });
      this.#setTimer(() => {
        request.isPausing = false;
        this.#sendWhatMay();
      }, pauseMs);
    }
    this.#sendWhatMay();
    return true;
  }

  /** Gives up all requests. */
  rejectAll() {
    for (const request of this.#open.splice(0)) request.reject(new Refused({ code: STOPPED_CODE }));
  }

  #sendWhatMay() {
    if (!this.#isOpen) return;
    this.#open.forEach((request, i) => {
      if (request.id === 0 && !request.isPausing && this.#mayGo(request, i))
        request.id = this.#send(request.op, request.text);
    });
  }

  /**
   * Whether no older command of the game is in the way.
   *
   * @param {OpenRequest} request
   * @param {number} place
   */
  #mayGo({ op, game }, place) {
    const older = this.#open.slice(0, place).filter((other) => game !== undefined && other.game === game);
    return older.length === 0 || (older.length === 1 && TURN_OPS.has(older[0].op) && !TURN_OPS.has(op));
  }

  /**
   * How long to wait before the request is tried again; `undefined`: the refusal is told. Who has written a line hears
   * of it at once.
   *
   * @param {OpenRequest} request
   * @param {Protocol.ErrorBody} error
   */
  #pauseBefore({ op, tries }, { code, retryable, detail }) {
    if (!retryable || op === 'chat_say' || TOLD_CODES.has(code) || tries + 1 >= MOST_TRIES) return undefined;
    const untilMs = detail?.until === undefined ? undefined : detail.until - this.#serverNow();
    const pauseMs = detail?.retry_after_ms ?? untilMs ?? 1000 * 2 ** Math.min(tries, 3);
    return pauseMs <= LONGEST_WAIT_MS ? Math.max(0, pauseMs) : undefined;
  }
}
