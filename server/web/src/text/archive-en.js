// The texts of finished games, leaderboards and the figures of a player, in English. The same keys as archive-de.js.

import { countEn } from './lobby-en.js';
import { mediumDateText, timeText } from './dates.js';

/** @typedef {{ won: number, lost: number, shared: number }} Tally */

/** @param {Tally} tally */
const tallyEn = ({ won, lost, shared }) => `${won} won, ${lost} lost${shared > 0 ? `, ${shared} tied` : ''}`;

/** The texts of finished games, leaderboards and the figures of a player, in English. */
export const archiveEn = {
  time: (/** @type {number} */ at) => timeText('en', at), day: (/** @type {number} */ at) => mediumDateText('en', at),
  speeds: /** @type {Record<string, string>} */ ({
    ultra_blitz: 'ultra-blitz', blitz: 'blitz', rapid: 'rapid', standard: 'standard', correspondence: 'correspondence',
  }),
  untimed: 'untimed', bots: 'bots',
  results: /** @type {Record<string, string>} */ ({ won: 'Won', lost: 'Lost', shared: 'Tied', none: 'No result' }),
  reasons: /** @type {Record<string, string>} */ ({
    out_play: 'last tile played', scoreless_turns: 'turns without points', passes: 'everybody passed',
    turn_cap: 'limit of turns', target: 'target reached', all_played: 'nobody could play',
    uncatchable: 'lead out of reach', resignation: 'resignation', time: 'out of time', abandonment: 'a player left',
    triple_challenge: 'triple challenge', aborted: 'called off', cancelled: 'not begun', adjudicated: 'decided by an operator',
  }),
  place: (/** @type {number} */ rank) => `Place ${rank}`, rated: 'Rated', casual: 'Casual', privateGame: 'private',

  games: {
    title: 'Finished games', of: (/** @type {string} */ name) => `Finished games of ${name}`,
    everybody: 'Finished games of everybody', older: 'Older games', none: 'No finished game fits.',
    noneYet: 'You have not finished a game yet.', count: (/** @type {number} */ n, /** @type {boolean} */ isAll) => (
      `${countEn(n, 'game', 'games')}${isAll ? '' : ' so far'}`),
    export: 'Download your games', exporting: 'Downloading …',
    exportHint: 'A ZIP file with the results and the records of your finished games.',
    exported: (/** @type {number} */ files) => (
      files === 1 ? 'Your games are downloaded.' : `Your games are downloaded, in ${files} files.`),
    exportFailed: 'The download ended early. Please try again.',
  },
  filter: {
    title: 'Filter', whose: 'Games of', mine: 'me', player: 'a player', everybody: 'everybody', handle: 'Player',
    opponent: 'Opponent', ruleSet: 'Rule set', lexicon: 'Lexicon', pool: 'Rating pool', rated: 'Rated',
    result: 'Result', reason: 'End', from: 'From', until: 'Until', scoreMin: 'Lowest score', scoreMax: 'Highest score',
    any: 'any', yes: 'rated', no: 'not rated', show: 'Show', clear: 'Clear the filter',
  },

  leaders: {
    title: 'Leaderboards', ruleSet: 'Rules', lexicon: 'Words', speed: 'Speed', league: 'Players', people: 'People',
    bots: 'Bots', board: 'Board',
    boards: /** @type {Record<string, string>} */ ({
      rating: 'Rating', week: '7 days', month: '30 days', all: 'All time',
    }),
    place: 'Place', player: 'Player', rating: 'Rating', games: 'Games', average: 'Average', weighted: 'Weighted',
    turns: 'Turns', you: 'you', nobody: 'Nobody is on this board yet.', nameless: 'a player without a handle',
    ratingNote: 'On the board: at least 20 rated games, one of them within 30 days, and a deviation of at most 80.',
    averageNote: (/** @type {string} */ mean) => (
      'Points a turn of players with at least 5 counted games in this time. The weighted average, which ranks them, counts '
      + `50 more turns with the average of all, ${mean}.`),
    find: 'Find a player', found: (/** @type {number} */ n) => (
      n === 0 ? 'No handle begins like this.' : `${countEn(n, 'player', 'players')} found`),
    own: (/** @type {string} */ rating, /** @type {number} */ games) => (
      `You: ${rating}, after ${countEn(games, 'rated game', 'rated games')}.`),
  },

  profile: {
    recent: 'Recent games', all: 'All games', noGames: 'No finished game that you may see.', figures: 'Statistics',
    people: 'Against people', bots: 'With bots', ruleSet: 'Rule set', allRuleSets: 'All rule sets',
    noFigures: 'No finished game yet.', ratings: 'Ratings', noRatings: 'No rated game yet.',
    rating: (/** @type {number} */ games) => countEn(games, 'rated game', 'rated games'), provisional: 'provisional',
    /** @param {{ all: Tally, counted: Tally, spread: number }} versus */
    versus: ({ all, counted, spread }) => (
      `${tallyEn(all)}. Played to the end: ${tallyEn(counted)}, ${spread < 0 ? '−' : '+'}${Math.abs(spread)} points.`),
    noVersus: 'You have not played against each other.', series: 'Series of rematches',
    seriesLine: (/** @type {number} */ n, /** @type {Tally} */ tally) => `Series ${n}: ${tallyEn(tally)}`,
    failed: 'This part cannot be shown now.',
  },
};
