// Rating pools: `rule set/lexicon family/speed`, with `bots/` in front for external bots.

const POOL_OF_BOTS = 'bots';

/** The speeds of games, the fastest first. */
export const SPEEDS = ['ultra_blitz', 'blitz', 'rapid', 'standard', 'correspondence'];

/** @typedef {{ isOfBots: boolean, ruleSet: string, family: string, speed: string }} PoolParts */

/**
 * @param {string} pool
 * @returns {PoolParts | undefined} Nothing if this is no pool.
 */
export function poolParts(pool) {
  const parts = pool.split('/');
  const isOfBots = parts.length === 4 && parts[0] === POOL_OF_BOTS;
  const [ruleSet, family, speed, ...more] = isOfBots ? parts.slice(1) : parts;
  if (!ruleSet || !family || !SPEEDS.includes(speed) || more.length > 0) return undefined;
  return { isOfBots, ruleSet, family, speed };
}

/** @param {PoolParts} parts */
export function poolOf({ isOfBots, ruleSet, family, speed }) {
  return [...(isOfBots ? [POOL_OF_BOTS] : []), ruleSet, family, speed].join('/');
}

/**
 * The family of a lexicon: its name without the edition at the end.
 *
 * @param {string} lexicon
 */
export function lexiconFamily(lexicon) {
  return lexicon.replace(/[\d-]+$/, '') || lexicon;
}
