// The texts of finished games, leaderboards and the figures of a player, in German. The same keys as archive-en.js.

import { mediumDateText, timeText } from './dates.js';

/** @param {number} n @param {string} one @param {string} many */
const countGamesDe = (n, one, many) => `${n.toLocaleString('de')} ${n === 1 ? one : many}`;
/** @param {import('./archive-en.js').Tally} tally */
const tallyDe = ({ won, lost, shared }) => (
  `${won} gewonnen, ${lost} verloren${shared > 0 ? `, ${shared} geteilt` : ''}`);

/**
 * The texts of finished games, leaderboards and the figures of a player, in German.
 *
 * @type {typeof import('./archive-en.js').archiveEn}
 */
export const archiveDe = {
  time: (at) => timeText('de', at), day: (at) => mediumDateText('de', at),
  speeds: {
    ultra_blitz: 'Ultrablitz', blitz: 'Blitz', rapid: 'Schnell', standard: 'Standard', correspondence: 'Fernspiel',
  },
  untimed: 'ohne Uhr', bots: 'Bots',
  results: { won: 'Gewonnen', lost: 'Verloren', shared: 'Geteilt', none: 'Kein Ergebnis' },
  reasons: {
    out_play: 'letzter Stein gelegt', scoreless_turns: 'Züge ohne Punkte', passes: 'alle gepasst',
    turn_cap: 'Grenze der Züge', target: 'Ziel erreicht', all_played: 'niemand konnte legen',
    uncatchable: 'Vorsprung uneinholbar', resignation: 'Aufgabe', time: 'Zeit überschritten',
    abandonment: 'Spiel verlassen', triple_challenge: 'dreifacher Einspruch', aborted: 'abgebrochen',
    cancelled: 'nicht begonnen', adjudicated: 'vom Betreiber entschieden',
  },
  place: (rank) => `Platz ${rank}`, rated: 'Gewertet', casual: 'Ungewertet', privateGame: 'privat',

  games: {
    title: 'Beendete Spiele', of: (name) => `Beendete Spiele von ${name}`, everybody: 'Beendete Spiele von allen',
    older: 'Ältere Spiele', none: 'Kein beendetes Spiel passt.', noneYet: 'Du hast noch kein Spiel beendet.',
    count: (n, isAll) => `${isAll ? '' : 'Bisher '}${countGamesDe(n, 'Spiel', 'Spiele')}`,
    export: 'Deine Spiele herunterladen', exporting: 'Wird heruntergeladen …',
    exportHint: 'Eine ZIP-Datei mit den Ergebnissen und Aufzeichnungen deiner beendeten Spiele.',
    exported: (files) => (
      files === 1 ? 'Deine Spiele sind heruntergeladen.' : `Deine Spiele sind heruntergeladen, in ${files} Dateien.`),
    exportFailed: 'Das Herunterladen brach ab. Bitte versuch es noch einmal.',
  },
  filter: {
    title: 'Filter', whose: 'Spiele von', mine: 'mir', player: 'einer Person', everybody: 'allen', handle: 'Person',
    opponent: 'Gegen', ruleSet: 'Regeln', lexicon: 'Lexikon', pool: 'Wertungsklasse', rated: 'Gewertet',
    result: 'Ergebnis', reason: 'Ende', from: 'Von', until: 'Bis', scoreMin: 'Punkte mindestens',
    scoreMax: 'Punkte höchstens', any: 'egal', yes: 'gewertet', no: 'nicht gewertet', show: 'Zeigen',
    clear: 'Filter löschen',
  },

  leaders: {
    title: 'Ranglisten', ruleSet: 'Regeln', lexicon: 'Wörter', speed: 'Tempo', league: 'Wer spielt', people: 'Personen',
    bots: 'Bots', board: 'Rangliste',
    boards: { rating: 'Wertung', week: '7 Tage', month: '30 Tage', all: 'Gesamt' },
    place: 'Platz', player: 'Person', rating: 'Wertung', games: 'Spiele', average: 'Schnitt',
    weighted: 'Gewichtet', turns: 'Züge', you: 'du', nobody: 'Noch steht niemand auf dieser Rangliste.',
    nameless: 'jemand ohne Benutzernamen',
    ratingNote: 'Auf der Rangliste: mindestens 20 gewertete Spiele, eines davon in den letzten 30 Tagen, und eine '
      + 'Abweichung von höchstens 80.',
    averageNote: (mean) => (
      'Punkte je Zug bei mindestens 5 gezählten Spielen in dieser Zeit. Für den gewichteten Schnitt, der die Plätze '
      + `bestimmt, kommen 50 Züge mit dem Schnitt aller hinzu: ${mean}.`),
    find: 'Person suchen', found: (n) => (
      n === 0 ? 'Kein Benutzername beginnt so.' : `${n} gefunden`),
    own: (rating, games) => `Du: ${rating}, nach ${countGamesDe(games, 'gewerteten Spiel', 'gewerteten Spielen')}.`,
  },

  profile: {
    recent: 'Letzte Spiele', all: 'Alle Spiele', noGames: 'Kein beendetes Spiel, das du sehen darfst.',
    figures: 'Statistik', people: 'Gegen Personen', bots: 'Mit Bots', ruleSet: 'Regeln', allRuleSets: 'Alle Regeln',
    noFigures: 'Noch kein beendetes Spiel.', ratings: 'Wertungen', noRatings: 'Noch kein gewertetes Spiel.',
    rating: (games) => countGamesDe(games, 'gewertetes Spiel', 'gewertete Spiele'), provisional: 'vorläufig',
    versus: ({ all, counted, spread }) => (
      `${tallyDe(all)}. Zu Ende gespielt: ${tallyDe(counted)}, ${spread < 0 ? '−' : '+'}${Math.abs(spread)} Punkte.`),
    noVersus: 'Ihr habt noch nicht gegeneinander gespielt.', series: 'Serien von Revanchen',
    seriesLine: (n, tally) => `Serie ${n}: ${tallyDe(tally)}`,
    failed: 'Dieser Teil lässt sich jetzt nicht zeigen.',
  },
};
