// The texts about setting up a game, in German. The same keys as setup-en.js.

import { durationText } from './units.js';

const deTime = (/** @type {number} */ ms) => durationText('de', ms);

/**
 * The texts of the setup, in German.
 *
 * @type {typeof import('./setup-en.js').setupEn}
 */
export const setupDe = {
  title: 'Neues Spiel', rules: 'Regeln', allRules: 'Alle Regeln', time: 'Zeit für jede Person', players: 'Personen',
  lexicon: 'Wörterbuch', find: 'Spiel finden', invite: 'Per Link einladen', more: 'Mehr Optionen',
  about: 'Über diese Regeln', custom: 'Deine Optionen', reset: 'Zurücksetzen',
  presets: {
    blitz: ['3 + 2', 'Blitz'], rapid: ['10 + 5', 'schnell'], standard: ['25', 'normal'], long: ['45', 'normal'],
    days: (days) => [days === 1 ? '1 Tag' : `${days} Tage`, 'je Zug'], none: ['Ohne', 'Uhr'],
  },
  presetHint: {
    blitz: '3 Minuten, und 2 Sekunden mehr für jeden Zug', rapid: '10 Minuten, und 5 Sekunden mehr für jeden Zug',
    standard: '25 Minuten', long: '45 Minuten', none: 'ohne Uhr',
  },

  clock: (c) => {
    if (c.kind === 'untimed') return 'ohne Uhr';
    if (c.kind === 'per_move') return `${deTime(c.limit_ms)} je Zug`;
    const time = deTime(c.initial_ms);
    if (c.kind === 'increment') return c.increment_ms ? `${time} + ${deTime(c.increment_ms)}` : time;
    if (c.kind === 'delay') return `${time}, ${deTime(c.delay_ms)} Aufschub`;
    return c.kind === 'sudden_death' ? `${time}, dann verloren` : time;
  },
  challenge: (c) => ({
    void: 'Wörter geprüft', single: 'freies Anzweifeln', double: 'doppeltes Anzweifeln',
    triple: 'dreifaches Anzweifeln',
    five_point: c.per_word ? '5 Punkte je Wort' : 'Anzweifeln um 5 Punkte',
    ten_point: c.per_word ? '10 Punkte je Wort' : 'Anzweifeln um 10 Punkte',
  }[/** @type {string} */ (c.kind)] ?? c.kind),
  rated: 'gewertet',
  spectators: (delay) => `Zuschauer sehen es ${delay} später`,
  spectatorsRacks: (delay) => `Zuschauer sehen die Steine, ${delay} später`,
};
