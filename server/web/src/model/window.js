// The time in which a play can be challenged, held and accepted.

/** @typedef {import('./table.js').Table} Table */

/**
 * @typedef {object} ChallengeWindow
 * @property {number} playId
 * @property {number} author
 * @property {boolean} final
 * @property {number | undefined} closesAt
 * @property {number[]} eligible
 * @property {number[]} accepted
 * @property {number | undefined} holder
 * @property {number | undefined} holdUntil
 * @property {number[]} holdsUsed
 * @property {number | undefined} challenger
 * @property {number | undefined} decideBy
 */

/**
 * The window of a snapshot.
 *
 * @param {Protocol.SnapshotWindow} from
 * @returns {ChallengeWindow}
 */
export function windowOf(from) {
  return {
    playId: from.play_id,
    author: from.author,
    final: from.final,
    closesAt: from.closes_at,
    eligible: from.eligible,
    accepted: [...from.accepted],
    holder: from.holder,
    holdUntil: from.hold_until,
    holdsUsed: [...from.holds_used],
    challenger: from.challenger,
    decideBy: from.decide_by,
  };
}

/**
 * Opens the window of a play, if it has one.
 *
 * @param {Table} table
 * @param {Protocol.PlayMadeEvent} play
 */
export function openWindow(table, { seq, seat, window }) {
  if (!window) return;
  const others = [...table.seats.keys()].filter((other) => other !== seat);
  table.window = windowOf({
    play_id: seq,
    author: seat,
    final: window.final ?? false,
    closes_at: window.closes_at,
    eligible: window.eligible ?? others,
    accepted: [],
    holds_used: [],
  });
  if (window.final) table.phase = 'final';
}

/**
 * Applies an event to the open window; ignores an event of another kind or about another play.
 *
 * @param {Table} table
 * @param {Protocol.GameEvent} event
 */
export function inWindow(table, event) {
  const { window } = table;
  if (!window || !('play_id' in event) || window.playId !== event.play_id) return;
  switch (event.kind) {
    case 'accepted':
      window.accepted.push(event.seat);
      break;
    case 'hold_started':
      Object.assign(window, { holder: event.seat, holdUntil: event.until });
      window.holdsUsed.push(event.seat);
      break;
    case 'hold_ended':
      Object.assign(window, { holder: undefined, holdUntil: undefined, closesAt: event.closes_at ?? window.closesAt });
      break;
    case 'challenge_opened':
      Object.assign(window, { challenger: event.seat, decideBy: event.decide_by });
      break;
    case 'window_closed':
      table.window = undefined;
  }
}

/**
 * Moves every deadline of a window.
 *
 * @param {ChallengeWindow | undefined} window
 * @param {number} byMs
 */
export function creditWindow(window, byMs) {
  for (const name of /** @type {const} */ (['closesAt', 'holdUntil', 'decideBy'])) {
    if (window?.[name] !== undefined) window[name] += byMs;
  }
}
