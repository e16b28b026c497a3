// The server's clock, as far as it can be known from here (P-CLOCK-4).

/** Counts the server's time with a monotonic clock of the page. */
export class ServerClock {
  #now;
  /** @type {number | undefined} */
  #differenceMs = undefined;
  #isLagKnown = false;
  lagMs = 0;

  /** @param {() => number} now The page's monotonic clock, ms. */
  constructor(now) {
    this.#now = now;
  }

  /** The server's time now, unix ms; the page's own time before the server has said something. */
  now() {
    return this.#differenceMs === undefined ? Date.now() : this.#now() + this.#differenceMs + this.lagMs;
  }

  /**
   * The server has said its time, in answer to something sent at `sentAt`.
   *
   * @param {number} serverTime
   * @param {number} [sentAt]
   */
  said(serverTime, sentAt) {
    const roundTripMs = sentAt === undefined ? 0 : this.#now() - sentAt;
    // An answer that was held up on its way says less than is known already.
    if (this.#differenceMs !== undefined && this.#isLagKnown && roundTripMs > 4 * this.lagMs + 200) return;
    this.#differenceMs = serverTime - this.#now();
    if (!this.#isLagKnown) this.lagMs = roundTripMs / 2;
  }

  /** @param {number} lagMs Half a round trip, as the server has measured it. */
  lagged(lagMs) {
    this.lagMs = lagMs;
    this.#isLagKnown = true;
  }

  /** Another connection begins, with another lag. */
  reconnected() {
    this.#isLagKnown = false;
    this.#differenceMs = undefined;
  }
}
