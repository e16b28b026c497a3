// The texts about what players ask of each other in a game, in English. The same keys as manners-de.js.

import { lobbyEn } from './lobby-en.js';
import { rich } from './rich.js';

/** @typedef {import('./rich.js').Part} Part */
/** @typedef {import('./game-en.js').Who} Who */

/**
 * @param {Who} who
 * @param {string} you
 * @param {string} other
 */
function mannersForm(who, you, other) {
  return who.you ? you : other;
}

/** @param {Date | number} at */
function mannersDate(at) {
  return new Date(at).toLocaleString('en', { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' });
}

/** The texts about questions between players, in English. */
export const mannersEn = {
  /** Events in words, by the kind of the event. */
  news: /** @type {Record<string, (who: Who, event?: any, target?: Who) => Part[]>} */ ({
    abort_requested: (who) => rich`${who} ${mannersForm(who, 'ask', 'asks')} to abort the game`,
    abort_declined: (who, { reason }) => {
      if (reason === 'refused') return [who.you ? 'Your opponent wants to play on' : 'The game continues'];
      if (reason !== 'expired') return ['The game continues'];
      return who.you ? ['Your opponent didn’t answer'] : rich`${who} got no answer`;
    },
    nudged: (who, _, target = who) =>
      rich`${who} ${mannersForm(who, 'ask', 'asks')} whether ${target} ${mannersForm(target, 'are', 'is')} still there`,
    nudge_answered: (who) => rich`${who} ${mannersForm(who, 'are', 'is')} still there`,
    adjourn_requested: (who) => rich`${who} ${mannersForm(who, 'ask', 'asks')} to adjourn the game`,
    adjourn_agreed: (who) => rich`${who} ${mannersForm(who, 'agree', 'agrees')} to adjourn the game`,
    adjourn_declined: (who, { reason }) => {
      if (reason !== 'expired') return ['The game continues'];
      return who.you ? ['Your opponent didn’t answer'] : rich`${who} got no answer`;
    },
    adjourned: () => ['The game is adjourned'],
    ready_to_resume: (who) => rich`${who} ${mannersForm(who, 'are', 'is')} ready to resume`,
    not_ready_to_resume: (who) => rich`${who} disconnected`,
    resumed: () => ['The game has resumed'],
    paused: () => ['An operator has paused the game'],
    time_given: (who, { seat, target: to, time_ms: timeMs }, target = who) => (seat === to
      ? rich`${target} got ${lobbyEn.duration(timeMs)} from an operator`
      : rich`${who} gave ${target} ${lobbyEn.duration(timeMs)}`),
    hint_used: (who) => rich`${who} used a hint`,
    time_refused: (who) => rich`${who} ${mannersForm(who, 'don’t', 'doesn’t')} accept extra time`,
    vacation: (who, { at, until }) => (until > at
      ? rich`${who} ${mannersForm(who, 'are', 'is')} on vacation until ${mannersDate(until)}`
      : rich`${who} ${mannersForm(who, 'are', 'is')} back from vacation`),
  }),
  adjourn: 'Adjourn (continue another day)',
  adjournWhy: 'all clocks stop',
  adjournYes: 'Adjourn',
  adjournNo: 'Play on',
  asleep: (/** @type {Date} */ until) => `Adjourned – resume by ${mannersDate(until)}`,
  sleepOver: 'The time to resume is over: a player who is ready can claim the win',
  waitsFor: (/** @type {string} */ names) => `waiting for ${names}`,
  resume: 'I’m ready',
  abortWhy: 'no result',
  abortYes: 'Abort',
  abortNo: 'Play on',
  here: 'I’m here',
  hereWhy: 'otherwise your opponent can claim the win',
  ask: (/** @type {string} */ name) => `Nudge ${name}`,
  give: (/** @type {string} */ name, /** @type {number | undefined} */ seconds) =>
    seconds === undefined ? `Give ${name} one move’s extra time` : `Give ${name} ${seconds} seconds`,
  refuse: 'Don’t accept extra time in this game',
  /** Hints in the own turn. */
  hint: {
    ask: (/** @type {number} */ left) => `Show me a play (${left})`,
    left: (/** @type {number} */ left) => (left === 1 ? '1 hint left' : `${left} hints left`),
    finding: 'Looking for a play…',
    play: (/** @type {string} */ word, /** @type {string} */ at, /** @type {number} */ points) =>
      rich`Try ${{ word }} at ${at} for ${String(points)} points`,
    exchange: (/** @type {string} */ tiles) => [`Try exchanging ${tiles}`],
    pass: 'There is no good play: pass',
    lay: 'Place the tiles',
  },
  tooEarly: (/** @type {string} */ time) => `You can nudge in ${time} if your opponent hasn’t moved.`,
};
