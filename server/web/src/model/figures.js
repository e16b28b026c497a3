// Figures of a player, from sums over games as the server counts them.

/**
 * The sums of the server. Everything from `counted` on is about counted games.
 *
 * @typedef {{
 *   games: number, left: number, two_seats: Tally, counted: number, turns: number, turn_points: number,
 *   final_scores: number, high_game?: number | null, low_game?: number | null,
 *   highest_play?: { word: string, points: number } | null, bingos: number, phonies_played: number,
 *   phonies_caught: number, challenges_won: number, challenges_lost: number, exchanges: number, first_moves: number,
 *   live_clock_ms: number, live_turns: number,
 * }} Sums
 * @typedef {{ won: number, lost: number, shared: number }} Tally
 * @typedef {'count' | 'average' | 'share' | 'time'} FigureKind How a value is written; `share` is 0 to 1, `time` ms.
 * @typedef {{ key: string, kind: FigureKind, value: number | undefined }} Figure Without a value: nothing to divide by.
 */

/**
 * @param {Sums} sums
 * @returns {Figure[]}
 */
export function figuresOf(sums) {
  const { games, left, two_seats: tally, counted, turns } = sums;
  const part = (/** @type {number} */ of, /** @type {number} */ all) => (all > 0 ? of / all : undefined);
  /** @type {[string, FigureKind, number | null | undefined][]} */
  const figures = [
    ['games', 'count', games], ['won', 'count', tally.won], ['lost', 'count', tally.lost],
    ['shared', 'count', tally.shared], ['finished', 'share', part(games - left, games)], ['counted', 'count', counted],
    ['perTurn', 'average', part(sums.turn_points, turns)], ['perGame', 'average', part(sums.final_scores, counted)],
    ['high', 'count', sums.high_game], ['low', 'count', sums.low_game],
    ['highestPlay', 'count', sums.highest_play?.points], ['bingos', 'average', part(sums.bingos, counted)],
    ['phonies', 'count', sums.phonies_played], ['caught', 'count', sums.phonies_caught],
    ['challengesWon', 'count', sums.challenges_won], ['challengesLost', 'count', sums.challenges_lost],
    ['exchanges', 'count', sums.exchanges], ['first', 'share', part(sums.first_moves, counted)],
    ['turnTime', 'time', part(sums.live_clock_ms, sums.live_turns)],
  ];
  return figures.map(([key, kind, value]) => ({ key, kind, value: value ?? undefined }));
}
