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
    leaders: 'Ranglisten', finished: 'Beendete Spiele', menu: 'Menü', sound: 'Ton', soundOn: 'Ton ist an',
    soundOff: 'Ton ist aus',
    rename: 'Namen ändern', connected: 'verbunden', notConnected: 'nicht verbunden', lag: (ms) => `${ms} ms`,
    skip: 'Zum Inhalt', cancel: 'Abbrechen', dismiss: 'Schließen', register: 'Registrieren', logIn: 'Anmelden',
    logOut: 'Abmelden', account: 'Konto', friends: 'Freunde',
  },
  name: {
    title: 'Dein Name', label: 'Name', save: 'Speichern',
    hint: 'Andere sehen ihn in Angeboten und Spielen. Spiele, die schon laufen, behalten den alten Namen.',
    changed: (name) => `Du heißt jetzt ${name}.`,
  },
  toast: {
    yourTurn: (names) => (names ? `Du bist am Zug gegen ${names}` : 'Du bist in einem anderen Spiel am Zug'),
    rating: (change) => `Deine Wertung: ${change}`,
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
  ratedOnly: 'Gewertet: nur für Registrierte.',
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

  shortRuleSets: { classic: 'Classic', wordfeud: 'Wordfeud', 'words-with-friends': 'Words', super: 'Super' },
  ruleSets: {
    classic: 'Klassisch', 'classic-nine': 'Klassisch, neun Steine', 'classic-finish-line': 'Klassisch, Ziellinie',
    tournament: 'Turnier', 'wordfeud-random': 'Wordfeud, Zufallsbrett', 'email-challenge': 'Fernpartie mit Anzweifeln',
    'email-validated': 'Fernpartie, Wörter geprüft',
  },
  clockUnits: { day: 'T', hour: 'Std.' },
};
