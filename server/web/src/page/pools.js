// Pools and results in words.

import { poolParts } from '../model/pools.js';
import { words } from '../text/words.js';

/** @typedef {import('./rulebook.js').Rulebook} Rulebook */

/**
 * A pool, as in "Classic, wordnik, rapid".
 *
 * @param {string} pool
 * @param {Rulebook} rulebook
 */
export function poolText(pool, rulebook) {
  const { speeds, bots } = words().archive;
  const parts = poolParts(pool);
  if (!parts) return pool;
  const { isOfBots, ruleSet, family, speed } = parts;
  return [rulebook.nameOf(ruleSet), family, speeds[speed], ...(isOfBots ? [bots] : [])].join(', ');
}
