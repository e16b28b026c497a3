// The texts of finished games, leaderboards and the figures of a player, in German. The same keys as archive-en.js.

import { mediumDateText, timeText } from './dates.js';

/** @param {number} n @param {string} one @param {string} many */
const countGamesDe = (n, one, many) => `${n.toLocaleString('de')} ${n === 1 ? one : many}`;
/** @param {import('./archive-en.js').Tally} tally */
const tallyDe = ({ won, lost, shared }) => (
  `${won} gewonnen, ${lost} verloren${shared > 0 ? `, ${shared} unentschieden` : ''}`);

/**
 * The texts of finished games, leaderboards and the figures of a player, in German.
 *
 * @type {typeof import('./archive-en.js').archiveEn}
 */
export const archiveDe = {
  time: (at) => timeText('de', at), day: (at) => mediumDateText('de', at),
  speeds: {
    ultra_blitz: 'Ultrablitz', blitz: 'Blitz', rapid: 'Schnell', standard: 'Klassisch', correspondence: 'Fernpartie',
  },
  untimed: 'ohne Uhr', bots: 'Bots',
  results: { won: 'Gewonnen', lost: 'Verloren', shared: 'Unentschieden', none: 'Kein Ergebnis' },
  reasons: {
    out_play: 'alle Steine ausgespielt', scoreless_turns: 'Züge ohne Punkte', passes: 'gepasst',
    turn_cap: 'Grenze der Züge ohne Punkte', target: 'Ziel erreicht', all_played: 'niemand konnte legen',
    uncatchable: 'Vorsprung uneinholbar', resignation: 'Aufgabe', time: 'Zeit überschritten',
    abandonment: 'verlassen', triple_challenge: 'Anzweifeln entschied', aborted: 'abgebrochen',
    cancelled: 'abgesagt', adjudicated: 'vom Betreiber entschieden',
  },
  place: (rank) => `Platz ${rank}`, rated: 'Gewertet', casual: 'Ungewertet', privateGame: 'privat',

  games: {
    title: 'Meine beendeten Partien', of: (name) => `Beendete Partien von ${name}`,
    everybody: 'Alle beendeten Partien', older: 'Ältere Partien', none: 'Keine Partie passt zu diesem Filter.', noneYet: 'Du hast noch keine Partie beendet.',
    count: (n, isAll) => `${countGamesDe(n, 'Partie', 'Partien')}${isAll ? '' : ' gezeigt'}`,
    export: 'Deine Partien herunterladen', exporting: 'Wird heruntergeladen …',
    exportHint: 'Eine ZIP-Datei mit den Ergebnissen und Aufzeichnungen deiner beendeten Partien.',
    exported: (files) => (
      files === 1 ? 'Deine Partien sind heruntergeladen.' : `Deine Partien sind heruntergeladen, in ${files} Dateien.`),
    exportFailed: 'Das Herunterladen brach ab. Bitte versuch es noch einmal.',
  },
  filter: {
    title: 'Filter', whose: 'Partien von', mine: 'mir', player: 'einem Spieler', everybody: 'allen', handle: 'Spieler',
    opponent: 'Gegner', ruleSet: 'Regeln', lexicon: 'Wörterbuch', pool: 'Wertungsklasse', rated: 'Gewertet',
    result: 'Ergebnis', reason: 'Ende', from: 'Von', until: 'Bis', scoreMin: 'Punkte von',
    scoreMax: 'Punkte bis', any: 'egal', yes: 'gewertet', no: 'ungewertet', show: 'Zeigen',
    clear: 'Filter löschen',
  },

  leaders: {
    title: 'Ranglisten', ruleSet: 'Regeln', lexicon: 'Wörter', speed: 'Tempo', league: 'Spieler', people: 'Menschen',
    bots: 'Bots', board: 'Rangliste',
    boards: { rating: 'Wertung', week: '7 Tage', month: '30 Tage', all: 'Gesamt' },
    place: 'Platz', player: 'Spieler', rating: 'Wertung', games: 'Partien', average: 'Schnitt',
    weighted: 'Gewichtet', turns: 'Züge', you: 'du', nobody: 'Noch ist niemand auf dieser Rangliste.',
    nameless: 'gelöschter Spieler',
    ratingNote: 'Auf der Rangliste: mindestens 20 gewertete Partien, eine davon in den letzten 30 Tagen, und eine '
      + 'Abweichung von höchstens 80.',
    averageNote: (mean) => (
      'Punkte pro Zug bei mindestens 5 gezählten Partien in dieser Zeit. Es zählt der gewichtete Schnitt: Für jeden Spieler '
      + `kommen 50 Züge mit dem Gesamtschnitt (${mean}) hinzu.`),
    find: 'Spieler suchen', found: (n) => (
      n === 0 ? 'Kein Spieler gefunden.' : `${n} gefunden`),
    own: (rating, games) => `Du: ${rating}, nach ${countGamesDe(games, 'gewerteten Partie', 'gewerteten Partien')}.`,
  },

  profile: {
    recent: 'Letzte Partien', all: 'Alle Partien', noGames: 'Keine beendeten Partien.',
    figures: 'Statistik', people: 'Gegen Menschen', bots: 'Mit Bots', ruleSet: 'Regeln', allRuleSets: 'Alle Regeln',
    noFigures: 'Noch keine beendeten Partien.', ratings: 'Wertungen', noRatings: 'Noch keine gewerteten Partien.',
    rating: (games) => countGamesDe(games, 'gewertete Partie', 'gewertete Partien'), provisional: 'vorläufig',
    versus: ({ all, counted, spread }) => (
      `${tallyDe(all)}. Zu Ende gespielt: ${tallyDe(counted)}, ${spread < 0 ? '−' : '+'}${Math.abs(spread)} Punkte.`),
    noVersus: 'Ihr habt noch nicht gegeneinander gespielt.', series: 'Revanche-Serien',
    seriesLine: (n, tally) => `Serie ${n}: ${tallyDe(tally)}`,
    failed: 'Das lässt sich gerade nicht anzeigen.',
  },
};
