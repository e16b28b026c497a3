// The texts about finished games that come with their records, in English. The same keys as record-de.js.

import { rich } from './rich.js';

/** @typedef {import('./game-en.js').Who} Who */

/** The texts about finished games, in English. */
export const recordEn = {
  /** Which rule made the winner, where the final scores do not say it. */
  decisions: {
    before: (/** @type {number} */ tie, /** @type {number[]} */ before) => (
      `Tie at ${tie}, decided by the scores before the racks were counted: ${before.join(' to ')}.`),
    tied: 'Tie, also before the racks were counted.', equal: 'The final scores are equal.',
    share: 'The larger share of the own target decided.',
    last: 'The last player in the game wins, whatever the scores.',
  },
  rating: (/** @type {string} */ change) => `Your rating: ${change}.`,
  bagFaults: /** @type {Record<string, string>} */ ({
    incomplete: 'the record is not complete',
    no_secret: 'the secret is missing',
    commitment: 'the secret is not the announced one',
    nonce: 'a nonce is not the announced one',
    board: 'the board differs',
    order: 'the draw for first play differs',
    bag: 'the order of the bag differs',
    draw: 'drawn tiles differ',
    exchange: 'exchanged tiles differ',
    rack: 'a rack at the end differs',
  }),
  rematches: {
    playAgain: 'Play again',
    offer: 'Rematch',
    wanted: (/** @type {Who} */ who) => rich`${who} wants a rematch.`,
    waiting: (/** @type {string} */ names) => `You want a rematch. Waiting for ${names}.`,
    expired: 'Nobody answered the offer of a rematch in time.',
    over: (/** @type {Who} */ who, /** @type {string} */ why) =>
      why === 'withdrawn' ? rich`${who} took the offer of a rematch back.` : rich`${who} declined the rematch.`,
    agree: 'Accept',
    decline: 'Decline',
    takeBack: 'Take the offer back',
    watch: 'Watch the rematch',
    series: (/** @type {number} */ n, /** @type {string[]} */ scores) => `After ${n} games: ${scores.join(', ')}`,
  },
};
