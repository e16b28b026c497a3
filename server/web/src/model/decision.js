// Which rule made the winner of a finished game, from its end alone (R-END, R-TIE).

/** Ends after which the scores decide. */
const DECIDED_BY_SCORES = new Set(['out_play', 'scoreless_turns', 'passes', 'turn_cap', 'all_played', 'uncatchable']);
const DECIDED_BY_LEAVING = new Set(['resignation', 'time', 'abandonment']);

/**
 * `before`: the score before unplayed tiles were counted broke a tie; `tied`: that was equal too; `equal`: a tie stands;
 * `share`: the largest share of the own target won; `last`: all others left.
 *
 * @typedef {{ by: 'before', tie: number, before: number[] } | { by: 'tied' | 'equal' | 'share' | 'last' }} Decision
 */

/**
 * Nothing if the highest final score won, or if the reason of the end says all.
 *
 * @param {import('./table.js').Table} table
 * @returns {Decision | undefined}
 */
export function decisionOf({ result, seats, setup }) {
  if (!result) return undefined;
  const { reason, results, winners } = result;
  if (DECIDED_BY_LEAVING.has(reason)) return { by: 'last' };
  if (!DECIDED_BY_SCORES.has(reason)) return undefined;
  if (winners.length !== 1) return { by: setup.options.ties === 'stand' ? 'equal' : 'tied' };
  const active = results.filter(({ seat }) => seats[seat].retired === undefined);
  const targets = new Set(active.map(({ seat }) => setup.targets?.[seat]));
  if (targets.size > 1) return { by: 'share' };
  const won = results[winners[0]].final_score;
  const equal = active.filter(({ final_score: score }) => score === won).sort((a, b) => a.rank - b.rank);
  if (equal.length < 2) return undefined;
  return { by: 'before', tie: won, before: equal.map(({ score, time_penalty: penalty }) => score - penalty) };
}
