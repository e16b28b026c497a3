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
    ultra_blitz: 'ultra-blitz', blitz: 'blitz', rapid: 'rapid', standard: 'classical', correspondence: 'correspondence',
  }),
  untimed: 'untimed', bots: 'bots',
  results: /** @type {Record<string, string>} */ ({ won: 'Won', lost: 'Lost', shared: 'Tied', none: 'No result' }),
  reasons: /** @type {Record<string, string>} */ ({
    out_play: 'went out', scoreless_turns: 'scoreless turns', passes: 'passes',
    turn_cap: 'scoreless-turn limit', target: 'target reached', all_played: 'no plays left',
    uncatchable: 'lead out of reach', resignation: 'resignation', time: 'out of time', abandonment: 'abandoned',
    triple_challenge: 'triple challenge', aborted: 'aborted', cancelled: 'cancelled', adjudicated: 'decided by an operator',
  }),
  place: (/** @type {number} */ rank) => `Place ${rank}`, rated: 'Rated', casual: 'Casual', privateGame: 'private',

  games: {
    title: 'My finished games', of: (/** @type {string} */ name) => `${name}’s finished games`,
    everybody: 'All finished games', older: 'Older games', none: 'No games match these filters.',
    noneYet: 'You haven’t finished a game yet.', count: (/** @type {number} */ n, /** @type {boolean} */ isAll) => (
      `${countEn(n, 'game', 'games')}${isAll ? '' : ' shown'}`),
    export: 'Download your games', exporting: 'Downloading …',
    exportHint: 'A ZIP file with the results and the records of your finished games.',
    exported: (/** @type {number} */ files) => (
      files === 1 ? 'Your games have been downloaded.' : `Your games have been downloaded, in ${files} files.`),
    exportFailed: 'The download was interrupted. Please try again.',
  },
  filter: {
    title: 'Filter', whose: 'Games of', mine: 'me', player: 'a player', everybody: 'everyone', handle: 'Player',
    opponent: 'Opponent', ruleSet: 'Rule set', lexicon: 'Lexicon', pool: 'Rating pool', rated: 'Rated',
    result: 'Result', reason: 'Ended by', from: 'From', until: 'To', scoreMin: 'Score from', scoreMax: 'Score to',
    any: 'any', yes: 'rated', no: 'casual', show: 'Show', clear: 'Clear filters',
  },

  leaders: {
    title: 'Leaderboards', ruleSet: 'Rules', lexicon: 'Words', speed: 'Speed', league: 'Players', people: 'People',
    bots: 'Bots', board: 'Leaderboard',
    boards: /** @type {Record<string, string>} */ ({
      rating: 'Rating', week: '7 days', month: '30 days', all: 'All time',
    }),
    place: 'Place', player: 'Player', rating: 'Rating', games: 'Games', average: 'Average', weighted: 'Weighted',
    turns: 'Turns', you: 'you', nobody: 'Nobody is on this leaderboard yet.', nameless: 'deleted player',
    ratingNote: 'Listed: players with at least 20 rated games, one in the last 30 days, and a deviation of at most 80.',
    averageNote: (/** @type {string} */ mean) => (
      'Points per turn of players with at least 5 counted games in this period. Ranked by weighted average: 50 turns at the '
      + `overall mean (${mean}) are added to each player.`),
    find: 'Find a player', found: (/** @type {number} */ n) => (
      n === 0 ? 'No player found.' : `${countEn(n, 'player', 'players')} found`),
    own: (/** @type {string} */ rating, /** @type {number} */ games) => (
      `You: ${rating} after ${countEn(games, 'rated game', 'rated games')}.`),
  },

  profile: {
    recent: 'Recent games', all: 'All games', noGames: 'No finished games to show.', figures: 'Statistics',
    people: 'Against people', bots: 'With bots', ruleSet: 'Rule set', allRuleSets: 'All rule sets',
    noFigures: 'No finished games yet.', ratings: 'Ratings', noRatings: 'No rated games yet.',
    rating: (/** @type {number} */ games) => countEn(games, 'rated game', 'rated games'), provisional: 'provisional',
    /** @param {{ all: Tally, counted: Tally, spread: number }} versus */
    versus: ({ all, counted, spread }) => (
      `${tallyEn(all)}. Completed games: ${tallyEn(counted)}, ${spread < 0 ? '−' : '+'}${Math.abs(spread)} points.`),
    noVersus: 'You haven’t played each other yet.', series: 'Rematch series',
    seriesLine: (/** @type {number} */ n, /** @type {Tally} */ tally) => `Series ${n}: ${tallyEn(tally)}`,
    failed: 'This can’t be shown right now.',
  },
};
