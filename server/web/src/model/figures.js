// Figures of a player, as the server counts them.

/**
 * The server's figures of a group of games. The figures from `counted` on are about counted games.
 *
 * @typedef {{ won: number, lost: number, shared: number }} Tally
 * @typedef {{
 *   games: number, completion_rate?: number, two_seats: Tally, three_seats: number[], four_seats: number[],
 *   counted: number, turns: number, average_per_turn?: number, average_game?: number, high_game?: number,
 *   low_game?: number, highest_play_word?: string, highest_play_points?: number, bingos_per_game?: number,
 *   phonies_played: number, phonies_caught: number, challenges_won: number, challenges_lost: number, exchanges: number,
 *   first_move_share?: number, time_per_turn_ms?: number,
 * }} Sums
 * @typedef {'count' | 'average' | 'share' | 'time' | 'ranks' | 'play'} FigureKind How a value is written; `share` is 0 to
 *   1, `time` ms, `ranks` the games by rank.
 * @typedef {{ key: string, kind: FigureKind, value?: any }} Figure Without a value: nothing to divide by.
 */

/**
 * @param {Sums} sums
 * @returns {Figure[]}
 */
export function figuresOf(sums) {
  const { two_seats: tally } = sums;
  const play = sums.highest_play_points === undefined ? undefined
    : { points: sums.highest_play_points, word: sums.highest_play_word ?? '' };
  const ranks = (/** @type {number[]} */ games, /** @type {number} */ seats) => (
    games.some((count) => count > 0) ? games.slice(0, seats) : undefined);
  return /** @type {[string, FigureKind, any][]} */ ([
    ['games', 'count', sums.games], ['won', 'count', tally.won], ['lost', 'count', tally.lost],
    ['shared', 'count', tally.shared], ['three', 'ranks', ranks(sums.three_seats, 3)],
    ['four', 'ranks', ranks(sums.four_seats, 4)], ['finished', 'share', sums.completion_rate],
    ['counted', 'count', sums.counted], ['perTurn', 'average', sums.average_per_turn],
    ['perGame', 'average', sums.average_game], ['high', 'count', sums.high_game], ['low', 'count', sums.low_game],
    ['highestPlay', 'play', play], ['bingos', 'average', sums.bingos_per_game],
    ['phonies', 'count', sums.phonies_played], ['caught', 'count', sums.phonies_caught],
    ['challengesWon', 'count', sums.challenges_won], ['challengesLost', 'count', sums.challenges_lost],
    ['exchanges', 'count', sums.exchanges], ['first', 'share', sums.first_move_share],
    ['turnTime', 'time', sums.time_per_turn_ms],
  ]).map(([key, kind, value]) => ({ key, kind, value }));
}
