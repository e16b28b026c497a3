// The texts around the games, in German: bar, lobby, offers. The same keys as lobby-en.js.

import { durationText, listText, momentText } from './units.js';
import { setupDe } from './setup-de.js';

/**
 * A number of things.
 *
 * @param {number} count
 * @param {string} one
 * @param {string} many
 */
export const countDe = (count, one, many) => `${count.toLocaleString('de')} ${count === 1 ? one : many}`;

/**
 * The texts of the lobby and of what is around the pages, in German.
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
    leaders: 'Ranglisten', finished: 'Archiv', menu: 'Menü', sound: 'Ton', soundOn: 'Ton ist an',
    soundOff: 'Ton ist aus',
    rename: 'Namen ändern', connected: 'verbunden', notConnected: 'getrennt', lag: (ms) => `${ms} ms`,
    skip: 'Zum Inhalt', cancel: 'Abbrechen', dismiss: 'Schließen', register: 'Registrieren', logIn: 'Anmelden',
    openReports: (count) => (count === 1 ? '1 offene Meldung' : `${count} offene Meldungen`),
    logOut: 'Abmelden', account: 'Konto', friends: 'Freunde', moderation: 'Moderation', backToGame: 'Zurück zur Partie',
  },
  name: {
    title: 'Dein Name', label: 'Name', save: 'Speichern',
    hint: 'Andere sehen ihn in Angeboten und Partien. Partien, die schon laufen, behalten den alten Namen.',
    changed: (name) => `Du heißt jetzt ${name}.`,
  },
  toast: {
    yourTurn: (names) => (names ? `Du bist am Zug gegen ${names}` : 'Du bist in einer anderen Partie am Zug'),
    rating: (change) => `Deine Wertung: ${change}`,
    begun: 'Eine weitere deiner Partien hat begonnen.', open: 'Öffnen',
  },
  notice: (text) => text.slice(0, 500),

  yourGames: 'Deine Partien', allFinished: 'Archiv', openOffers: 'Offene Angebote',
  houseBots: 'Computergegner', always: 'immer verfügbar', liveNow: 'Jetzt live', liveGames: 'Laufende Partien',
  loading: 'Lädt …',
  here: (games, people) => `${countDe(games, 'Partie', 'Partien')}, ${people.toLocaleString('de')} Spieler online`,
  noOffers: 'Gerade wartet niemand auf eine Partie.',
  noLive: 'Gerade läuft keine öffentliche Partie.',
  score: (scores) => scores.join(':'),
  turnsWaiting: (games) => (games === 1 ? 'Du bist am Zug' : `Am Zug in ${games} Partien`),
  yourTurn: 'Du bist am Zug', turnOf: (name) => `${name} ist am Zug`,
  left: (time) => `noch ${time}`,
  adjourned: (ready) => (ready.length ? `Vertagt (bereit: ${listText('de', ready)})` : 'Vertagt'),
  resumeBy: (at) => `fortsetzen bis ${momentText('de', at)}`,
  phase: { waiting: 'Wartet auf Spieler', final: 'Letzter Zug', ended: 'Beendet' },
  you: 'du', bot: 'Bot', play: 'Spielen', join: 'Beitreten', withdraw: 'Zurückziehen', leave: 'Verlassen',
  showLink: 'Link', start: 'Jetzt beginnen', showMore: 'Mehr zeigen',
  watching: (count) => `${count} sehen zu`,
  waiting: 'Warten auf einen Gegner …',
  waitingMore: (n) => (n === 1 ? 'Warten auf noch einen Spieler …' : `Warten auf noch ${n} Spieler …`),
  ratedOnly: 'Gewertet – nur für Registrierte.',
  linkIsCasual: 'Diese Partie ist ungewertet: Partien mit Link sind privat.',
  privateOffer: 'privat', seatsTaken: (taken, seats) => `${taken} von ${seats} Plätzen`,
  joinNamed: (name) => `Bei ${name} beitreten`, playNamed: (name) => `Gegen ${name} spielen`,
  bots: {
    beginner: ['Anfänger', 'legt kurze Wörter'], casual: ['Hobby', 'kennt die üblichen Wörter'],
    improver: ['Aufsteiger', 'übersieht vieles'], club: ['Klub', 'spielt solide'],
    expert: ['Experte', 'kennt jedes Wort'], master: ['Meister', 'denkt voraus'],
  },
  code: { title: 'Mit Code beitreten', label: 'Code einer privaten Partie', hint: 'Code', enter: 'Beitreten' },

  welcome: {
    title: 'Wörter legen – live, gegen alle.', text: 'Ohne Konto, ohne Installation.', bot: 'Gegen einen Bot spielen',
    live: 'Jetzt live', example: 'Beispielstellung', watchIt: 'Bei dieser Partie zusehen',
  },

  shortRuleSets: { classic: 'Klassisch', wordfeud: 'Wordfeud', 'words-with-friends': 'Words WF', super: 'Super' },
  ruleSets: {
    classic: 'Klassisch', 'classic-nine': 'Klassisch, neun Steine', 'classic-finish-line': 'Klassisch, Ziellinie',
    tournament: 'Turnier', 'wordfeud-random': 'Wordfeud, Zufallsbrett', 'email-challenge': 'Fernpartie mit Anzweifeln',
    'email-validated': 'Fernpartie, Wörter geprüft',
  },
  clockUnits: { day: 'T', hour: 'Std.' },
};
