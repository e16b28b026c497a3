// The texts about setting up a game, in German. The same keys as setup-en.js.

import { durationText } from './units.js';

const deTime = (/** @type {number} */ ms) => durationText('de', ms);

/**
 * The texts of the setup, in German.
 *
 * @type {typeof import('./setup-en.js').setupEn}
 */
export const setupDe = {
  title: 'Neue Partie', rules: 'Regeln', allRules: 'Weitere Regeln', moreRules: 'Weitere …', time: 'Bedenkzeit pro Spieler', players: 'Spieler',
  lexicon: 'Wörterbuch', find: 'Partie finden', invite: 'Per Link einladen', more: 'Mehr Optionen',
  about: 'Über diese Regeln', custom: 'Deine Optionen', reset: 'Zurücksetzen',
  presets: {
    blitz: ['3 + 2', 'Blitz'], rapid: ['10 + 5', 'schnell'], standard: ['25', 'klassisch'], long: ['45', 'lang'],
    days: (days) => [days === 1 ? '1 Tag' : `${days} Tage`, 'pro Zug'], none: ['∞', 'ohne Uhr'],
  },
  presetHint: {
    blitz: '3 Minuten + 2 Sekunden pro Zug', rapid: '10 Minuten + 5 Sekunden pro Zug',
    standard: '25 Minuten', long: '45 Minuten', none: 'ohne Uhr',
  },

  clock: (c) => {
    if (c.kind === 'untimed') return 'ohne Uhr';
    if (c.kind === 'per_move') return `${deTime(c.limit_ms)} pro Zug`;
    const time = deTime(c.initial_ms);
    if (c.kind === 'increment') return c.increment_ms ? `${time} + ${deTime(c.increment_ms)}` : time;
    if (c.kind === 'delay') return `${time}, ${deTime(c.delay_ms)} Aufschub`;
    return c.kind === 'sudden_death' ? `${time}, dann verloren` : time;
  },
  challenge: (c) => ({
    void: 'Wörter geprüft', single: 'Anzweifeln ohne Strafe', double: 'Anzweifeln kostet einen Zug',
    triple: 'Anzweifeln kostet die Partie',
    five_point: c.per_word ? 'Anzweifeln kostet 5 Punkte pro Wort' : 'Anzweifeln kostet 5 Punkte',
    ten_point: c.per_word ? 'Anzweifeln kostet 10 Punkte pro Wort' : 'Anzweifeln kostet 10 Punkte',
  }[/** @type {string} */ (c.kind)] ?? c.kind),
  rated: 'gewertet', casual: 'ungewertet',
  spectators: (delay) => `${delay} Verzögerung für Zuschauer`,
  hints: (n) => (n === 1 ? '1 Tipp' : `${n} Tipps`),
  spectatorsRacks: (delay) => `Zuschauer sehen die Steine, ${delay} Verzögerung`,
};
