// Whether a player is asked if the player is still there.

/** @typedef {{ seat: number, target: number, claim_at?: number }} Nudge */

/**
 * The nudge that waits for an answer: it belongs to the turn of the seat that is asked.
 *
 * @param {import('./table.js').Table} table
 * @returns {Nudge | undefined}
 */
export function openNudge({ nudge, onTurn, phase, seats }) {
  if (phase !== 'running' || !nudge || nudge.target !== onTurn || seats[onTurn].retired !== undefined) return undefined;
  const { seat, target, claim_at } = nudge;
  return { seat, target, claim_at };
}
