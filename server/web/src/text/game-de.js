// The texts of the game page, in German. The same keys as game-en.js.

import { rich } from './rich.js';

/** @typedef {import('./rich.js').Part} Part */
/** @typedef {{ name: string, you?: boolean }} Who */

/**
 * @param {Who} who
 * @param {string} you
 * @param {string} other
 */
export function deForm(who, you, other) {
  return who.you ? you : other;
}

/**
 * @param {number} count
 * @param {string} one
 * @param {string} many
 */
function deCount(count, one, many) {
  return `${count} ${count === 1 ? one : many}`;
}

/** @param {number} points */
function dePoints(points) {
  return deCount(points, 'Punkt', 'Punkte');
}

/** @param {string[]} items */
function deList(items) {
  return new Intl.ListFormat('de').format(items);
}

/** The texts of the game page, in German. */
export const gameDe = {
  you: 'Du',
  youInside: 'du',
  list: deList,
  seat: (/** @type {number} */ n) => `Platz ${n + 1}`,

  // Board, rack, tiles
  board: 'Brett',
  premiums: /** @type {Record<string, string>} */ ({
    l2: 'doppelter Buchstabenwert',
    l3: 'dreifacher Buchstabenwert',
    l4: 'vierfacher Buchstabenwert',
    w2: 'doppelter Wortwert',
    w3: 'dreifacher Wortwert',
    w4: 'vierfacher Wortwert',
  }),
  start: 'Startfeld',
  empty: 'leer',
  value: dePoints,
  blankAs: (/** @type {string} */ letter) => `Blanko als ${letter}`,
  blank: 'Blanko',
  notPlayed: 'deiner, nicht gespielt',
  typesAcross: 'Eingabe waagerecht',
  typesDown: 'Eingabe senkrecht',
  rack: 'Deine Bank',
  rackOf: (/** @type {string} */ name) => `Bank von ${name}`,
  place: 'leerer Platz',
  letter2: '2B',
  letter3: '3B',
  letter4: '4B',
  word2: '2W',
  word3: '3W',
  word4: '4W',

  // Buttons
  shuffle: 'Bank mischen',
  recall: 'Steine zurücknehmen',
  exchange: 'Tauschen',
  pass: 'Passen',
  play: (/** @type {string} */ word) => rich`${{ word }} legen`,
  playSure: 'Nochmals drücken',
  otherPlays: (/** @type {Who} */ who) => rich`${who} ist dran`,
  sending: 'Wird gesendet …',
  waitsForReady: 'Warten auf die anderen',
  turnWaits: 'Dein Zug wartet',
  judged: 'Zug wird geprüft',
  acceptsToo: 'Damit nimmst du auch den Zug davor an.',
  points: dePoints,
  errors: /** @type {Record<string, string>} */ ({
    gap: 'Zwischen den Steinen ist eine Lücke',
    not_in_line: 'Nicht in einer Linie',
    not_adjacent: 'Kein Stein angrenzend',
    centre_missed: 'Das Startfeld belegen',
    occupied: 'Ein Feld ist belegt',
    too_few_tiles: 'Mehr Steine legen',
    word_too_short: 'Kein Wort aus zwei Buchstaben',
    blank_unassigned: 'Buchstaben des Blankos nennen',
    no_tiles: 'Steine legen',
  }),
  sheet: 'Züge',
  unseen: 'Ungesehen',
  unseenTool: (/** @type {number} */ bag) => `Ungesehene Steine, ${bag} im Beutel`,
  more: 'Mehr',
  close: 'Schließen',
  cancel: 'Abbrechen',
  passAsk: 'Diesen Zug passen?',
  passText: 'Du bekommst keine Punkte und behältst deine Steine.',
  exchangeAsk: 'Steine tauschen',
  exchangeText: 'Wähle die Steine, die du zurückgibst. Dieser Zug bringt keine Punkte.',
  exchangeDo: (/** @type {number} */ n) => (n ? `${n} tauschen` : 'Tauschen'),
  exchangeFew: (/** @type {number} */ least) => `Zum Tauschen müssen ${least} Steine im Beutel sein.`,
  blankAsk: 'Welcher Buchstabe ist das Blanko?',

  // Seats and clocks
  players: 'Spieler',
  tiles: (/** @type {number} */ n) => deCount(n, 'Stein', 'Steine'),
  yourSeat: 'du',
  bot: 'Bot',
  away: 'abwesend',
  left: /** @type {Record<string, string>} */ ({
    resigned: 'hat aufgegeben',
    flagged: 'Zeit überschritten',
    expired: 'Zeit überschritten',
    abandoned: 'hat die Partie verlassen',
  }),
  owes: (/** @type {number} */ n) => (n === 1 ? 'verliert den nächsten Zug' : `verliert die nächsten ${n} Züge`),
  isReady: 'bereit',
  notReady: 'nicht bereit',
  target: (/** @type {number} */ points) => `Ziel ${points}`,
  overtime: (/** @type {number} */ points) => `−${points}`,
  thought: (/** @type {string} */ time) => `Bedenkzeit ${time}`,
  clockLow: (/** @type {Who} */ who, /** @type {number} */ s) =>
    rich`${who} ${deForm(who, 'hast', 'hat')} noch ${deCount(s, 'Sekunde', 'Sekunden')}`,
  clockZero: 'Die Zeit ist um, der Server entscheidet.',
  clockRead: (/** @type {Who} */ who, /** @type {string} */ time, /** @type {boolean} */ runs) =>
    rich`${who} ${time}${runs ? ', läuft' : ''}`,

  // Strip
  yourTurn: 'Du bist dran.',
  turnOf: (/** @type {Who} */ who) => rich`${who} ist dran.`,
  meanwhile: 'Du kannst schon Steine legen.',
  layFirst: 'Belege das Startfeld.',
  played: (/** @type {Who} */ who, /** @type {string} */ word, /** @type {number} */ score) =>
    rich`${who} ${deForm(who, 'hast', 'hat')} ${{ word }} gelegt, ${score}`,
  playedShort: (/** @type {Who} */ who, /** @type {string} */ word, /** @type {number} */ score) =>
    rich`${who}: ${{ word }}, ${score}`,
  challenge: 'Anzweifeln',
  challengeSure: 'Jetzt anzweifeln',
  hold: 'Halten',
  release: 'Freigeben',
  accept: 'Annehmen',
  withdraw: 'Zurücknehmen',
  stand: 'Stehen lassen',
  claim: 'Beanspruchen',
  costIf: /** @type {Record<string, string>} */ ({
    single: 'wenn es gilt, geschieht nichts',
    double: 'wenn es gilt, verlierst du einen Zug',
    five_point: 'wenn es gilt, kostet es 5 Punkte',
    ten_point: 'wenn es gilt, kostet es 10 Punkte',
    triple: 'wenn es gilt, verlierst du das Spiel',
    final: 'wenn es gilt, ist das Spiel aus',
  }),
  costWord: (/** @type {string} */ text) => `${text} je Wort`,
  costShort: /** @type {Record<string, string>} */ ({
    single: 'ohne Risiko',
    double: 'Risiko: 1 Zug',
    five_point: 'Risiko: 5 P.',
    ten_point: 'Risiko: 10 P.',
    triple: 'Risiko: Spiel',
    final: 'letzte Frist',
  }),
  pressAgain: /** @type {Record<string, string>} */ ({
    single: 'Nochmals drücken zum Anzweifeln. Es kostet nichts.',
    double: 'Nochmals drücken. Gelten die Wörter, verlierst du den nächsten Zug.',
    five_point: 'Nochmals drücken. Gelten die Wörter, kostet es 5 Punkte.',
    ten_point: 'Nochmals drücken. Gelten die Wörter, kostet es 10 Punkte.',
    triple: 'Nochmals drücken. Gelten die Wörter, verlierst du das Spiel.',
    final: 'Nochmals drücken. Gelten die Wörter, ist das Spiel aus.',
  }),
  accepted: (/** @type {string[]} */ names) => `angenommen von ${deList(names)}`,
  judging: (/** @type {string[]} */ names) => `${deList(names)} ${names.length === 1 ? 'kann' : 'können'} anzweifeln`,
  holds: (/** @type {Who} */ who) => rich`${who} ${deForm(who, 'hältst', 'hält')} den Zug`,
  holdsShort: (/** @type {Who} */ who) => rich`${who} ${deForm(who, 'hältst', 'hält')}`,
  challenges: (/** @type {Who} */ who, /** @type {string} */ word) =>
    rich`${who} ${deForm(who, 'zweifelst', 'zweifelt')} ${{ word }} an`,
  withdrawWhy: 'nimm es zurück, oder das Wörterbuch entscheidet',
  authorDecides: (/** @type {Who} */ who) => rich`${who} ${deForm(who, 'entscheidest', 'entscheidet')}`,
  turnWaiting: (/** @type {Who} */ who) => (who.you ? ['Dein Zug wartet'] : rich`Der Zug von ${who} wartet`),
  turnWaitingWhy: 'auf Einsprüche gegen den Zug davor',
  vanished: (/** @type {Who} */ who) => rich`${who} ${deForm(who, 'hast', 'hat')} die Verbindung verloren`,
  claimIn: (/** @type {boolean} */ isPlaying) =>
    isPlaying ? 'du kannst den Sieg beanspruchen in' : 'der Sieg kann beansprucht werden in',
  claimNow: (/** @type {boolean} */ isPlaying) =>
    isPlaying ? 'du kannst den Sieg beanspruchen' : 'der Sieg kann beansprucht werden',
  paused: 'Das Spiel ist angehalten',
  pausedWhy: 'nichts geht verloren, die Uhren stehen',
  waiting: 'Warten auf die Spieler',
  waitingFor: (/** @type {string[]} */ names) => `auf ${deList(names)}`,
  gameOver: 'Spiel beendet.',
  watching: 'Du siehst zu.',
  crowd: (/** @type {number} */ n) => `${n} sehen zu`,
  copyLink: 'Link kopieren',
  copied: 'Der Link ist kopiert.',
  notCopied: 'Kopiere die Adresse dieser Seite.',
  loading: 'Das Spiel wird geladen …',
  lost: /** @type {Record<string, string>} */ ({
    unknown_game: 'Hier ist kein Spiel.',
    code_required: 'Dieses Spiel ist privat. Sein Link enthält den Code.',
    wrong_code: 'Der Code dieses Links ist falsch.',
  }),
  lostOther: 'Der Server zeigt dieses Spiel nicht.',
  toLobby: 'Zur Lobby', register: 'Registriert hast du deine Spiele auf jedem Gerät',

  // Events in words
  drewFirst: (/** @type {Who} */ who) => rich`${who} ${deForm(who, 'fängst', 'fängt')} an`,
  exchanged: (/** @type {Who} */ who, /** @type {number} */ n) =>
    rich`${who} ${deForm(who, 'hast', 'hat')} ${deCount(n, 'Stein', 'Steine')} getauscht`,
  passed: (/** @type {Who} */ who) => rich`${who} ${deForm(who, 'hast', 'hat')} gepasst`,
  lostTurn: (/** @type {Who} */ who) => rich`${who} ${deForm(who, 'hast', 'hat')} den Zug verloren`,
  upheld: (/** @type {string[]} */ words) =>
    `${deList(words)} ${words.length === 1 ? 'ist' : 'sind'} ungültig – Zug entfernt`,
  withdrawn: (/** @type {Who} */ who, /** @type {string} */ word) =>
    rich`${who} ${deForm(who, 'hast', 'hat')} ${{ word }} zurückgenommen`,
  stands: (/** @type {string} */ word) => rich`${{ word }} gilt`,
  standsTurn: (/** @type {Who} */ who) => rich`${who} ${deForm(who, 'verlierst', 'verliert')} einen Zug`,
  standsPoints: (/** @type {Who} */ who, /** @type {number} */ points) => {
    const verb = points < 0 ? deForm(who, 'verlierst', 'verliert') : deForm(who, 'bekommst', 'bekommt');
    return rich`${who} ${verb} ${dePoints(Math.abs(points))}`;
  },
  returned: (/** @type {Who} */ who) => rich`${who} ${deForm(who, 'bist', 'ist')} wieder da`,
  retired: /** @type {Record<string, (who: Who) => Part[]>} */ ({
    resigned: (who) => rich`${who} ${deForm(who, 'hast', 'hat')} aufgegeben`,
    flagged: (who) => rich`${who} ${deForm(who, 'hast', 'hat')} die Zeit überschritten`,
    expired: (who) => rich`${who} ${deForm(who, 'hast', 'hat')} nicht rechtzeitig gezogen`,
    abandoned: (who) => rich`${who} ${deForm(who, 'hast', 'hat')} das Spiel verlassen`,
  }),
  notWords: (/** @type {string[]} */ bad, /** @type {string} */ lexicon) =>
    `${deList(bad)} ${bad.length === 1 ? 'steht' : 'stehen'} nicht in ${lexicon}. Versuche einen anderen Zug.`,
  returnedTiles: (/** @type {string} */ tiles) => `Ein Feld wurde belegt, daher ist ${tiles} zurück auf deiner Bank.`,
  titleYour: (/** @type {string} */ name) => `Du bist dran: ${name}`,
  titleOther: (/** @type {string} */ who, /** @type {string} */ name) => `${who} ist dran: ${name}`,
  titleOver: (/** @type {string} */ name) => `Beendet: ${name}`,
  titlePlain: (/** @type {string} */ name) => name,
  noPlay: 'Noch kein Zug.',
  rackRead: (/** @type {string} */ tiles) => `Bank: ${tiles || 'leer'}`,
  poolRead: (/** @type {number} */ bag, /** @type {string} */ tiles) => `${bag} im Beutel. Ungesehen: ${tiles}`,
  laid: (/** @type {string} */ tile, /** @type {string} */ at) => `${tile} auf ${at}`,
  tookBack: (/** @type {string} */ tile) => `${tile} zurück`,
  typingRefused: /** @type {Record<string, (face: string) => string>} */ ({
    no_tile: (face) => `Kein ${face} auf der Bank`,
    not_a_tile: (face) => `Es gibt keinen Stein ${face}`,
    off_board: () => 'Die Linie ist voll',
    unsplit: (face) => `Die Buchstaben von ${face} sind nicht auf der Bank`,
  }),

  // Sheet
  turnYours: (/** @type {number} */ n) => `Zug ${n}, deiner`,
  turnNamed: (/** @type {number} */ n, /** @type {string} */ name) => `Zug ${n}, ${name}`,
  turns: (/** @type {number} */ n) => deCount(n, 'Zug', 'Züge'),
  noTurns: 'Hier stehen die Züge.',
  rowPass: 'gepasst',
  rowExchange: (/** @type {number} */ n) => `${n} getauscht`,
  rowLost: 'Zug verloren',
  rowOff: (/** @type {string | undefined} */ who, /** @type {string[]} */ bad) =>
    (who ? `angezweifelt von ${who}, zurück` : 'zurückgenommen') + (bad.length ? `: ${deList(bad)}` : ''),
  rowWithdrawn: 'zurückgezogen',
  rowStood: (/** @type {string} */ who) => `angezweifelt von ${who}, gilt`,
  wordAsk: (/** @type {string} */ word) => `${word}: nachschlagen`,
  wordIs: (/** @type {string} */ word, /** @type {boolean} */ valid, /** @type {string} */ lexicon) =>
    `${word} steht ${valid ? '' : 'nicht '}in ${lexicon}`,
  rowBonus: (/** @type {number} */ n) => `Bonus ${n}`,
  rowLabel: (/** @type {string} */ who) => `Stellung nach diesem Zug von ${who} zeigen`,
  unseenCount: (
    /** @type {number} */ all,
    /** @type {number} */ bag,
    /** @type {string | undefined} */ who,
    /** @type {number} */ n,
  ) => `${all}: ${bag} im Beutel + ${n} ${who === undefined ? 'auf anderen Bänken' : `bei ${who}`}`,
  inBag: (/** @type {number} */ n) => `${n} im Beutel`,
  unseenTile: (/** @type {string} */ face, /** @type {number} */ n) => `${face}: ${n}`,

  // History and replay
  history: 'Frühere Züge',
  first: 'Spielbeginn',
  previous: 'Zug davor',
  next: 'Nächster Zug',
  last: 'Letzter Zug',
  toLive: (/** @type {number} */ behind) => (behind ? `Jetzt, +${behind}` : 'Jetzt'),
  ofTurns: (/** @type {number} */ n, /** @type {number} */ all) => `${n} von ${all}`,
  atStart: 'Vor dem ersten Zug.',
  at: (/** @type {string} */ at) => `auf ${at}`,
  replay: 'Nachspielen',
  replayOf: (/** @type {string} */ name) => `Nachspielen: ${name}`,
  replayEnd: 'Ergebnis',
  scores: 'Punkte',
  scoresAt: (/** @type {string} */ text) => `Punkte je Zug: ${text}`,

  // End
  won: 'Du hast gewonnen',
  wonBy: (/** @type {number} */ n) => `Du hast mit ${n} gewonnen`,
  lostBy: (/** @type {Who} */ who, /** @type {number} */ n) => rich`${who} hat mit ${n} gewonnen`,
  winner: (/** @type {Who} */ who) => rich`${who} hat gewonnen`,
  shared: (/** @type {string[]} */ names) => `${deList(names)} teilen den Sieg`,
  noResult: /** @type {Record<string, string>} */ ({
    aborted: 'Das Spiel wurde abgebrochen',
    cancelled: 'Das Spiel hat nicht begonnen',
  }),
  ended: 'Das Spiel ist beendet',
  reasons: /** @type {Record<string, (who: Who) => Part[]>} */ ({
    out_play: (who) => rich`${who} ${deForm(who, 'hast', 'hat')} den letzten Stein gelegt.`,
    scoreless_turns: () => ['Zu viele Züge nacheinander brachten keine Punkte.'],
    passes: () => ['Zu oft nacheinander wurde gepasst.'],
    turn_cap: () => ['Die Grenze der Züge ohne Punkte ist erreicht.'],
    target: (who) => rich`${who} ${deForm(who, 'hast', 'hat')} das Ziel erreicht.`,
    all_played: () => ['Der Beutel ist leer, und niemand konnte legen.'],
    uncatchable: () => ['Der Beutel ist leer, und der Vorsprung war nicht einzuholen.'],
    resignation: (who) => rich`${who} ${deForm(who, 'hast', 'hat')} aufgegeben.`,
    time: (who) => rich`${who} ${deForm(who, 'hast', 'hat')} die Zeit überschritten.`,
    abandonment: (who) => rich`${who} ${deForm(who, 'hast', 'hat')} das Spiel verlassen.`,
    triple_challenge: (who) => rich`${who} ${deForm(who, 'hast', 'hat')} den Einspruch verloren und damit das Spiel.`,
    aborted: (who) => rich`${who} ${deForm(who, 'hast', 'hat')} abgebrochen.`,
    cancelled: () => ['Nicht alle waren rechtzeitig bereit.'],
  }),
  kept: (/** @type {Who} */ who, /** @type {string} */ tiles) =>
    rich`${who} ${deForm(who, 'hattest', 'hatte')} noch ${tiles}.`,
  endPlayer: 'Spieler',
  endScore: 'Punkte',
  endTiles: 'Steine',
  endTime: 'Zeit',
  endTotal: 'Gesamt',
  signed: (/** @type {number} */ n) => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : '0'),
  inSeries: (/** @type {number} */ n) => `Spiel ${n} einer Serie`,
  newGame: 'Neues Spiel',
  download: (/** @type {string} */ kind) => `.${kind} herunterladen`,
  proved: 'Alle Ziehungen bewiesen',
  proving: 'Die Ziehungen werden geprüft …',
  notProved: 'Eine Ziehung weicht ab',
  notProvable: 'Die Ziehungen lassen sich jetzt nicht prüfen',
  noRecord: 'Die Aufzeichnung ist jetzt nicht zu haben.',
  provedWhat: (/** @type {number} */ n, /** @type {string} */ bag) =>
    `${deCount(n, 'Ziehung', 'Ziehungen')} · Beutel ${bag}`,
  problem: (/** @type {string} */ what, /** @type {number | undefined} */ seq) =>
    seq === undefined ? what : `${what} (Ereignis ${seq})`,
};
