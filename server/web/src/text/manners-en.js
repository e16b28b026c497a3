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
  return new Date(at).toLocaleString('en', { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' });
}

/** The texts about questions between players, in English. */
export const mannersEn = {
  /** Events in words, by the kind of the event. */
  news: /** @type {Record<string, (who: Who, event?: any, target?: Who) => Part[]>} */ ({
    abort_requested: (who) => rich`${who} ${mannersForm(who, 'ask', 'asks')} to call the game off`,
    abort_declined: (who, { reason }) => {
      if (reason === 'refused') return [who.you ? 'Your opponent plays on' : 'The game goes on'];
      if (reason !== 'expired') return ['The game goes on'];
      return who.you ? ['Your opponent has not answered'] : rich`${who} got no answer`;
    },
    nudged: (who, _, target = who) =>
      rich`${who} ${mannersForm(who, 'ask', 'asks')} whether ${target} ${mannersForm(target, 'are', 'is')} still there`,
    nudge_answered: (who) => rich`${who} ${mannersForm(who, 'are', 'is')} still there`,
    adjourn_requested: (who) => rich`${who} ${mannersForm(who, 'ask', 'asks')} to adjourn the game`,
    adjourn_agreed: (who) => rich`${who} ${mannersForm(who, 'agree', 'agrees')} to adjourn the game`,
    adjourn_declined: (who, { reason }) => {
      if (reason !== 'expired') return ['The game goes on'];
      return who.you ? ['Your opponent has not answered'] : rich`${who} got no answer`;
    },
    adjourned: () => ['The game is adjourned'],
    ready_to_resume: (who) => rich`${who} ${mannersForm(who, 'are', 'is')} ready to go on`,
    not_ready_to_resume: (who) => rich`${who} lost the connection and ${mannersForm(who, 'are', 'is')} not ready any more`,
    resumed: () => ['The game goes on'],
    paused: () => ['An operator has paused the game'],
    time_given: (who, { seat, target: to, time_ms: timeMs }, target = who) => (seat === to
      ? rich`${target} ${mannersForm(target, 'get', 'gets')} ${lobbyEn.duration(timeMs)} from an operator`
      : rich`${who} ${mannersForm(who, 'give', 'gives')} ${target} ${lobbyEn.duration(timeMs)}`),
    time_refused: (who) => rich`${who} ${mannersForm(who, 'take', 'takes')} no time from others`,
    vacation: (who, { at, until }) => (until > at
      ? rich`${who} ${mannersForm(who, 'are', 'is')} on vacation until ${mannersDate(until)}`
      : rich`${who} ${mannersForm(who, 'are', 'is')} back from vacation`),
  }),
  adjourn: 'Adjourn: go on another day',
  adjournWhy: 'all clocks stop',
  adjournYes: 'Adjourn',
  adjournNo: 'Play on',
  asleep: (/** @type {Date} */ until) => `Adjourned until ${mannersDate(until)}`,
  sleepOver: 'The adjournment is over: a player who is ready can claim',
  waitsFor: (/** @type {string} */ names) => `waiting for ${names}`,
  resume: 'I am ready',
  abortWhy: 'without a result',
  abortYes: 'Call it off',
  abortNo: 'Play on',
  here: 'I am here',
  hereWhy: 'or the game can be claimed',
  ask: (/** @type {string} */ name) => `Ask whether ${name} is still there`,
  give: (/** @type {string} */ name, /** @type {number | undefined} */ seconds) =>
    seconds === undefined ? `Give ${name} the time of a move` : `Give ${name} ${seconds} seconds`,
  refuse: 'Take no time from others in this game',
  tooEarly: (/** @type {string} */ time) => `You can ask in ${time}, if nothing happens until then.`,
};
