// The texts around the games, in English: bar, lobby, offers. The same keys as lobby-de.js.

import { durationText, listText, momentText } from './units.js';
import { setupEn } from './setup-en.js';

/**
 * A number of things.
 *
 * @param {number} count
 * @param {string} one
 * @param {string} many
 */
export const countEn = (count, one, many) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** The texts of the lobby and of what is around the pages, in English. */
export const lobbyEn = {
  language: 'en',
  duration: (/** @type {number} */ ms) => durationText('en', ms),
  moment: (/** @type {number} */ at) => momentText('en', at),
  list: (/** @type {string[]} */ items) => listText('en', items),
  setup: setupEn,

  bar: {
    nav: 'Pages', play: 'Play', watch: 'Watch', rules: 'Rules', settings: 'Settings', leaders: 'Leaderboards',
    finished: 'Archive', menu: 'Menu', sound: 'Sound', soundOn: 'Sound is on', soundOff: 'Sound is off',
    rename: 'Change your name',
    connected: 'connected', notConnected: 'disconnected', lag: (/** @type {number} */ ms) => `${ms} ms`,
    skip: 'Skip to content', cancel: 'Cancel', dismiss: 'Dismiss', register: 'Register', logIn: 'Sign in',
    openReports: (/** @type {number} */ count) => (count === 1 ? '1 open report' : `${count} open reports`),
    logOut: 'Sign out', account: 'Account', friends: 'Friends', moderation: 'Moderation', backToGame: 'Back to the game',
  },
  name: {
    title: 'Your name', label: 'Name', save: 'Save',
    hint: 'Shown in offers and games. Games in progress keep your old name.',
    changed: (/** @type {string} */ name) => `You are now ${name}.`,
  },
  toast: {
    yourTurn: (/** @type {string} */ names) => (names ? `Your turn against ${names}` : 'Your turn in another game'),
    rating: (/** @type {string} */ change) => `Your rating: ${change}`,
    begun: 'Another of your games has started.', open: 'Open',
  },
  notice: (/** @type {string} */ text) => text.slice(0, 500),

  yourGames: 'Your games', allFinished: 'Archive', openOffers: 'Open offers', houseBots: 'Computer opponents',
  always: 'always available', liveNow: 'Live now', liveGames: 'Live games', loading: 'Loading …',
  here: (/** @type {number} */ games, /** @type {number} */ people) => (
    `${countEn(games, 'game', 'games')}, ${countEn(people, 'player', 'players')} online`),
  noOffers: 'No one is waiting for an opponent right now.',
  noLive: 'No public games are being played right now.',
  score: (/** @type {number[]} */ scores) => scores.join('–'),
  turnsWaiting: (/** @type {number} */ games) => (games === 1 ? 'Your turn' : `Your turn in ${games} games`),
  yourTurn: 'Your turn', turnOf: (/** @type {string} */ name) => `${name}’s turn`,
  left: (/** @type {string} */ time) => `${time} left`,
  adjourned: (/** @type {string[]} */ ready) => (ready.length ? `Adjourned (ready: ${listText('en', ready)})` : 'Adjourned'),
  resumeBy: (/** @type {number} */ at) => `resume by ${momentText('en', at)}`,
  phase: { waiting: 'Waiting for players', final: 'Final play', ended: 'Finished' },
  you: 'you', bot: 'bot', play: 'Play', join: 'Join', withdraw: 'Withdraw', leave: 'Leave', showLink: 'Link',
  start: 'Start now', showMore: 'Show more',
  watching: (/** @type {number} */ count) => `${count} watching`,
  waiting: 'Waiting for an opponent …', waitingMore: (/** @type {number} */ n) => (
    n === 1 ? 'Waiting for one more player …' : `Waiting for ${n} more players …`),
  ratedOnly: 'Rated – registered players only.',
  linkIsCasual: 'This game is casual: games by link are private, and private games can’t be rated.',
  privateOffer: 'private', seatsTaken: (/** @type {number} */ taken, /** @type {number} */ seats) => (
    `${taken} of ${seats} seats`),
  joinNamed: (/** @type {string} */ name) => `Join ${name}`, playNamed: (/** @type {string} */ name) => `Play ${name}`,
  bots: /** @type {Record<string, [string, string]>} */ ({
    beginner: ['Beginner', 'plays short words'], casual: ['Casual', 'knows the common words'],
    improver: ['Improver', 'misses many plays'], club: ['Club', 'plays a solid game'],
    expert: ['Expert', 'knows every word'], master: ['Master', 'looks ahead'],
  }),
  code: {
    title: 'Join with a code', label: 'Code of a private game', hint: 'Code', enter: 'Join',
  },

  welcome: {
    title: 'Play crossword board games live with anyone.', text: 'No account, nothing to install.', bot: 'Play a bot now',
    live: 'Live now', example: 'Example position', watchIt: 'Watch this game',
  },

  /** The short names for the choice in the lobby, by id. */
  shortRuleSets: /** @type {Record<string, string>} */ ({
    classic: 'Classic', wordfeud: 'Wordfeud', 'words-with-friends': 'Words WF', super: 'Super',
  }),
  /** The names of rule sets by id. The server's own English name stands for a rule set that is missing here. */
  ruleSets: /** @type {Record<string, string>} */ ({}),
  clockUnits: { day: 'd', hour: 'h' },
};
