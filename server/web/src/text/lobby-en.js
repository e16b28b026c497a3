// The texts around the games, in English: bar, lobby, offers, finished games. The same keys as lobby-de.js.

import { durationText, listText, momentText } from './units.js';
import { setupEn } from './setup-en.js';

/** @param {number} count @param {string} one @param {string} many */
const countEn = (count, one, many) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** The texts of all pages but the game's, in English. */
export const lobbyEn = {
  language: 'en',
  duration: (/** @type {number} */ ms) => durationText('en', ms),
  moment: (/** @type {number} */ at) => momentText('en', at),
  list: (/** @type {string[]} */ items) => listText('en', items),
  setup: setupEn,

  bar: {
    nav: 'Pages', play: 'Play', watch: 'Watch', rules: 'Rules', settings: 'Settings', finished: 'Finished games',
    menu: 'Menu', sound: 'Sound', soundOn: 'Sound is on', soundOff: 'Sound is off', rename: 'Change your name',
    connected: 'connected', notConnected: 'not connected', lag: (/** @type {number} */ ms) => `${ms} ms`,
    skip: 'Skip to the content', cancel: 'Cancel', dismiss: 'Dismiss',
  },
  name: {
    title: 'Your name', label: 'Name', save: 'Save',
    hint: 'Others see it in offers and games. Games that have begun keep the old name.',
    changed: (/** @type {string} */ name) => `You are now ${name}.`,
  },
  toast: {
    yourTurn: (/** @type {string} */ names) => (names ? `Your turn against ${names}` : 'Your turn in another game'),
    begun: 'Another game of yours has begun.', open: 'Open',
  },
  notice: (/** @type {string} */ text) => text.slice(0, 500),

  yourGames: 'Your games', allFinished: 'Finished games', openOffers: 'Open offers', houseBots: 'House bots',
  always: 'always here', liveNow: 'Live now', liveGames: 'Live games', loading: 'Loading …',
  here: (/** @type {number} */ games, /** @type {number} */ people) => (
    `${countEn(games, 'game', 'games')}, ${countEn(people, 'person', 'people')} here`),
  noOffers: 'Nobody waits for an opponent at the moment.',
  noLive: 'No public game is being played at the moment.',
  score: (/** @type {number[]} */ scores) => `${scores[0]} to ${scores.slice(1).join(', ')}`,
  turnsWaiting: (/** @type {number} */ games) => (games === 1 ? 'Your turn' : `Your turn in ${games} games`),
  yourTurn: 'Your turn', turnOf: (/** @type {string} */ name) => `${name}’s turn`,
  left: (/** @type {string} */ time) => `${time} left`,
  phase: { waiting: 'Waiting for players', final: 'Last play', ended: 'Over' },
  you: 'you', bot: 'bot', play: 'Play', join: 'Join', withdraw: 'Withdraw', leave: 'Leave', showLink: 'Link',
  start: 'Start now', showMore: 'Show more',
  watching: (/** @type {number} */ count) => `${count} watching`,
  waiting: 'Waiting for an opponent …', waitingMore: (/** @type {number} */ n) => (
    n === 1 ? 'Waiting for one more player …' : `Waiting for ${n} more players …`),
  privateOffer: 'private', seatsTaken: (/** @type {number} */ taken, /** @type {number} */ seats) => (
    `${taken} of ${seats} seats`),
  joinNamed: (/** @type {string} */ name) => `Join ${name}`, playNamed: (/** @type {string} */ name) => `Play ${name}`,
  bots: /** @type {Record<string, [string, string]>} */ ({
    beginner: ['Beginner', 'plays short words'], club: ['Club', 'plays steadily'],
    expert: ['Expert', 'knows every word'],
  }),
  code: {
    title: 'Have a code?', label: 'Code of a private game', hint: 'Code', enter: 'Join',
  },

  welcome: {
    title: 'Crossword board games, live, with anyone.', text: 'No account, nothing to install.', bot: 'Play a bot now',
    live: 'This game is being played now.', example: 'An example position.', watchIt: 'Watch this game',
  },

  seek: {
    title: 'Your invitation', joinTitle: 'You are invited to a game', offerTitle: 'An offer to play',
    share: 'Send this link to the players you want to invite. Who opens it can join.',
    link: 'Link', copy: 'Copy', copied: 'Copied', copySelf: 'The link is selected: copy it.', send: 'Share',
    shareText: 'A game on Tilewire', keepOpen: 'Keep this page open: the game begins as soon as the seats are taken.',
    mayLeave: 'You may leave: the game begins by itself as soon as the seats are taken.',
    players: 'Players', freeSeat: 'free seat', gone: 'This offer is gone, or its game has begun.',
    toLobby: 'To the lobby', yourName: 'Your name', join: 'Join the game', code: 'Code',
    noCode: 'This link has no code. Ask for the whole link.',
  },

  finished: {
    title: 'Finished games', none: 'You have not finished a game yet.', more: 'Show more',
    /** @returns {string} */
    rank: (/** @type {number} */ rank) => (rank === 1 ? 'Won' : rank === 0 ? 'No result' : 'Lost'), tied: 'Tied',
    place: (/** @type {number} */ rank) => `Place ${rank}`, lead: 'Your games that are over, the newest first.',
  },

  settings: {
    title: 'Settings', look: 'Look', theme: 'Theme', language: 'Language', tiles: 'Tiles on the rack',
    system: 'Device', light: 'Light', dark: 'Dark', normal: 'Normal', large: 'Large',
    playing: 'Playing', sounds: 'Sounds', soundsHint: 'Five short sounds: tile, play, your turn, challenge, game over.',
    enter: 'Enter', enterPlay: 'Plays at once', enterConfirm: 'Asks first',
    enterHint: 'What the Enter key does with the tiles you have laid.',
    announce: 'Read plays aloud', announceHint: 'Screen readers are told about every play, not only about your turn.',
    notify: 'Notifications', notifyAllow: 'Allow notifications', notifyOn: 'You are notified when it is your turn.',
    notifyOff: 'Turn off', notifyHint: 'Only while the page is open in the background.',
    notifyDenied: 'Your browser blocks notifications of this page.', notifyMissing: 'Not offered here.',
    identity: 'Identity', name: 'Name', change: 'Change',
    identityText: 'You play as a guest. Your identity is a key that this browser keeps; there is no password. '
      + 'Forgetting it gives up your games here.',
    forget: 'Forget this identity', forgetTitle: 'Forget this identity?',
    forgetText: 'You will be a new guest. Your seats in games that are being played are lost.', forgetAct: 'Forget it',
    server: 'Server',
  },

  rules: {
    title: 'Rules', lead: 'Boards and rules that this server offers.', playThis: 'Play this', all: 'All rules',
    board: 'Board', tiles: 'Tiles', tilesCount: (/** @type {number} */ n) => `${n} tiles`,
    tile: (/** @type {string} */ face, /** @type {number} */ value, /** @type {number} */ count) => (
      `${face === '?' ? 'blank' : face}: ${countEn(value, 'point', 'points')}, ${countEn(count, 'tile', 'tiles')}`),
    language: 'Language of the tiles', boardLabel: (/** @type {string} */ name) => `Board of ${name}`,
    legend: /** @type {Record<string, string>} */ ({
      "'": 'double letter', '"': 'triple letter', '^': 'quadruple letter', '-': 'double word', '=': 'triple word',
      '~': 'quadruple word',
    }),
    drawn: 'The premium squares are dealt anew for each game.',
    howTitle: 'How it is played',
    how: (/** @type {Record<string, any>} */ f) => [
      `${f.seats} players take turns. Each has ${f.rack} tiles. On your turn you lay tiles in one row or column, `
        + 'exchange tiles or pass. The first play covers the start square; every later one touches a tile on the '
        + 'board, and all words that it forms count.',
      'A letter scores its value. Round squares multiply the letter, square ones the whole word, only on the turn that '
        + 'covers them. A blank stands for any letter and scores nothing.',
      `Bonus: ${f.bingos}.`,
      `An exchange needs ${countEn(f.exchange, 'tile', 'tiles')} or more in the bag.`,
    ],
    bingo: (/** @type {number} */ tiles, /** @type {number} */ bonus) => `${bonus} points for ${tiles} tiles at once`,
    challengeTitle: 'Challenges', endTitle: 'The end',
    ends: (/** @type {Record<string, any>} */ f) => [
      'The game ends when the bag is empty and a player has played all tiles, or by the rule of turns without '
        + `progress: ${f.end}.`,
      f.rackCount === 'always'
        ? 'Tiles left on a rack are taken off its player’s score and go to the player who went out.'
        : 'Tiles left on a rack are taken off its player’s score only if the bag is empty.',
      `In a tie ${f.ties}.`,
    ],
    targets: (/** @type {number} */ seats) => `${seats} players`, targetTitle: 'Target scores',
    targetText: 'Who reaches the score of their level first wins at once.',
    usualTitle: 'Usually',
  },

  /** What is special about the rule sets, by id. The server's own sentence stands for those that are missing here. */
  ruleSets: /** @type {Record<string, string>} */ ({}),
  /** The short names for the choice in the lobby, by id. */
  shortRuleSets: /** @type {Record<string, string>} */ ({
    classic: 'Classic', wordfeud: 'Wordfeud', 'words-with-friends': 'Words', super: 'Super',
  }),
  notFound: { title: 'There is nothing here', text: 'The address leads to no page of this server.' },
};
