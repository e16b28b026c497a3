// The texts around the games, in German: bar, lobby, offers, finished games. The same keys as lobby-en.js.

import { durationText, listText, momentText } from './units.js';
import { setupDe } from './setup-de.js';

/** @param {number} count @param {string} one @param {string} many */
const countDe = (count, one, many) => `${count.toLocaleString('de')} ${count === 1 ? one : many}`;

/**
 * The texts of all pages but the game's, in German.
 *
 * @type {typeof import('./lobby-en.js').lobbyEn}
 */
export const lobbyDe = {
  language: 'de',
  duration: (ms) => durationText('de', ms),
  moment: (at) => momentText('de', at),
  list: (items) => listText('de', items),
  setup: setupDe,

  bar: {
    nav: 'Seiten', play: 'Spielen', watch: 'Zusehen', rules: 'Regeln', settings: 'Einstellungen',
    finished: 'Beendete Spiele', menu: 'Menü', sound: 'Ton', soundOn: 'Ton ist an', soundOff: 'Ton ist aus',
    rename: 'Namen ändern', connected: 'verbunden', notConnected: 'nicht verbunden', lag: (ms) => `${ms} ms`,
    skip: 'Zum Inhalt', cancel: 'Abbrechen', dismiss: 'Schließen',
  },
  name: {
    title: 'Dein Name', label: 'Name', save: 'Speichern',
    hint: 'Andere sehen ihn in Angeboten und Spielen. Spiele, die schon laufen, behalten den alten Namen.',
    changed: (name) => `Du heißt jetzt ${name}.`,
  },
  toast: {
    yourTurn: (names) => (names ? `Du bist am Zug gegen ${names}` : 'Du bist in einem anderen Spiel am Zug'),
    begun: 'Ein weiteres Spiel von dir hat begonnen.', open: 'Öffnen',
  },
  notice: (text) => text.slice(0, 500),

  yourGames: 'Deine Spiele', allFinished: 'Beendete Spiele', openOffers: 'Offene Angebote',
  houseBots: 'Bots des Hauses', always: 'immer da', liveNow: 'Gerade gespielt', liveGames: 'Laufende Spiele',
  loading: 'Lädt …',
  here: (games, people) => `${countDe(games, 'Spiel', 'Spiele')}, ${countDe(people, 'Person', 'Personen')} hier`,
  noOffers: 'Gerade wartet niemand auf ein Spiel.',
  noLive: 'Gerade wird kein öffentliches Spiel gespielt.',
  score: (scores) => `${scores[0]} zu ${scores.slice(1).join(', ')}`,
  turnsWaiting: (games) => (games === 1 ? 'Du bist am Zug' : `Am Zug in ${games} Spielen`),
  yourTurn: 'Du bist am Zug', turnOf: (name) => `${name} ist am Zug`,
  left: (time) => `noch ${time}`,
  phase: { waiting: 'Wartet auf alle', final: 'Letzter Zug', ended: 'Zu Ende' },
  you: 'du', bot: 'Bot', play: 'Spielen', join: 'Beitreten', withdraw: 'Zurückziehen', leave: 'Verlassen',
  showLink: 'Link', start: 'Jetzt beginnen', showMore: 'Mehr zeigen',
  watching: (count) => `${count} sehen zu`,
  waiting: 'Wartet auf jemanden …',
  waitingMore: (n) => (n === 1 ? 'Wartet auf noch eine Person …' : `Wartet auf noch ${n} Personen …`),
  privateOffer: 'privat', seatsTaken: (taken, seats) => `${taken} von ${seats} Plätzen`,
  joinNamed: (name) => `Bei ${name} beitreten`, playNamed: (name) => `Gegen ${name} spielen`,
  bots: {
    beginner: ['Anfänger', 'legt kurze Wörter'], club: ['Klub', 'spielt solide'],
    expert: ['Experte', 'kennt jedes Wort'],
  },
  code: { title: 'Hast du einen Code?', label: 'Code eines privaten Spiels', hint: 'Code', enter: 'Beitreten' },

  welcome: {
    title: 'Wörter legen, live, mit allen.', text: 'Ohne Konto, ohne Installation.', bot: 'Gegen einen Bot spielen',
    live: 'Dieses Spiel läuft gerade.', example: 'Eine Beispielstellung.', watchIt: 'Bei diesem Spiel zusehen',
  },

  seek: {
    title: 'Deine Einladung', joinTitle: 'Du bist zu einem Spiel eingeladen', offerTitle: 'Ein Angebot',
    share: 'Schick diesen Link an alle, die mitspielen sollen. Wer ihn öffnet, kann beitreten.',
    link: 'Link', copy: 'Kopieren', copied: 'Kopiert', copySelf: 'Der Link ist markiert: jetzt kopieren.',
    send: 'Teilen',
    shareText: 'Ein Spiel auf Tilewire',
    keepOpen: 'Lass diese Seite offen: Das Spiel beginnt, sobald alle Plätze besetzt sind.',
    mayLeave: 'Du kannst gehen: Das Spiel beginnt von selbst, sobald alle Plätze besetzt sind.',
    players: 'Personen', freeSeat: 'freier Platz', gone: 'Dieses Angebot ist weg, oder sein Spiel hat begonnen.',
    toLobby: 'Zur Übersicht', yourName: 'Dein Name', join: 'Mitspielen', code: 'Code',
    noCode: 'In diesem Link fehlt der Code. Frag nach dem ganzen Link.',
  },

  finished: {
    title: 'Beendete Spiele', none: 'Du hast noch kein Spiel beendet.', more: 'Mehr zeigen',
    rank: (rank) => (rank === 1 ? 'Gewonnen' : rank === 0 ? 'Ohne Ergebnis' : 'Verloren'), tied: 'Gleichstand',
    place: (rank) => `Platz ${rank}`, lead: 'Deine Spiele, die zu Ende sind, das neueste zuerst.',
  },

  settings: {
    title: 'Einstellungen', look: 'Aussehen', theme: 'Farben', language: 'Sprache', tiles: 'Steine auf der Bank',
    system: 'Gerät', light: 'Hell', dark: 'Dunkel', normal: 'Normal', large: 'Groß',
    playing: 'Spielen', sounds: 'Töne', soundsHint: 'Fünf kurze Töne: Stein, Zug, du bist dran, Anzweifeln, Spielende.',
    enter: 'Eingabetaste', enterPlay: 'Spielt sofort', enterConfirm: 'Fragt nach',
    enterHint: 'Was die Eingabetaste mit den gelegten Steinen macht.',
    announce: 'Züge vorlesen', announceHint: 'Vorleseprogramme erfahren jeden Zug, nicht nur, dass du dran bist.',
    notify: 'Benachrichtigungen', notifyAllow: 'Erlauben', notifyOn: 'Du erfährst, wenn du am Zug bist.',
    notifyOff: 'Ausschalten', notifyHint: 'Nur solange die Seite im Hintergrund offen ist.',
    notifyDenied: 'Dein Browser sperrt Benachrichtigungen dieser Seite.', notifyMissing: 'Hier nicht möglich.',
    identity: 'Identität', name: 'Name', change: 'Ändern',
    identityText: 'Du spielst als Gast. Deine Identität ist ein Schlüssel, den dieser Browser behält; es gibt kein '
      + 'Passwort. Wer sie vergisst, gibt seine Spiele hier auf.',
    forget: 'Diese Identität vergessen', forgetTitle: 'Identität vergessen?',
    forgetText: 'Du wirst ein neuer Gast. Deine Plätze in laufenden Spielen sind verloren.', forgetAct: 'Vergessen',
    server: 'Server',
  },

  rules: {
    title: 'Regeln', lead: 'Bretter und Regeln, die dieser Server anbietet.', playThis: 'So spielen',
    all: 'Alle Regeln',
    board: 'Brett', tiles: 'Steine', tilesCount: (n) => `${n} Steine`,
    tile: (face, value, count) => (
      `${face === '?' ? 'Blanko' : face}: ${countDe(value, 'Punkt', 'Punkte')}, ${countDe(count, 'Stein', 'Steine')}`),
    language: 'Sprache der Steine', boardLabel: (name) => `Brett von ${name}`,
    legend: {
      "'": 'doppelter Buchstabe', '"': 'dreifacher Buchstabe', '^': 'vierfacher Buchstabe', '-': 'doppeltes Wort',
      '=': 'dreifaches Wort', '~': 'vierfaches Wort',
    },
    drawn: 'Die Prämienfelder werden für jedes Spiel neu verteilt.',
    howTitle: 'So wird gespielt',
    how: (f) => [
      `${f.seats} Personen ziehen reihum. Jede hat ${f.rack} Steine. Wer am Zug ist, legt Steine in eine Zeile oder `
        + 'Spalte, tauscht Steine oder passt. Der erste Zug belegt das Startfeld; jeder spätere berührt einen Stein '
        + 'auf dem Brett, und alle Wörter, die er bildet, zählen.',
      'Ein Buchstabe zählt seinen Wert. Runde Felder vervielfachen den Buchstaben, eckige das ganze Wort, nur in dem '
        + 'Zug, der sie belegt. Ein Blanko steht für jeden Buchstaben und zählt nichts.',
      `Prämie: ${f.bingos}.`,
      `Zum Tauschen müssen mindestens ${countDe(f.exchange, 'Stein', 'Steine')} im Beutel sein.`,
    ],
    bingo: (tiles, bonus) => `${bonus} Punkte für ${tiles} Steine auf einmal`,
    challengeTitle: 'Anzweifeln', endTitle: 'Das Ende',
    ends: (f) => [
      'Das Spiel endet, wenn der Beutel leer ist und jemand alle Steine gelegt hat, oder nach der Regel für Züge '
        + `ohne Fortschritt: ${f.end}.`,
      f.rackCount === 'always' ? 'Was auf der Bank bleibt, wird abgezogen und kommt dem zugute, der alles gelegt hat.'
        : 'Was auf der Bank bleibt, wird nur abgezogen, wenn der Beutel leer ist.',
      `Bei Gleichstand ${f.ties}.`,
    ],
    targets: (seats) => `${seats} Personen`, targetTitle: 'Zielstände',
    targetText: 'Wer zuerst den Stand seiner Stufe erreicht, gewinnt sofort.',
    usualTitle: 'Üblich',
  },

  ruleSets: {
    classic: 'Das Spiel aus der Schachtel: 15 × 15 Felder, sieben Steine, 50 Punkte für alle; mit Anzweifeln.',
    'classic-nine': 'Das klassische Spiel mit neun Steinen; 50 Punkte für sieben, acht oder alle neun.',
    'classic-finish-line': 'Das klassische Spiel als Rennen: Wer zuerst seinen Zielstand erreicht, gewinnt.',
    tournament: 'Das klassische Spiel zu zweit wie im Klub: Sechs Züge ohne Punkte beenden es.',
    super: 'Ein Brett von 21 × 21 Feldern mit vierfachen Buchstaben und Wörtern, und doppelt so vielen Steinen.',
    'words-with-friends': 'Wörter werden vorher geprüft; eigenes Brett, eigene Steine, 35 Punkte für alle sieben.',
    wordfeud: 'Wörter werden vorher geprüft; eigenes Brett, 40 Punkte für alle sieben, dreimal Passen beendet es.',
    'wordfeud-random': 'Wordfeud mit Prämienfeldern, die für jedes Spiel neu verteilt werden.',
    'email-challenge': 'Das klassische Spiel als Fernspiel: Ein angezweifelter Zug kann zurückgenommen werden.',
    'email-validated': 'Das klassische Spiel als Fernspiel ohne Anzweifeln: Wörter werden vorher geprüft.',
  },
  shortRuleSets: { classic: 'Classic', wordfeud: 'Wordfeud', 'words-with-friends': 'Words', super: 'Super' },
  notFound: { title: 'Hier ist nichts', text: 'Diese Adresse führt zu keiner Seite des Servers.' },
};
