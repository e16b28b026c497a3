// The texts about setting up a game, in English. The same keys as setup-de.js.

import { durationText } from './units.js';

const enTime = (/** @type {number} */ ms) => durationText('en', ms);

/** The texts of the setup, in English. */
export const setupEn = {
  title: 'New game', rules: 'Rules', allRules: 'Other rules', moreRules: 'More …', time: 'Time per player', players: 'Players',
  lexicon: 'Lexicon', find: 'Find a game', invite: 'Invite by link', more: 'More options',
  about: 'About these rules', custom: 'Your options', reset: 'Reset',
  presets: {
    blitz: ['3 + 2', 'blitz'], rapid: ['10 + 5', 'rapid'], standard: ['25', 'classical'], long: ['45', 'long'],
    days: (/** @type {number} */ days) => [days === 1 ? '1 day' : `${days} days`, 'per turn'], none: ['∞', 'untimed'],
  },
  presetHint: {
    blitz: '3 minutes + 2 seconds per turn', rapid: '10 minutes + 5 seconds per turn',
    standard: '25 minutes', long: '45 minutes', none: 'untimed',
  },

  /** A clock in a few words, as in a list of offers. */
  clock: (/** @type {Record<string, any>} */ c) => {
    if (c.kind === 'untimed') return 'untimed';
    if (c.kind === 'per_move') return `${enTime(c.limit_ms)} per turn`;
    const time = enTime(c.initial_ms);
    if (c.kind === 'increment') return c.increment_ms ? `${time} + ${enTime(c.increment_ms)}` : time;
    if (c.kind === 'delay') return `${time}, ${enTime(c.delay_ms)} delay`;
    return c.kind === 'sudden_death' ? `${time}, sudden death` : time;
  },
  /** A challenge rule in a few words. */
  challenge: (/** @type {Record<string, any>} */ c) => ({
    void: 'words checked', single: 'single challenge (no penalty)', double: 'double challenge', triple: 'triple challenge',
    five_point: c.per_word ? '5 points per word' : '5-point challenge',
    ten_point: c.per_word ? '10 points per word' : '10-point challenge',
  }[/** @type {string} */ (c.kind)] ?? c.kind),
  rated: 'rated', casual: 'casual',
  spectators: (/** @type {string} */ delay) => `${delay} spectator delay`,
  hints: (/** @type {number} */ n) => (n === 1 ? '1 hint' : `${n} hints`),
  spectatorsRacks: (/** @type {string} */ delay) => `spectators see racks, ${delay} delay`,
};
