// Reconnecting after a close: the table of close codes (P-CLOSE) and the pauses between attempts.

/** Codes after which trying again makes no sense. */
const FINAL_CLOSES = new Set([1000, 1002, 1003, 1007, 1009, 4000, 4008, 4009]);
/** Codes after which the first attempt follows at once; 1005 and 1006 mean that the connection broke. */
const AT_ONCE_CLOSES = new Set([1001, 1005, 1006, 4001, 4003, 4005]);
/** Flood, and too many connections. */
const SLOW_CLOSES = new Set([4004, 4007]);
/** The server restarts, and says when to come back. */
const RESTART_CLOSE = 4006;
/** The token is not taken. */
export const BAD_TOKEN_CLOSE = 4002;

const SLOW_PAUSE_MS = 5000;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * @typedef {object} Ending
 * @property {number} code
 * @property {string} text The reason of the close frame.
 * @property {boolean} wasUseful Whether the connection was let in and lasted for a while.
 * @property {number} attempt How many attempts have failed before, since the last useful connection.
 * @property {number} [retryAfterMs] The pause that an error before the close has named.
 */

/**
 * Whether a client stops after this code. A token that is not taken is another matter.
 *
 * @param {number} code
 */
export function isFinalClose(code) {
  return FINAL_CLOSES.has(code);
}

/**
 * The pause before the next attempt, ms. It grows with every attempt and differs from client to client.
 *
 * @param {Ending} ending
 * @param {() => number} random From 0 to less than 1.
 */
export function pauseAfter({ code, text, wasUseful, attempt, retryAfterMs }, random) {
  if (code === RESTART_CLOSE) {
    const namedMs = Number(/^retry_after_ms=(\d{1,9})\b/.exec(text)?.[1] ?? FIRST_PAUSE_MS);
    return namedMs * (1 + random());
  }
  if (wasUseful && AT_ONCE_CLOSES.has(code)) return 0;
  const growing = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempt, 10)) * (0.5 + random() / 2);
  return Math.max(growing, retryAfterMs ?? 0, SLOW_CLOSES.has(code) ? SLOW_PAUSE_MS * (1 + random()) : 0);
}
