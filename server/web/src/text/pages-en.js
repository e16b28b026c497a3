// The texts of the pages beside lobby and game, in English. The same keys as pages-de.js.

import { criteriaEn } from './criteria-en.js';
import { countEn } from './lobby-en.js';
import { optionsEn } from './options-en.js';

/** @type {Record<string, string>} Why a game cannot be rated. */
const RATED_EN = {
  guest: 'Only registered players can play rated games. Register first.',
  house_bot: 'Games against computer opponents are never rated.',
  person_against_bot: 'People and bots have separate ratings.',
  not_two_seats: 'Only two-player games can be rated.', untimed: 'Untimed games can’t be rated.',
  too_fast: 'Rated games need at least a minute for each player.', private: 'Private games can’t be rated.',
  dealt_board: 'Games with shuffled premium squares can’t be rated.',
  consent: 'Games in which a challenged play can be withdrawn can’t be rated.',
  same_player: 'You can’t play a rated game against yourself.',
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
    bag_too_small: 'There are too few tiles in the bag to exchange.',
    word_too_short: 'A word needs at least two letters.',
    too_many_attached: 'You are watching too many games at once.',
    not_over: 'You can look up words after the game and after your other games with this lexicon.',
    cannot_hold: 'This play can’t be held.',
    hold_used: 'You have already held this play.',
    held: 'Another player is thinking about a challenge.',
    not_held: 'You are not holding the play.',
    challenge_pending: 'The player is deciding whether to withdraw the play.',
    no_challenge_pending: 'There is no challenge to answer.',
    no_challenges: 'This game has no challenges.',
    already_challenged: 'The play has already been challenged.',
    already_accepted: 'You have already accepted the play.',
    own_play: 'This is your own play.',
    bad_coordinate: 'This square doesn’t exist.',
    unknown_tile: 'This game has no such tile.',
    too_many_exchanged: 'The bag has fewer tiles.',
    bad_name: 'Names need 1 to 24 letters and digits; spaces and - _ . ’ are allowed in between. '
      + 'Usernames of registered players are taken.',
    wrong_code: 'No open private game has this code. If the game has started, ask a player for its link.',
    seek_full: 'All seats of this offer are taken.', already_joined: 'You have already joined this offer.',
    already_seeking: 'You are already waiting for a game like this.',
    no_rematch: 'There is no rematch offer.', rematch_begun: 'The rematch has already started.',
    rematch_too_late: 'It is too late for a rematch of this game.',
    owner_away: 'The creator of this offer is away right now.',
    not_a_member: 'You have not joined this offer.', not_the_owner: 'Only the creator of the offer can do this.',
    too_many_seeks: 'You have too many open offers. Withdraw one first.',
    too_many_games: 'You are in too many games. Finish one first.',
    too_few_players: 'A game needs at least two players.', bad_options: 'These options can’t be combined.',
    restricted: ({ reason = '' }) => `You can’t play these games right now: ${reason}`,
    not_rateable: ({ reason }) => RATED_EN[reason] ?? 'This game can’t be rated.',
    unknown_lexicon: 'This server doesn’t have this lexicon.',
    unknown_rule_set: 'This server doesn’t have these rules.',
    bad_nonce: 'The random number for the bag does not match the one announced.',
    cannot_abort: 'It is too late to abort. You can resign instead.',
    already_requested: 'You have already asked.', no_abort_request: 'There is no request to abort the game.',
    cannot_nudge: 'You can’t nudge your opponent right now.',
    nudges_used: 'You have already nudged twice in this game.', no_nudge: 'Nobody has nudged you.',
    cannot_adjourn: 'Not while a play can be challenged.',
    adjourns_used: 'You have already asked three times in this game.',
    no_adjourn_request: 'There is no request to adjourn the game.',
    adjourned: 'The game is adjourned. It resumes when all players are ready.',
    paused: 'An operator has paused the game.', lobby_closed: 'No new games can be started right now.',
    not_adjourned: 'The game is not adjourned.',
    cannot_give_time: 'You can’t give extra time in this game.',
    gifts_used: 'You have already given extra time ten times in this game.',
    time_refused: 'Your opponent doesn’t accept extra time in this game.',
    no_hints: 'This game has no hints.', hints_used: 'You have no hints left.',
    cannot_hint: 'Not while a play can be challenged.',
    cannot_claim: 'You can’t claim yet: your opponent has not been away long enough.',
  },

  setup: optionsEn,

  /** The player's actions in a game beside playing. */
  more: {
    command: 'Type a command',
    commandHelp: '8F HORN, H8 FA.M, exchange AB, pass, challenge, hold, release, accept, resign, nudge, here, claim, adjourn, resume, give 15, refuse',
    commandBad: 'Unknown command.',
    commandTiles: 'These tiles are not on your rack.',
    commandSeconds: 'Give 5 to 60 seconds: give 15.',
    commandDo: 'Run',
    about: (/** @type {string} */ name) => `${name}… (profile, block, report)`,
    notify: 'Notify me when it’s my turn',
    notifying: 'You will be notified when it’s your turn.',
    notNotifying: 'This browser doesn’t allow notifications here.',
    resign: 'Resign',
    resignAsk: 'Resign this game?',
    resignText: 'You lose the game immediately. This can’t be undone.',
    resignMany: 'You drop out now and finish last. This can’t be undone.',
    abort: 'Abort game',
    abortAsk: 'Abort the game?',
    abortText: 'The game ends without a result. Possible until everyone has completed a turn.',
    abortRated: 'Ask to abort the game',
    abortRatedAsk: 'Ask to abort the game?',
    abortRatedText: 'Your opponent has one minute to agree. You can ask once per game.',
    keys: 'Keyboard shortcuts',
    keyList: /** @type {[string, string][]} */ ([
      ['A–Z', 'place a tile at the cursor'],
      ['Shift + A–Z', 'place a blank as this letter'],
      ['Space', 'switch direction'],
      ['Backspace', 'recall the last tile'],
      ['Enter', 'play'],
      ['Esc', 'recall all tiles'],
      ['/', 'type a command'],
      ['Alt + C, L, R', 'read clocks, last play, rack'],
      ['Alt + W, P', 'read challenge window, unseen tiles'],
      ['Alt + ← →', 'previous and next move'],
    ]),
  },

  seek: {
    title: 'Invite a friend', invitedBy: (/** @type {string} */ name) => `${name} invites you`,
    joinTitle: 'You are invited to a game', offerTitle: 'Game offer',
    share: 'Send this link to the players you want to invite. Anyone with the link can join.',
    link: 'Link', copy: 'Copy', copied: 'Copied', copySelf: 'The link is selected: copy it.', send: 'Share',
    shareText: 'A game on Tilewire', keepOpen: 'Keep this page open: the game starts as soon as all seats are taken.',
    mayLeave: 'You can leave this page: the game starts automatically as soon as all seats are taken.',
    players: 'Players', freeSeat: 'open seat', gone: 'This offer is no longer open, or its game has started.',
    toLobby: 'Back to the lobby', yourName: 'Your name', join: 'Join game', code: 'Code',
    noCode: 'This link is incomplete: the code is missing. Ask for the full link.',
  },

  settings: {
    title: 'Settings', look: 'Appearance', theme: 'Theme', language: 'Language', tiles: 'Tiles on the rack',
    system: 'System', light: 'Light', dark: 'Dark', normal: 'Normal', large: 'Large',
    playing: 'Playing', sounds: 'Sounds', soundsHint: 'Five short sounds: tile, play, your turn, challenge, game over.',
    enter: 'Enter', enterPlay: 'Plays immediately', enterConfirm: 'Asks first',
    enterHint: 'What the Enter key does with the tiles you have placed.',
    announce: 'Read plays aloud', announceHint: 'Screen readers announce every play, not only your turn.',
    notify: 'Notifications', notifyAllow: 'Allow notifications', notifyOn: 'You are notified when it’s your turn.',
    notifyOff: 'Turn off', notifyHint: 'Only while the page is open in the background.',
    notifyDenied: 'Your browser blocks notifications from this page.', notifyMissing: 'Not available here.',
    chat: 'Chat', chatHint: 'Show game chat and messages on this device.',
    identity: 'Identity', name: 'Name', change: 'Change',
    identityText: 'You are playing as a guest. Your identity is a key stored in this browser; there is no password. '
      + 'Register to keep your games on every device. If you forget the identity, you lose them.',
    forget: 'Forget this identity', forgetTitle: 'Forget this identity?',
    forgetText: 'You’ll start over as a new guest and lose your seats in current games.', forgetAct: 'Forget it',
    server: 'Server',
  },

  rules: {
    title: 'Rules', lead: 'The boards and rules on this server.', playThis: 'Play this', all: 'All rules',
    board: 'Board', tiles: 'Tiles', tilesCount: (/** @type {number} */ n) => `${n} tiles`,
    tile: (/** @type {string} */ face, /** @type {number} */ value, /** @type {number} */ count) => (
      `${face === '?' ? 'blank' : face}: ${countEn(value, 'point', 'points')}, ${countEn(count, 'tile', 'tiles')}`),
    language: 'Language of the tiles', boardLabel: (/** @type {string} */ name) => `Board of ${name}`,
    legend: /** @type {Record<string, string>} */ ({
      "'": 'double letter', '"': 'triple letter', '^': 'quadruple letter', '-': 'double word', '=': 'triple word',
      '~': 'quadruple word',
    }),
    drawn: 'Premium squares are shuffled for every game.',
    howTitle: 'How to play',
    how: (/** @type {Record<string, any>} */ f) => [
      `${f.seats} players take turns. Each has ${f.rack} tiles. On your turn you place tiles in one row or column, `
        + 'exchange tiles or pass. The first play must cover the start square; every later play must touch a tile on the '
        + 'board, and all words it forms count.',
      'Each letter scores its value. Round premium squares multiply the letter, square ones the whole word, only on the '
        + 'turn that covers them. A blank can be any letter and scores nothing.',
      `Bonus: ${f.bingos}.`,
      `You can exchange while at least ${countEn(f.exchange, 'tile is', 'tiles are')} in the bag.`,
    ],
    bingo: (/** @type {number} */ tiles, /** @type {number} */ bonus) => `${bonus} points for ${tiles} tiles at once`,
    challengeTitle: 'Challenges', endTitle: 'End of the game',
    ends: (/** @type {Record<string, any>} */ f) => [
      'The game ends when the bag is empty and a player goes out, or after '
        + `${f.end}.`,
      f.rackCount === 'always'
        ? 'Unplayed tiles are deducted from each player’s score and added to that of the player who went out.'
        : 'Unplayed tiles are deducted from each player’s score only if the bag is empty.',
      `If the scores are equal, ${f.ties}.`,
    ],
    targets: (/** @type {number} */ seats) => `${seats} players`, targetTitle: 'Target scores',
    targetText: 'The first player to reach the target for their level wins.',
    usualTitle: 'Defaults',
  },

  /** The special features of the rule sets, by id. The page shows the server's own sentence for a rule set that is missing here. */
  ruleSets: /** @type {Record<string, string>} */ ({}),

  notFound: { title: 'Page not found', text: 'This page doesn’t exist.' },
};
