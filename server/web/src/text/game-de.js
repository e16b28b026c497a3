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
  notPlayed: 'deiner, noch nicht gespielt',
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
  waitsForReady: 'Warten auf Spieler',
  turnWaits: 'Warten',
  judged: 'Warten auf Anzweifeln',
  acceptsToo: 'Damit nimmst du auch den letzten Zug deines Gegners an.',
  points: dePoints,
  errors: /** @type {Record<string, string>} */ ({
    gap: 'Zwischen den Steinen ist eine Lücke',
    not_in_line: 'Nicht in einer Linie',
    not_adjacent: 'Muss einen Stein berühren',
    centre_missed: 'Das Startfeld belegen',
    occupied: 'Ein Feld ist belegt',
    too_few_tiles: 'Mehr Steine legen',
    word_too_short: 'Mindestens zwei Buchstaben',
    blank_unassigned: 'Buchstaben fürs Blanko wählen',
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
  exchangeText: 'Wähle die Steine, die du tauschst. Dieser Zug bringt keine Punkte.',
  exchangeDo: (/** @type {number} */ n) => (n ? `${n} tauschen` : 'Tauschen'),
  exchangeFew: (/** @type {number} */ least) => `Zum Tauschen müssen ${least} Steine im Beutel sein.`,
  blankAsk: 'Welcher Buchstabe soll das Blanko sein?',

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
  owes: (/** @type {number} */ n) => (n === 1 ? 'setzt einmal aus' : `setzt ${n}-mal aus`),
  isReady: 'bereit',
  delayed: 'Noch nicht zu sehen.',
  delayedBy: (/** @type {string} */ delay) => `Zuschauer sehen diese Partie ${delay} später als die Spieler`,
  notReady: 'nicht bereit',
  target: (/** @type {number} */ points) => `Ziel ${points}`,
  overtime: (/** @type {number} */ points) => `−${points}`,
  thought: (/** @type {string} */ time) => `Bedenkzeit ${time}`,
  clockLow: (/** @type {Who} */ who, /** @type {number} */ s) =>
    rich`${who} ${deForm(who, 'hast', 'hat')} noch ${deCount(s, 'Sekunde', 'Sekunden')}`,
  clockZero: 'Die Zeit ist um. Warten auf den Server.',
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
  hold: 'Stopp',
  release: 'Weiter',
  accept: 'Annehmen',
  withdraw: 'Zurücknehmen',
  stand: 'Zug behalten',
  claim: 'Sieg beanspruchen',
  costIf: /** @type {Record<string, string>} */ ({
    single: 'keine Strafe, wenn der Zug gültig ist',
    double: 'ist der Zug gültig, verlierst du einen Zug',
    five_point: 'ist der Zug gültig, kostet es dich 5 Punkte',
    ten_point: 'ist der Zug gültig, kostet es dich 10 Punkte',
    triple: 'ist der Zug gültig, verlierst du die Partie',
    final: 'ist der Zug gültig, ist die Partie zu Ende',
  }),
  costWord: (/** @type {string} */ text) => `${text} pro Wort`,
  costShort: /** @type {Record<string, string>} */ ({
    single: 'ohne Strafe',
    double: 'Risiko: 1 Zug',
    five_point: 'Risiko: 5 P.',
    ten_point: 'Risiko: 10 P.',
    triple: 'Risiko: Partie',
    final: 'letzte Gelegenheit',
  }),
  pressAgain: /** @type {Record<string, string>} */ ({
    single: 'Nochmals drücken zum Anzweifeln. Keine Strafe.',
    double: 'Nochmals drücken. Ist der Zug gültig, verlierst du den nächsten Zug.',
    five_point: 'Nochmals drücken. Ist der Zug gültig, kostet es dich 5 Punkte.',
    ten_point: 'Nochmals drücken. Ist der Zug gültig, kostet es dich 10 Punkte.',
    triple: 'Nochmals drücken. Ist der Zug gültig, verlierst du die Partie.',
    final: 'Nochmals drücken. Ist der Zug gültig, ist die Partie zu Ende.',
  }),
  accepted: (/** @type {string[]} */ names) => `angenommen von ${deList(names)}`,
  judging: (/** @type {string[]} */ names) => {
    const who = names.length > 2 ? `${names.length} Spieler` : deList(names);
    return `${who} ${names.length === 1 ? 'kann' : 'können'} anzweifeln`;
  },
  holds: (/** @type {Who} */ who) => rich`${who} ${deForm(who, 'nimmst dir', 'nimmt sich')} Bedenkzeit`,
  holdsShort: (/** @type {Who} */ who) => rich`${who} ${deForm(who, 'überlegst', 'überlegt')}`,
  challenges: (/** @type {Who} */ who, /** @type {string} */ word) =>
    rich`${who} ${deForm(who, 'zweifelst', 'zweifelt')} ${{ word }} an`,
  withdrawWhy: 'nimm den Zug zurück, oder behalte ihn und lass das Wörterbuch entscheiden',
  authorDecides: (/** @type {Who} */ who) => rich`${who} ${deForm(who, 'entscheidest', 'entscheidet')}`,
  turnWaiting: (/** @type {Who} */ who) => (who.you ? ['Warten'] : rich`${who} wartet`),
  turnWaitingWhy: 'der letzte Zug kann noch angezweifelt werden',
  vanished: (/** @type {Who} */ who) => rich`${who} ${deForm(who, 'hast', 'hat')} die Verbindung verloren`,
  claimIn: (/** @type {boolean} */ isPlaying) =>
    isPlaying ? 'du kannst den Sieg beanspruchen in' : 'der Sieg kann beansprucht werden in',
  claimNow: (/** @type {boolean} */ isPlaying) =>
    isPlaying ? 'du kannst den Sieg beanspruchen' : 'der Sieg kann beansprucht werden',
  paused: 'Die Partie ist angehalten',
  pausedWhy: 'die Uhren sind angehalten; nichts geht verloren',
  waiting: 'Warten auf die Spieler',
  waitingFor: (/** @type {string[]} */ names) => `auf ${deList(names)}`,
  gameOver: 'Partie beendet.',
  watching: 'Du siehst zu.',
  crowd: (/** @type {number} */ n) => `${n} sehen zu`,
  copyLink: 'Link kopieren',
  copied: 'Link kopiert.',
  notCopied: 'Kopiere den Link aus der Adresszeile.',
  loading: 'Die Partie wird geladen …',
  lost: /** @type {Record<string, string>} */ ({
    unknown_game: 'Partie nicht gefunden.',
    code_required: 'Diese Partie ist privat: Zum Zusehen brauchst du ihren Link.',
    wrong_code: 'Der Code in diesem Link ist falsch.',
  }),
  lostOther: 'Diese Partie kann nicht angezeigt werden.',
  toLobby: 'Zur Lobby', register: 'Registrieren: deine Partien auf jedem Gerät',

  // Events in words
  drewFirst: (/** @type {Who} */ who) => rich`${who} ${deForm(who, 'fängst', 'fängt')} an`,
  exchanged: (/** @type {Who} */ who, /** @type {number} */ n) =>
    rich`${who} ${deForm(who, 'hast', 'hat')} ${deCount(n, 'Stein', 'Steine')} getauscht`,
  passed: (/** @type {Who} */ who) => rich`${who} ${deForm(who, 'hast', 'hat')} gepasst`,
  lostTurn: (/** @type {Who} */ who) => rich`${who} ${deForm(who, 'hast', 'hat')} einen Zug verloren`,
  upheld: (/** @type {string[]} */ words) =>
    `${deList(words)} ${words.length === 1 ? 'ist' : 'sind'} ungültig – Zug entfernt`,
  withdrawn: (/** @type {Who} */ who, /** @type {string} */ word) =>
    rich`${who} ${deForm(who, 'hast', 'hat')} ${{ word }} zurückgenommen`,
  stands: (/** @type {string} */ word) => rich`${{ word }} ist gültig`,
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
    abandoned: (who) => rich`${who} ${deForm(who, 'hast', 'hat')} die Partie verlassen`,
  }),
  notWords: (/** @type {string[]} */ bad, /** @type {string} */ lexicon) =>
    `${deList(bad)} ${bad.length === 1 ? 'ist' : 'sind'} ungültig in ${lexicon}. Versuche einen anderen Zug.`,
  returnedTiles: (/** @type {string} */ tiles) => `Ein Feld ist jetzt belegt: ${tiles} ist zurück auf deiner Bank.`,
  titleYour: (/** @type {string} */ name) => `Du bist dran: ${name}`,
  titleOther: (/** @type {string} */ who, /** @type {string} */ name) =>
    who === name ? `${who} ist dran` : `${who} ist dran: ${name}`,
  titleOver: (/** @type {string} */ name) => `Beendet: ${name}`,
  titlePlain: (/** @type {string} */ name) => name,
  noPlay: 'Noch kein Zug.',
  rackRead: (/** @type {string} */ tiles) => `Bank: ${tiles || 'leer'}`,
  poolRead: (/** @type {number} */ bag, /** @type {string} */ tiles) => `${bag} im Beutel. Ungesehen: ${tiles}`,
  laid: (/** @type {string} */ tile, /** @type {string} */ at) => `${tile} auf ${at}`,
  tookBack: (/** @type {string} */ tile) => `${tile} zurück auf der Bank`,
  typingRefused: /** @type {Record<string, (face: string) => string>} */ ({
    no_tile: (face) => `Kein ${face} auf deiner Bank`,
    not_a_tile: (face) => `Es gibt keinen Stein ${face}`,
    off_board: () => 'Keine Felder mehr in dieser Linie',
    unsplit: (face) => `Die Buchstaben von ${face} sind nicht auf deiner Bank`,
  }),

  // Sheet
  turnYours: (/** @type {number} */ n) => `Zug ${n}, deiner`,
  turnNamed: (/** @type {number} */ n, /** @type {string} */ name) => `Zug ${n}, ${name}`,
  turns: (/** @type {number} */ n) => deCount(n, 'Zug', 'Züge'),
  noTurns: 'Hier erscheinen die Züge.',
  rowPass: 'gepasst',
  rowHint: 'Tipp',
  rowExchange: (/** @type {number} */ n) => `${n} getauscht`,
  rowLost: 'ausgesetzt',
  rowOff: (/** @type {string | undefined} */ who, /** @type {string[]} */ bad) =>
    (who ? `erfolgreich angezweifelt von ${who}` : 'entfernt') + (bad.length ? `: ${deList(bad)}` : ''),
  rowWithdrawn: 'zurückgenommen',
  rowStood: (/** @type {string} */ who) => `angezweifelt von ${who} – gültig`,
  wordAsk: (/** @type {string} */ word) => `${word} nachschlagen`,
  wordIs: (/** @type {string} */ word, /** @type {boolean} */ valid, /** @type {string} */ lexicon) =>
    `${word} ist ${valid ? 'gültig' : 'ungültig'} in ${lexicon}`,
  rowBonus: (/** @type {number} */ n) => `Bonus ${n}`,
  rowLabel: (/** @type {string} */ who) => `Stellung nach diesem Zug von ${who} zeigen`,
  unseenCount: (
    /** @type {number} */ all,
    /** @type {number} */ bag,
    /** @type {{ name: string, count: number }[]} */ racks,
    /** @type {number} */ withheld,
  ) => {
    const [only, more] = racks;
    const held = racks.reduce((sum, { count }) => sum + count, 0);
    const on = more ? [`${held} auf Bänken`] : only ? [`${held} bei ${only.name}`] : [];
    return [`${all}: ${bag} im Beutel`, ...on, ...(withheld ? [`${withheld} noch zu ziehen`] : [])].join(' + ');
  },
  inBag: (/** @type {number} */ n) => `${n} im Beutel`,
  unseenTile: (/** @type {string} */ face, /** @type {number} */ n) => `${face}: ${n}`,

  // History and replay
  history: 'Züge durchgehen',
  first: 'Anfangsstellung',
  previous: 'Voriger Zug',
  next: 'Nächster Zug',
  last: 'Letzter Zug',
  toLive: (/** @type {number} */ behind) => (behind ? `Live, +${behind}` : 'Live'),
  ofTurns: (/** @type {number} */ n, /** @type {number} */ all) => `${n} von ${all}`,
  atStart: 'Anfangsstellung',
  at: (/** @type {string} */ at) => `auf ${at}`,
  replay: 'Nachspielen',
  replayOf: (/** @type {string} */ name) => `Nachspielen: ${name}`,
  replayEnd: 'Ergebnis',
  scores: 'Punkte',
  scoresAt: (/** @type {string} */ text) => `Punkte nach Zügen: ${text}`,

  // End
  won: 'Du hast gewonnen',
  wonBy: (/** @type {number} */ n) => `Du hast mit ${n} ${n === 1 ? 'Punkt' : 'Punkten'} Vorsprung gewonnen`,
  lostBy: (/** @type {Who} */ who, /** @type {number} */ n) => rich`${who} hat mit ${n} ${n === 1 ? 'Punkt' : 'Punkten'} Vorsprung gewonnen`,
  winner: (/** @type {Who} */ who) => rich`${who} hat gewonnen`,
  shared: (/** @type {string[]} */ names) => `Unentschieden zwischen ${deList(names)}`,
  noResult: /** @type {Record<string, string>} */ ({
    aborted: 'Partie abgebrochen',
    cancelled: 'Partie abgesagt',
  }),
  ended: 'Die Partie ist beendet',
  reasons: /** @type {Record<string, (who: Who) => Part[]>} */ ({
    out_play: (who) => rich`${who} ${deForm(who, 'hast', 'hat')} alle Steine ausgespielt.`,
    scoreless_turns: () => ['Zu viele Züge ohne Punkte in Folge.'],
    passes: () => ['Zu oft in Folge gepasst.'],
    turn_cap: () => ['Die Grenze der Züge ohne Punkte ist erreicht.'],
    target: (who) => rich`${who} ${deForm(who, 'hast', 'hat')} das Ziel erreicht.`,
    all_played: () => ['Der Beutel ist leer, und niemand konnte legen.'],
    uncatchable: () => ['Der Beutel ist leer, und der Vorsprung war nicht einzuholen.'],
    resignation: (who) => rich`${who} ${deForm(who, 'hast', 'hat')} aufgegeben.`,
    time: (who) => rich`${who} ${deForm(who, 'hast', 'hat')} die Zeit überschritten.`,
    abandonment: (who) => rich`${who} ${deForm(who, 'hast', 'hat')} die Partie verlassen.`,
    triple_challenge: (who) => rich`${who} ${deForm(who, 'hast', 'hat')} beim Anzweifeln verloren und damit die Partie.`,
    aborted: (who) => rich`${who} ${deForm(who, 'hast', 'hat')} die Partie abgebrochen.`,
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
  inSeries: (/** @type {number} */ n) => `Partie ${n} einer Serie`,
  newGame: 'Neue Partie',
  download: (/** @type {string} */ kind) => `.${kind} herunterladen`,
  proved: 'Ziehungen geprüft: fair',
  proving: 'Die Ziehungen werden geprüft …',
  notProved: 'Prüfung fehlgeschlagen: Eine Ziehung weicht ab',
  notProvable: 'Die Ziehungen lassen sich gerade nicht prüfen',
  noRecord: 'Die Aufzeichnung ist gerade nicht verfügbar.',
  provedWhat: (/** @type {number} */ n, /** @type {string} */ bag) =>
    `${deCount(n, 'Ziehung', 'Ziehungen')} mit dem vor der Partie versiegelten Beutel verglichen (${bag})`,
  problem: (/** @type {string} */ what, /** @type {number | undefined} */ seq) =>
    seq === undefined ? what : `${what} (Ereignis ${seq})`,
};
