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
  notPlayed: 'yours, not played yet',
  typesAcross: 'typing across',
  typesDown: 'typing down',
  rack: 'Your rack',
  rackOf: (/** @type {string} */ name) => `Rack of ${name}`,
  place: 'empty slot',
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
  playSure: 'Press again to confirm',
  otherPlays: (/** @type {Who} */ who) => rich`${who} to move`,
  sending: 'Sending…',
  waitsForReady: 'Waiting for players',
  turnWaits: 'Waiting',
  judged: 'Waiting for challenges',
  acceptsToo: 'This also accepts your opponent’s last play.',
  points: enPoints,
  errors: /** @type {Record<string, string>} */ ({
    gap: 'The tiles leave a gap',
    not_in_line: 'Must be in one line',
    not_adjacent: 'Must touch a tile on the board',
    centre_missed: 'Cover the start square',
    occupied: 'A square is occupied',
    too_few_tiles: 'Place more tiles',
    word_too_short: 'A word needs at least two letters',
    blank_unassigned: 'Choose a letter for the blank',
    no_tiles: 'Place some tiles',
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
  exchangeText: 'Choose the tiles to exchange. You score nothing this turn.',
  exchangeDo: (/** @type {number} */ n) => (n ? `Exchange ${n}` : 'Exchange'),
  exchangeFew: (/** @type {number} */ least) => `You can only exchange with ${least} or more tiles in the bag.`,
  blankAsk: 'Which letter should the blank be?',

  // Seats and clocks
  players: 'Players',
  tiles: (/** @type {number} */ n) => enCount(n, 'tile', 'tiles'),
  yourSeat: 'you',
  bot: 'bot',
  away: 'away',
  left: /** @type {Record<string, string>} */ ({
    resigned: 'resigned',
    flagged: 'ran out of time',
    expired: 'ran out of time',
    abandoned: 'left the game',
  }),
  owes: (/** @type {number} */ n) => (n === 1 ? 'skips the next turn' : `skips the next ${n} turns`),
  isReady: 'ready',
  delayed: 'Not shown yet.',
  delayedBy: (/** @type {string} */ delay) => `Spectators see this game ${delay} later than the players`,
  notReady: 'not ready',
  target: (/** @type {number} */ points) => `of ${points}`,
  overtime: (/** @type {number} */ points) => `−${points}`,
  thought: (/** @type {string} */ time) => `thought for ${time}`,
  clockLow: (/** @type {Who} */ who, /** @type {number} */ s) =>
    rich`${who} ${enForm(who, 'have', 'has')} ${enCount(s, 'second', 'seconds')} left`,
  clockZero: 'Time is up. Waiting for the server.',
  clockRead: (/** @type {Who} */ who, /** @type {string} */ time, /** @type {boolean} */ runs) =>
    rich`${who} ${time}${runs ? ', running' : ''}`,

  // Strip
  yourTurn: 'Your turn.',
  turnOf: (/** @type {Who} */ who) => rich`${who}’s turn.`,
  meanwhile: 'You can already place tiles.',
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
  stand: 'Keep the play',
  claim: 'Claim the win',
  costIf: /** @type {Record<string, string>} */ ({
    single: 'no penalty if the play is valid',
    double: 'if the play is valid, you lose a turn',
    five_point: 'if the play is valid, it costs you 5 points',
    ten_point: 'if the play is valid, it costs you 10 points',
    triple: 'if the play is valid, you lose the game',
    final: 'if the play is valid, the game is over',
  }),
  costWord: (/** @type {string} */ text) => `${text} per word`,
  costShort: /** @type {Record<string, string>} */ ({
    single: 'no penalty',
    double: 'may cost a turn',
    five_point: 'may cost 5 points',
    ten_point: 'may cost 10 points',
    triple: 'may cost the game',
    final: 'last chance to challenge',
  }),
  pressAgain: /** @type {Record<string, string>} */ ({
    single: 'Press again to challenge. No penalty.',
    double: 'Press again. If the play is valid, you lose your next turn.',
    five_point: 'Press again. If the play is valid, it costs you 5 points.',
    ten_point: 'Press again. If the play is valid, it costs you 10 points.',
    triple: 'Press again. If the play is valid, you lose the game.',
    final: 'Press again. If the play is valid, the game is over.',
  }),
  accepted: (/** @type {string[]} */ names) => `accepted by ${enList(names)}`,
  judging: (/** @type {string[]} */ names) => `${names.length > 2 ? `${names.length} players` : enList(names)} can challenge`,
  holds: (/** @type {Who} */ who) => rich`${who} ${enForm(who, 'hold', 'holds')} the play`,
  holdsShort: (/** @type {Who} */ who) => rich`${who} ${enForm(who, 'hold', 'holds')}`,
  challenges: (/** @type {Who} */ who, /** @type {string} */ word) =>
    rich`${who} ${enForm(who, 'challenge', 'challenges')} ${{ word }}`,
  withdrawWhy: 'withdraw the play, or keep it and let the lexicon decide',
  authorDecides: (/** @type {Who} */ who) => rich`${who} ${enForm(who, 'decide', 'decides')}`,
  turnWaiting: (/** @type {Who} */ who) => (who.you ? ['Waiting'] : rich`${who} is waiting`),
  turnWaitingWhy: 'opponents may still challenge the last play',
  vanished: (/** @type {Who} */ who) => rich`${who} disconnected`,
  claimIn: (/** @type {boolean} */ isPlaying) => `${isPlaying ? 'you can claim the win' : 'the win can be claimed'} in`,
  claimNow: (/** @type {boolean} */ isPlaying) => `${isPlaying ? 'you can claim the win' : 'the win can be claimed'}`,
  paused: 'The game is paused',
  pausedWhy: 'clocks are stopped; nothing is lost',
  waiting: 'Waiting for players',
  waitingFor: (/** @type {string[]} */ names) => `for ${enList(names)}`,
  gameOver: 'Game over.',
  watching: 'You are watching.',
  crowd: (/** @type {number} */ n) => `${n} watching`,
  copyLink: 'Copy link',
  copied: 'Link copied.',
  notCopied: 'Copy the link from the address bar.',
  loading: 'Loading the game…',
  lost: /** @type {Record<string, string>} */ ({
    unknown_game: 'Game not found.',
    code_required: 'This game is private: you need its link to watch.',
    wrong_code: 'The code in this link is wrong.',
  }),
  lostOther: 'This game can’t be shown.',
  toLobby: 'Back to the lobby', register: 'Register to keep your games on every device',

  // Events in words
  drewFirst: (/** @type {Who} */ who) => rich`${who} ${enForm(who, 'play', 'plays')} first`,
  exchanged: (/** @type {Who} */ who, /** @type {number} */ n) => rich`${who} exchanged ${enCount(n, 'tile', 'tiles')}`,
  passed: (/** @type {Who} */ who) => rich`${who} passed`,
  lostTurn: (/** @type {Who} */ who) => rich`${who} lost a turn`,
  upheld: (/** @type {string[]} */ words) =>
    `${enList(words)} ${words.length === 1 ? 'is' : 'are'} not valid – play removed`,
  withdrawn: (/** @type {Who} */ who, /** @type {string} */ word) => rich`${who} withdrew ${{ word }}`,
  stands: (/** @type {string} */ word) => rich`${{ word }} is valid`,
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
    `${enList(bad)} ${bad.length === 1 ? 'is' : 'are'} not valid in ${lexicon}. Try another play.`,
  returnedTiles: (/** @type {string} */ tiles) => `A square is now occupied: ${tiles} went back to your rack.`,
  titleYour: (/** @type {string} */ name) => `Your turn: ${name}`,
  titleOther: (/** @type {string} */ who, /** @type {string} */ name) =>
    who === name ? `${who} to move` : `${who} to move: ${name}`,
  titleOver: (/** @type {string} */ name) => `Game over: ${name}`,
  titlePlain: (/** @type {string} */ name) => name,
  noPlay: 'No plays yet.',
  rackRead: (/** @type {string} */ tiles) => `Rack: ${tiles || 'empty'}`,
  poolRead: (/** @type {number} */ bag, /** @type {string} */ tiles) => `${bag} in the bag. Unseen: ${tiles}`,
  laid: (/** @type {string} */ tile, /** @type {string} */ at) => `${tile} on ${at}`,
  tookBack: (/** @type {string} */ tile) => `${tile} back on the rack`,
  typingRefused: /** @type {Record<string, (face: string) => string>} */ ({
    no_tile: (face) => `No ${face} on your rack`,
    not_a_tile: (face) => `There is no tile ${face}`,
    off_board: () => 'No more squares in this line',
    unsplit: (face) => `The letters of ${face} are not on your rack`,
  }),

  // Sheet
  turnYours: (/** @type {number} */ n) => `Move ${n}, yours`,
  turnNamed: (/** @type {number} */ n, /** @type {string} */ name) => `Move ${n}, ${name}`,
  turns: (/** @type {number} */ n) => enCount(n, 'move', 'moves'),
  noTurns: 'Moves will appear here.',
  rowPass: 'passed',
  rowHint: 'hint',
  rowExchange: (/** @type {number} */ n) => `exchanged ${n}`,
  rowLost: 'turn skipped',
  rowOff: (/** @type {string | undefined} */ who, /** @type {string[]} */ bad) =>
    (who ? `challenged off by ${who}` : 'removed') + (bad.length ? `: ${enList(bad)}` : ''),
  rowWithdrawn: 'withdrawn',
  rowStood: (/** @type {string} */ who) => `challenged by ${who} – valid`,
  wordAsk: (/** @type {string} */ word) => `Look up ${word}`,
  wordIs: (/** @type {string} */ word, /** @type {boolean} */ valid, /** @type {string} */ lexicon) =>
    `${word} is ${valid ? '' : 'not '}valid in ${lexicon}`,
  rowBonus: (/** @type {number} */ n) => `bonus ${n}`,
  rowLabel: (/** @type {string} */ who) => `Show the position after this move by ${who}`,
  unseenCount: (
    /** @type {number} */ all,
    /** @type {number} */ bag,
    /** @type {{ name: string, count: number }[]} */ racks,
    /** @type {number} */ withheld,
  ) => {
    const [only, more] = racks;
    const held = racks.reduce((sum, { count }) => sum + count, 0);
    const on = more ? [`${held} on racks`] : only ? [`${held} on ${only.name}’s rack`] : [];
    return [`${all}: ${bag} in bag`, ...on, ...(withheld ? [`${withheld} still to be drawn`] : [])].join(' + ');
  },
  inBag: (/** @type {number} */ n) => `${n} in the bag`,
  unseenTile: (/** @type {string} */ face, /** @type {number} */ n) => `${face}: ${n}`,

  // History and replay
  history: 'Move history',
  first: 'Starting position',
  previous: 'Previous move',
  next: 'Next move',
  last: 'Last move',
  toLive: (/** @type {number} */ behind) => (behind ? `Live, +${behind}` : 'Live'),
  ofTurns: (/** @type {number} */ n, /** @type {number} */ all) => `${n} of ${all}`,
  atStart: 'Starting position',
  at: (/** @type {string} */ at) => `at ${at}`,
  replay: 'Replay',
  replayOf: (/** @type {string} */ name) => `Replay: ${name}`,
  replayEnd: 'Result',
  scores: 'Scores',
  scoresAt: (/** @type {string} */ text) => `Scores by move: ${text}`,

  // End
  won: 'You won',
  wonBy: (/** @type {number} */ n) => `You won by ${n}`,
  lostBy: (/** @type {Who} */ who, /** @type {number} */ n) => rich`${who} won by ${n}`,
  winner: (/** @type {Who} */ who) => rich`${who} won`,
  shared: (/** @type {string[]} */ names) => `Tie between ${enList(names)}`,
  noResult: /** @type {Record<string, string>} */ ({
    aborted: 'Game aborted',
    cancelled: 'Game cancelled',
  }),
  ended: 'The game is over',
  reasons: /** @type {Record<string, (who: Who) => Part[]>} */ ({
    out_play: (who) => rich`${who} went out.`,
    scoreless_turns: () => ['Too many scoreless turns in a row.'],
    passes: () => ['Too many passes in a row.'],
    turn_cap: () => ['Scoreless-turn limit reached.'],
    target: (who) => rich`${who} reached the target.`,
    all_played: () => ['The bag is empty and nobody could play.'],
    uncatchable: () => ['The bag is empty and the lead can no longer be caught.'],
    resignation: (who) => rich`${who} resigned.`,
    time: (who) => rich`${who} ran out of time.`,
    abandonment: (who) => rich`${who} left the game.`,
    triple_challenge: (who) => rich`${who} lost the challenge and the game.`,
    aborted: (who) => rich`${who} aborted the game.`,
    cancelled: () => ['Not everyone was ready in time.'],
  }),
  kept: (/** @type {Who} */ who, /** @type {string} */ tiles) => rich`${who} had ${tiles} left.`,
  endPlayer: 'Player',
  endScore: 'Score',
  endTiles: 'Tiles',
  endTime: 'Time',
  endTotal: 'Total',
  signed: (/** @type {number} */ n) => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : '0'),
  inSeries: (/** @type {number} */ n) => `game ${n} of a series`,
  newGame: 'New game',
  download: (/** @type {string} */ kind) => `Download .${kind}`,
  proved: 'Fair draw verified',
  proving: 'Checking the draws…',
  notProved: 'Verification failed: a draw does not match',
  notProvable: 'The draws can’t be checked right now',
  noRecord: 'The game record isn’t available right now.',
  provedWhat: (/** @type {number} */ n, /** @type {string} */ bag) =>
    `${enCount(n, 'draw', 'draws')} checked against the bag sealed before the game (${bag})`,
  problem: (/** @type {string} */ what, /** @type {number | undefined} */ seq) =>
    seq === undefined ? what : `${what} (event ${seq})`,
};
