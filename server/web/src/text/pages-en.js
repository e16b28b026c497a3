// The texts of the pages beside lobby and game, in English. The same keys as pages-de.js.

import { criteriaEn } from './criteria-en.js';
import { countEn } from './lobby-en.js';
import { optionsEn } from './options-en.js';

/** @type {Record<string, string>} Why a game cannot be rated. */
const RATED_EN = {
  guest: 'Only registered players play rated games. Register first.',
  house_bot: 'Games against the server’s bots are never rated.',
  person_against_bot: 'People and bots have ratings of their own.',
  not_two_seats: 'Only games of two are rated.', untimed: 'Games without a clock are not rated.',
  dealt_board: 'Games on boards with dealt premium squares are not rated.',
  consent: 'Games in which a challenged play can be taken back are not rated.',
  same_player: 'You cannot play a rated game against yourself.',
};

/** The texts of the pages beside lobby and game, in English. */
export const pagesEn = {
  criteria: criteriaEn,
  /**
   * Refusals of what these pages and dialogs send, and rare ones. Before this script is there, the server's own words
   * stand for them.
   *
   * @type {Record<string, string | ((detail: Record<string, any>) => string)>}
   */
  codes: {
    not_eligible: ({ reason }) => criteriaEn.unfit[reason] ?? criteriaEn.unfitOther,
    bag_too_small: 'There are too few tiles in the bag for an exchange.',
    word_too_short: 'A word has two letters or more.',
    too_many_attached: 'You follow too many games at once.',
    not_over: 'Words are looked up after the game, and after your other games with this lexicon.',
    cannot_hold: 'This play cannot be held.',
    hold_used: 'You have held this play once already.',
    held: 'Another player is thinking about a challenge.',
    not_held: 'You do not hold the play.',
    challenge_pending: 'The player is deciding whether to take the play back.',
    no_challenge_pending: 'There is no challenge to answer.',
    no_challenges: 'There are no challenges in this game.',
    already_challenged: 'The play has been challenged already.',
    already_accepted: 'You have accepted the play already.',
    own_play: 'This is your own play.',
    bad_coordinate: 'There is no such square.',
    unknown_tile: 'There is no such tile in this game.',
    too_many_exchanged: 'The bag does not hold that many tiles.',
    bad_name: 'Names have 1 to 24 letters and digits; spaces and - _ . ’ may stand between them. '
      + 'The names of registered players belong to them.',
    wrong_code: 'No open private game has this code. If the game has begun, ask a player for its link.',
    seek_full: 'All seats of this offer are taken.', already_joined: 'You have joined this offer already.',
    already_seeking: 'You are already waiting for a game like this.',
    no_rematch: 'Nobody offers a rematch of this game.', rematch_begun: 'The rematch has begun already.',
    rematch_too_late: 'It is too late to offer a rematch of this game.',
    owner_away: 'The player who made this offer is away at the moment.',
    not_a_member: 'You are not part of this offer.', not_the_owner: 'Only the player who made the offer can do this.',
    too_many_seeks: 'You have too many open offers. Withdraw one first.',
    too_many_games: 'You are in too many games. Finish one first.',
    too_few_players: 'A game needs at least two players.', bad_options: 'These options do not go together.',
    restricted: ({ reason = '' }) => `You cannot play such games now: ${reason}`,
    not_rateable: ({ reason }) => RATED_EN[reason] ?? 'Such a game cannot be rated.',
    unknown_lexicon: 'The server does not have this lexicon.',
    unknown_rule_set: 'The server does not have these rules.',
    bad_nonce: 'The random number for the bag is not the one that was announced.',
    cannot_abort: 'The game counts already. You can resign instead.',
    already_requested: 'You have asked once already.', no_abort_request: 'Nobody asks to call the game off.',
    cannot_nudge: 'You cannot ask now whether your opponent is still there.',
    nudges_used: 'You have asked twice in this game.', no_nudge: 'Nobody asks whether you are still there.',
    cannot_adjourn: 'You cannot adjourn the game now. Wait until no play can be challenged.',
    adjourns_used: 'You have asked three times in this game.',
    no_adjourn_request: 'Nobody asks to adjourn the game.',
    adjourned: 'The game is adjourned. It goes on when all players are ready.',
    paused: 'An operator has paused the game.', lobby_closed: 'The operator lets no new games begin now.',
    not_adjourned: 'The game is not adjourned.',
    cannot_give_time: 'No time can be given here.', gifts_used: 'You have given time ten times in this game.',
    time_refused: 'The player takes no time in this game.',
    cannot_claim: 'The player is neither away nor silent, or not for long enough.',
  },

  setup: optionsEn,

  /** The player's actions in a game beside playing. */
  more: {
    command: 'Type a command',
    commandHelp: '8F HORN, H8 FA.M, exchange AB, pass, challenge, hold, release, accept, resign, nudge, here, claim, adjourn, resume, give 15, refuse',
    commandBad: 'This is no command.',
    commandTiles: 'The rack does not hold these tiles.',
    commandSeconds: 'Give 5 to 60 seconds: give 15.',
    commandDo: 'Do it',
    about: (/** @type {string} */ name) => `${name}: block or report`,
    notify: 'Notify me of my turn',
    notifying: 'You will be told when it is your turn.',
    notNotifying: 'This browser allows no notifications here.',
    resign: 'Resign',
    resignAsk: 'Resign this game?',
    resignText: 'You lose the game at once. It cannot be taken back.',
    resignMany: 'You leave the game at once and rank last. It cannot be taken back.',
    abort: 'Call the game off',
    abortAsk: 'Call the game off?',
    abortText: 'The game ends without a result. This is possible until everybody has completed a turn.',
    abortRated: 'Ask to call the game off',
    abortRatedAsk: 'Ask to call the game off?',
    abortRatedText: 'Your opponent has a minute to agree. You can ask once in a game.',
    keys: 'Keys',
    keyList: /** @type {[string, string][]} */ ([
      ['A–Z', 'lay a tile at the cursor'],
      ['Shift + A–Z', 'lay a blank as this letter'],
      ['Space', 'turn the cursor'],
      ['Backspace', 'take the last tile back'],
      ['Enter', 'play'],
      ['Esc', 'recall all tiles'],
      ['/', 'type a command'],
      ['Alt + C, L, R', 'read clocks, last play, rack'],
      ['Alt + W, P', 'read window, pool'],
      ['Alt + ← →', 'earlier and later turns'],
    ]),
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
    chat: 'Chat', chatHint: 'This device shows what players write in games and to each other.',
    identity: 'Identity', name: 'Name', change: 'Change',
    identityText: 'You play as a guest. Your identity is a key that this browser keeps; there is no password. '
      + 'Registering keeps your games on every device; forgetting the identity gives them up.',
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

  /** The special features of the rule sets, by id. The page shows the server's own sentence for a rule set that is missing here. */
  ruleSets: /** @type {Record<string, string>} */ ({}),

  notFound: { title: 'There is nothing here', text: 'The address leads to no page of this server.' },
};
