// The arithmetic of clocks: what a seat has left at a moment, and how that is written.

/** @typedef {import('./table.js').Table} Table */

/**
 * @typedef {object} SeatClock
 * @property {string} kind The kind of clock, such as `overtime` or `untimed`.
 * @property {number} leftMs The rest of the main time or bank; negative in overtime, and in an untimed game the time
 * used.
 * @property {number} allowanceMs What is used before that: the rest of a delay, or of the limit of a turn.
 * @property {number} shownMs What a clock shows: with a limit per turn that limit and then the bank, else the main
 * time.
 * @property {boolean} isRunning
 * @property {boolean} isOvertime
 * @property {number} overtimePenalty Points that the overtime costs so far.
 */

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TENTHS_BELOW_MS = 10_000;

/**
 * The moment that is shown at a moment of the server: spectators of a delayed game see the past (P-SEE-8), and nothing
 * goes on while a game is paused (P-PUSH-2). A page without a connection does not know whether time goes on.
 *
 * @param {Table} table
 * @param {number} serverNow
 */
export function shownMoment(table, serverNow) {
  const isDelayed = table.role === 'spectator' && table.phase !== 'ended';
  const delayMs = isDelayed ? (table.setup.options?.spectators?.delay_ms ?? 0) : 0;
  return Math.min(serverNow, table.pausedAt ?? serverNow, table.lostAt ?? serverNow) - delayMs;
}

/**
 * The clock of a seat at a moment of the server.
 *
 * @param {Table} table
 * @param {number} seat
 * @param {number} serverNow
 * @returns {SeatClock}
 */
export function clockOf(table, seat, serverNow) {
  const { main_ms: main, allowance_ms: allowance, running } = table.waitingClocks ?? table.clocks;
  const { kind = 'untimed', penalty_per_minute: penaltyPerMinute = 10 } = table.setup.options?.clock ?? {};
  const isRunning = running?.seat === seat;
  const usedMs = isRunning ? Math.max(0, shownMoment(table, serverNow) - running.since) : 0;
  const freeMs = Math.min(usedMs, Math.max(0, allowance[seat] ?? 0));
  const leftMs = (main[seat] ?? 0) - (usedMs - freeMs);
  const allowanceMs = (allowance[seat] ?? 0) - freeMs;
  const isOvertime = kind === 'overtime' && leftMs < 0;
  return {
    kind,
    leftMs,
    allowanceMs,
    isRunning,
    isOvertime,
    shownMs: kind === 'per_move' && allowanceMs > 0 ? allowanceMs : leftMs,
    overtimePenalty: isOvertime ? Math.ceil(-leftMs / MINUTE_MS) * penaltyPerMinute : 0,
  };
}

/**
 * A time as a clock shows it: `12:05`, `1:02:05`, `0:09.4` below ten seconds, `2 d 3 h` from a day on.
 *
 * @param {number} ms Negative in overtime.
 * @param {{ day: string, hour: string }} [units]
 */
export function clockText(ms, units = { day: 'd', hour: 'h' }) {
  const absolute = Math.abs(ms);
  if (absolute >= DAY_MS) {
    const hours = Math.floor(absolute / HOUR_MS);
    return `${ms < 0 ? '-' : ''}${Math.floor(hours / 24)} ${units.day} ${hours % 24} ${units.hour}`;
  }
  const seconds = Math.floor(absolute / SECOND_MS);
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const front = hours > 0 ? `${hours}:${twoDigits(minutes)}` : String(minutes);
  const tenths = ms >= 0 && ms < TENTHS_BELOW_MS ? `.${Math.floor((ms % SECOND_MS) / 100)}` : '';
  return `${ms < 0 ? '-' : ''}${front}:${twoDigits(seconds % 60)}${tenths}`;
}

/**
 * How long a running clock shows the same text.
 *
 * @param {number} ms What it has left.
 */
export function shownDigitChangesIn(ms) {
  // Overtime counts up, so its text changes when the next unit is full.
  if (ms < 0) {
    const unit = -ms >= DAY_MS ? HOUR_MS : SECOND_MS;
    return unit - (-ms % unit);
  }
  const unit = ms >= DAY_MS ? HOUR_MS : ms >= TENTHS_BELOW_MS ? SECOND_MS : 100;
  return (ms % unit) + 1;
}

/** @param {number} number */
function twoDigits(number) {
  return String(number).padStart(2, '0');
}
