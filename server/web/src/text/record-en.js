// The texts about finished games that come with their records, in English. The same keys as record-de.js.

import { rich } from './rich.js';

/** @typedef {import('./game-en.js').Who} Who */

/** The texts about finished games, in English. */
export const recordEn = {
  /** Which rule made the winner, where the final scores do not say it. */
  decisions: {
    before: (/** @type {number} */ tie, /** @type {number[]} */ before) => (
      `Tie at ${tie}, decided by the scores before the rack adjustment: ${before.join('–')}.`),
    tied: 'Tie, even before the rack adjustment.', equal: 'The final scores are equal.',
    share: 'Decided by who got closer to their target.',
    last: 'Last player remaining wins.',
  },
  rating: (/** @type {string} */ change) => `Your rating: ${change}.`,
  bagFaults: /** @type {Record<string, string>} */ ({
    incomplete: 'the record is incomplete',
    no_secret: 'the secret is missing',
    commitment: 'the secret does not match the one announced',
    nonce: 'a nonce does not match the one announced',
    board: 'the board does not match',
    order: 'the draw for the first turn does not match',
    bag: 'the order of the bag does not match',
    draw: 'drawn tiles do not match',
    exchange: 'exchanged tiles do not match',
    rack: 'a final rack does not match',
  }),
  rematches: {
    playAgain: 'Play again',
    offer: 'Rematch',
    wanted: (/** @type {Who} */ who) => rich`${who} wants a rematch.`,
    waiting: (/** @type {string} */ names) => `You want a rematch. Waiting for ${names}.`,
    expired: 'The rematch offer expired.',
    over: (/** @type {Who} */ who, /** @type {string} */ why) =>
      why === 'withdrawn' ? rich`${who} withdrew the rematch offer.` : rich`${who} declined the rematch.`,
    agree: 'Accept',
    decline: 'Decline',
    takeBack: 'Withdraw the offer',
    watch: 'Watch the rematch',
    series: (/** @type {number} */ n, /** @type {string[]} */ scores) => `After ${n} games: ${scores.join(', ')}`,
  },
};
