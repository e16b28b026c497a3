// Finds out whether a connection is alive. Scripts see no pings, so after some silence the server is asked for the
// time.

/** While nothing is heard for as many heartbeats the connection counts as lost (P-CONN-12). */
const LOST_AFTER_BEATS = 2.5;

/**
 * @typedef {object} HeartbeatUse
 * @property {() => number} now
 * @property {(act: () => void, ms: number) => any} setTimer
 * @property {(timer: any) => void} clearTimer
 * @property {() => number} ask Sends a `time` and returns its id.
 * @property {() => void} lost
 */

/** The heartbeat of one connection after another. */
export class Heartbeat {
  #use;
  #beatMs = 0;
  #heardAt = 0;
  /** @type {{ id: number, sentAt: number, withinMs: number, isOpen: boolean } | undefined} */
  #question = undefined;
  /** @type {any} */
  #timer = undefined;

  /** @param {HeartbeatUse} use */
  constructor(use) {
    this.#use = use;
  }

  /** @param {number} beatMs How often the server pings. */
  start(beatMs) {
    this.#beatMs = beatMs;
    this.heard();
    this.#wait(beatMs);
  }

  /** The connection has ended. */
  stop() {
    this.#use.clearTimer(this.#timer);
    this.#question = undefined;
  }

  /** Something has come, which is a sign of life. */
  heard() {
    this.#heardAt = this.#use.now();
    if (this.#question) this.#question.isOpen = false;
  }

  /**
   * Asks for the time, and takes the connection for lost if nothing comes.
   *
   * @param {number} withinMs
   */
  ask(withinMs) {
    this.#question = { id: this.#use.ask(), sentAt: this.#use.now(), withinMs, isOpen: true };
    this.#wait(Math.min(withinMs, this.#beatMs));
  }

  /**
   * When the question was sent that an answer belongs to; `undefined` if it belongs to none.
   *
   * @param {number} id
   */
  answered(id) {
    if (this.#question?.id !== id) return undefined;
    const { sentAt } = this.#question;
    this.#question = undefined;
    return sentAt;
  }

  #wait(ms = 0) {
    this.#use.clearTimer(this.#timer);
    this.#timer = this.#use.setTimer(() => this.#beat(), ms);
  }

  #beat() {
    const now = this.#use.now();
    const { isOpen, sentAt, withinMs } = this.#question ?? { isOpen: false, sentAt: 0, withinMs: 0 };
    // Timers of hidden pages come late, so silence counts only from a question on.
    if (isOpen && now - sentAt >= withinMs) return this.#use.lost();
    if (!isOpen && now - this.#heardAt >= this.#beatMs) return this.ask(this.#beatMs * (LOST_AFTER_BEATS - 1));
    this.#wait(isOpen ? sentAt + withinMs - now : Math.max(this.#beatMs / 10, this.#heardAt + this.#beatMs - now));
  }
}
