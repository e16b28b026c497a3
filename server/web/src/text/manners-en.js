// The texts about what players ask of each other in a game, in English. The same keys as manners-de.js.

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

/** The texts about questions between players, in English. */
export const mannersEn = {
  /** What has happened, by the kind of the event. */
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
  }),
  abortWhy: 'without a result',
  abortYes: 'Call it off',
  abortNo: 'Play on',
  here: 'I am here',
  hereWhy: 'or the game can be claimed',
  ask: (/** @type {string} */ name) => `Ask whether ${name} is still there`,
  tooEarly: (/** @type {string} */ time) => `You can ask in ${time}, if nothing happens until then.`,
};
