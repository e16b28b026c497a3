// The texts of the game page, in English.

import { rich } from './rich.js';

/** @typedef {import('./rich.js').Part} Part */
/** @typedef {{ name: string, you?: boolean }} Who */

/**
 * @param {Who} who
 * @param {string} you
 * @param {string} other
 */
function enForm(who, you, other) {
  return who.you ? you : other;
}

/**
 * @param {number} count
 * @param {string} one
 * @param {string} many
 */
function enCount(count, one, many) {
  return `${count} ${count === 1 ? one : many}`;
}

/** @param {number} points */
function enPoints(points) {
  return enCount(points, 'point', 'points');
}

/** @param {string[]} items */
function enList(items) {
  return new Intl.ListFormat('en').format(items);
}

/** The texts of the game page, in English. */
export const gameEn = {
  you: 'You',
  youInside: 'you',
  list: enList,
  seat: (/** @type {number} */ n) => `Seat ${n + 1}`,

  // Board, rack, tiles
  board: 'Board',
  premiums: /** @type {Record<string, string>} */ ({
    l2: 'double letter',
    l3: 'triple letter',
    l4: 'quadruple letter',
    w2: 'double word',
    w3: 'triple word',
    w4: 'quadruple word',
  }),
  start: 'start',
  empty: 'empty',
  value: enPoints,
  blankAs: (/** @type {string} */ letter) => `blank as ${letter}`,
  blank: 'blank',
  notPlayed: 'yours, not played',
  typesAcross: 'typing across',
  typesDown: 'typing down',
  rack: 'Your rack',
  rackOf: (/** @type {string} */ name) => `Rack of ${name}`,
  place: 'empty place',
  letter2: '2L',
  letter3: '3L',
  letter4: '4L',
  word2: '2W',
  word3: '3W',
  word4: '4W',

  // Buttons
  shuffle: 'Shuffle the rack',
  recall: 'Recall the tiles',
  exchange: 'Exchange tiles',
  pass: 'Pass',
  play: (/** @type {string} */ word) => rich`Play ${{ word }}`,
  playSure: 'Press again to play',
  otherPlays: (/** @type {Who} */ who) => rich`${who} plays`,
  sending: 'Sending…',
  waitsForReady: 'Waiting for the others',
  turnWaits: 'Your turn waits',
  judged: 'Play under challenge',
  acceptsToo: 'This also accepts the play before.',
  points: enPoints,
  errors: /** @type {Record<string, string>} */ ({
    gap: 'The tiles leave a gap',
    not_in_line: 'Not in one line',
    not_adjacent: 'Touches no tile',
    centre_missed: 'Cover the start square',
    occupied: 'A square is taken',
    too_few_tiles: 'Lay more tiles',
    word_too_short: 'No word of two letters',
    blank_unassigned: 'Name the blank’s letter',
    no_tiles: 'Lay tiles',
  }),
  sheet: 'Scoresheet',
  unseen: 'Unseen',
  unseenTool: (/** @type {number} */ bag) => `Unseen tiles, ${bag} in the bag`,
  more: 'More',
  close: 'Close',
  cancel: 'Cancel',
  passAsk: 'Pass this turn?',
  passText: 'You score nothing and keep your tiles.',
  exchangeAsk: 'Exchange tiles',
  exchangeText: 'Choose the tiles to give back. You score nothing this turn.',
  exchangeDo: (/** @type {number} */ n) => (n ? `Exchange ${n}` : 'Exchange'),
  exchangeFew: (/** @type {number} */ least) => `An exchange needs ${least} tiles in the bag.`,
  blankAsk: 'Which letter is the blank?',

  // Seats and clocks
  players: 'Players',
  tiles: (/** @type {number} */ n) => enCount(n, 'tile', 'tiles'),
  yourSeat: 'you',
  bot: 'bot',
  away: 'away',
  left: 'left the game',
  owes: (/** @type {number} */ n) => (n === 1 ? 'loses the next turn' : `loses the next ${n} turns`),
  isReady: 'ready',
  notReady: 'not ready',
  target: (/** @type {number} */ points) => `of ${points}`,
  overtime: (/** @type {number} */ points) => `−${points}`,
  thought: (/** @type {string} */ time) => `thought ${time}`,
  clockLow: (/** @type {Who} */ who, /** @type {number} */ s) =>
    rich`${who} ${enForm(who, 'have', 'has')} ${enCount(s, 'second', 'seconds')}`,
  clockZero: 'Time is up, the server decides.',
  clockRead: (/** @type {Who} */ who, /** @type {string} */ time, /** @type {boolean} */ runs) =>
    rich`${who} ${time}${runs ? ', running' : ''}`,

  // Strip
  yourTurn: 'Your turn.',
  turnOf: (/** @type {Who} */ who) => rich`${who}’s turn.`,
  meanwhile: 'You can lay tiles meanwhile.',
  layFirst: 'Cover the start square.',
  played: (/** @type {Who} */ who, /** @type {string} */ word, /** @type {number} */ score) =>
    rich`${who} played ${{ word }} for ${score}`,
  playedShort: (/** @type {Who} */ who, /** @type {string} */ word, /** @type {number} */ score) =>
    rich`${who}: ${{ word }}, ${score}`,
  challenge: 'Challenge',
  challengeSure: 'Challenge now',
  hold: 'Hold',
  release: 'Release',
  accept: 'Accept',
  withdraw: 'Withdraw',
  stand: 'Let it stand',
  claim: 'Claim',
  costIf: /** @type {Record<string, string>} */ ({
    single: 'if it is good, nothing happens',
    double: 'if it is good, you lose a turn',
    five_point: 'if it is good, it costs 5 points',
    ten_point: 'if it is good, it costs 10 points',
    triple: 'if it is good, you lose the game',
    final: 'if it is good, the game is over',
  }),
  costWord: (/** @type {string} */ text) => `${text} for each word`,
  costShort: /** @type {Record<string, string>} */ ({
    single: 'costs nothing',
    double: 'may cost a turn',
    five_point: 'may cost 5 points',
    ten_point: 'may cost 10 points',
    triple: 'may cost the game',
    final: 'last chance',
  }),
  pressAgain: /** @type {Record<string, string>} */ ({
    single: 'Press again to challenge. It costs nothing.',
    double: 'Press again. If the words are good, you lose your next turn.',
    five_point: 'Press again. If the words are good, it costs 5 points.',
    ten_point: 'Press again. If the words are good, it costs 10 points.',
    triple: 'Press again. If the words are good, you lose the game.',
    final: 'Press again. If the words are good, the game is over.',
  }),
  accepted: (/** @type {string[]} */ names) => `accepted by ${enList(names)}`,
  judging: (/** @type {string[]} */ names) => `${enList(names)} can challenge`,
  holds: (/** @type {Who} */ who) => rich`${who} ${enForm(who, 'hold', 'holds')} the play`,
  holdsShort: (/** @type {Who} */ who) => rich`${who} ${enForm(who, 'hold', 'holds')}`,
  challenges: (/** @type {Who} */ who, /** @type {string} */ word) =>
    rich`${who} ${enForm(who, 'challenge', 'challenges')} ${{ word }}`,
  withdrawWhy: 'withdraw it, or let the lexicon decide',
  authorDecides: (/** @type {Who} */ who) => rich`${who} ${enForm(who, 'decide', 'decides')}`,
  turnWaiting: (/** @type {Who} */ who) => (who.you ? ['Your turn waits'] : rich`${who}’s turn waits`),
  turnWaitingWhy: 'for challenges to the play before',
  vanished: (/** @type {Who} */ who) => rich`${who} lost the connection`,
  claimIn: 'to be claimed in',
  claimNow: 'the seat can be claimed',
  paused: 'The game is paused',
  pausedWhy: 'nothing is lost, clocks stand',
  waiting: 'Waiting for the players',
  waitingFor: (/** @type {string[]} */ names) => `for ${enList(names)}`,
  gameOver: 'Game over.',
  watching: 'You are watching.',
  crowd: (/** @type {number} */ n) => `${n} watching`,
  copyLink: 'Copy link',
  copied: 'The link was copied.',
  notCopied: 'Copy the address of this page.',
  loading: 'The game is loading…',
  lost: /** @type {Record<string, string>} */ ({
    unknown_game: 'There is no game here.',
    code_required: 'This game is private. Its link has the code.',
    wrong_code: 'The code of this link is wrong.',
  }),
  lostOther: 'The server does not show this game.',
  toLobby: 'To the lobby', register: 'Register to keep your games on every device',

  // Events in words
  drewFirst: (/** @type {Who} */ who) => rich`${who} ${enForm(who, 'play', 'plays')} first`,
  exchanged: (/** @type {Who} */ who, /** @type {number} */ n) => rich`${who} exchanged ${enCount(n, 'tile', 'tiles')}`,
  passed: (/** @type {Who} */ who) => rich`${who} passed`,
  lostTurn: (/** @type {Who} */ who) => rich`${who} lost the turn`,
  upheld: (/** @type {string[]} */ words, /** @type {string} */ lexicon) =>
    `${enList(words)} ${words.length === 1 ? 'is' : 'are'} not in ${lexicon}, the play comes off`,
  withdrawn: (/** @type {Who} */ who, /** @type {string} */ word) => rich`${who} withdrew ${{ word }}`,
  stands: (/** @type {string} */ word) => rich`${{ word }} is good`,
  standsTurn: (/** @type {Who} */ who) => rich`${who} ${enForm(who, 'lose', 'loses')} a turn`,
  standsPoints: (/** @type {Who} */ who, /** @type {number} */ points) => {
    const verb = points < 0 ? enForm(who, 'lose', 'loses') : enForm(who, 'gain', 'gains');
    return rich`${who} ${verb} ${enPoints(Math.abs(points))}`;
  },
  returned: (/** @type {Who} */ who) => rich`${who} ${enForm(who, 'are', 'is')} back`,
  retired: /** @type {Record<string, (who: Who) => Part[]>} */ ({
    resigned: (who) => rich`${who} resigned`,
    flagged: (who) => rich`${who} ran out of time`,
    expired: (who) => rich`${who} did not move in time`,
    abandoned: (who) => rich`${who} left the game`,
  }),
  notWords: (/** @type {string[]} */ bad, /** @type {string} */ lexicon) =>
    `${enList(bad)} ${bad.length === 1 ? 'is' : 'are'} not in ${lexicon}. Try another play.`,
  returnedTiles: (/** @type {string} */ tiles) => `A square was taken, so ${tiles} went back to your rack.`,
  titleYour: (/** @type {string} */ name) => `Your turn: ${name}`,
  titleOther: (/** @type {string} */ who, /** @type {string} */ name) => `${who} plays: ${name}`,
  titleOver: (/** @type {string} */ name) => `Ended: ${name}`,
  titlePlain: (/** @type {string} */ name) => name,
  noPlay: 'No play yet.',
  rackRead: (/** @type {string} */ tiles) => `Rack: ${tiles || 'empty'}`,
  poolRead: (/** @type {number} */ bag, /** @type {string} */ tiles) => `${bag} in the bag. Unseen: ${tiles}`,
  laid: (/** @type {string} */ tile, /** @type {string} */ at) => `${tile} on ${at}`,
  tookBack: (/** @type {string} */ tile) => `${tile} back`,
  typingRefused: /** @type {Record<string, (face: string) => string>} */ ({
    no_tile: (face) => `No ${face} on the rack`,
    not_a_tile: (face) => `There is no tile ${face}`,
    off_board: () => 'The line is full',
    unsplit: (face) => `The rack does not hold the letters of ${face}`,
  }),

  // Sheet
  turnYours: (/** @type {number} */ n) => `Turn ${n}, yours`,
  turnNamed: (/** @type {number} */ n, /** @type {string} */ name) => `Turn ${n}, ${name}`,
  turns: (/** @type {number} */ n) => enCount(n, 'turn', 'turns'),
  noTurns: 'The turns will stand here.',
  rowPass: 'passed',
  rowExchange: (/** @type {number} */ n) => `exchanged ${n}`,
  rowLost: 'lost the turn',
  rowOff: (/** @type {string | undefined} */ who, /** @type {string[]} */ bad) =>
    (who ? `challenged off by ${who}` : 'taken off') + (bad.length ? `: ${enList(bad)}` : ''),
  rowWithdrawn: 'withdrawn',
  rowStood: (/** @type {string} */ who) => `${who} challenged, it stands`,
  wordAsk: (/** @type {string} */ word) => `${word}: look up`,
  wordIs: (/** @type {string} */ word, /** @type {boolean} */ valid, /** @type {string} */ lexicon) =>
    `${word} is ${valid ? '' : 'not '}in ${lexicon}`,
  rowBonus: (/** @type {number} */ n) => `bonus ${n}`,
  rowLabel: (/** @type {string} */ who) => `Show the position after this turn of ${who}`,
  unseenCount: (
    /** @type {number} */ all,
    /** @type {number} */ bag,
    /** @type {string} */ who,
    /** @type {number} */ n,
  ) => `${all}: bag ${bag}, ${who} ${n}`,
  inBag: (/** @type {number} */ n) => `${n} in the bag`,
  others: 'others',
  unseenTile: (/** @type {string} */ face, /** @type {number} */ n) => `${face}: ${n}`,

  // History and replay
  history: 'Turns',
  first: 'Start of the game',
  previous: 'Turn before',
  next: 'Next turn',
  last: 'Last turn',
  toLive: (/** @type {number} */ behind) => (behind ? `Live, +${behind}` : 'Live'),
  ofTurns: (/** @type {number} */ n, /** @type {number} */ all) => `${n} of ${all}`,
  atStart: 'Before the first turn.',
  at: (/** @type {string} */ at) => `at ${at}`,
  replay: 'Replay',
  replayOf: (/** @type {string} */ name) => `Replay: ${name}`,
  replayEnd: 'Result',
  scores: 'Scores',
  scoresAt: (/** @type {string} */ text) => `Scores by turn: ${text}`,

  // End
  won: 'You won',
  wonBy: (/** @type {number} */ n) => `You won by ${n}`,
  lostBy: (/** @type {Who} */ who, /** @type {number} */ n) => rich`${who} won by ${n}`,
  winner: (/** @type {Who} */ who) => rich`${who} won`,
  shared: (/** @type {string[]} */ names) => `${enList(names)} share the win`,
  noResult: /** @type {Record<string, string>} */ ({
    aborted: 'The game was called off',
    cancelled: 'The game did not begin',
  }),
  ended: 'The game is over',
  reasons: /** @type {Record<string, (who: Who) => Part[]>} */ ({
    out_play: (who) => rich`${who} played the last tile.`,
    scoreless_turns: () => ['Too many turns in a row brought no points.'],
    passes: () => ['Everybody passed too many times in a row.'],
    turn_cap: () => ['The limit of turns without points was reached.'],
    target: (who) => rich`${who} reached the target.`,
    all_played: () => ['The bag is empty and nobody could play.'],
    uncatchable: () => ['The bag is empty and nobody could catch up.'],
    resignation: (who) => rich`${who} resigned.`,
    time: (who) => rich`${who} ran out of time.`,
    abandonment: (who) => rich`${who} left the game.`,
    triple_challenge: (who) => rich`${who} lost the challenge and the game.`,
    aborted: (who) => rich`${who} called it off.`,
    cancelled: () => ['Not all were ready in time.'],
  }),
  kept: (/** @type {Who} */ who, /** @type {string} */ tiles) => rich`${who} kept ${tiles}.`,
  endPlayer: 'Player',
  endScore: 'Score',
  endTiles: 'Tiles',
  endTime: 'Time',
  endTotal: 'Total',
  signed: (/** @type {number} */ n) => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : '0'),
  inSeries: (/** @type {number} */ n) => `game ${n} of a series`,
  newGame: 'New game',
  download: (/** @type {string} */ kind) => `Download .${kind}`,
  proved: 'Every draw proved',
  proving: 'Checking the draws…',
  notProved: 'A draw differs',
  notProvable: 'The draws cannot be checked now',
  noRecord: 'There is no record now.',
  provedWhat: (/** @type {number} */ n, /** @type {string} */ bag) => `${enCount(n, 'draw', 'draws')} · bag ${bag}`,
  problem: (/** @type {string} */ what, /** @type {number | undefined} */ seq) =>
    seq === undefined ? what : `${what} (event ${seq})`,
};
