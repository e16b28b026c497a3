// The filters of finished games in an address, and what a result says from the side of one player.

/** The filters by their names in the HTTP API. Those about a seat need a player. */
export const ARCHIVE_FILTERS = [
  'player', 'opponent', 'rule_set', 'lexicon', 'pool', 'rated', 'reason', 'result', 'from', 'until', 'score_min',
  'score_max',
];
const SEAT_FILTERS = new Set(['opponent', 'result', 'score_min', 'score_max']);
/** The player of the token. */
const ARCHIVE_ME = 'me';

/** @typedef {Record<string, string>} Filters `from` and `until` are days; without `player`, all players. */
/** @typedef {Record<string, any>} GameResult A result as the HTTP API has it. */

/**
 * The filters in the fragment of an address; the own games without one.
 *
 * @param {string} fragment
 * @returns {Filters}
 */
export function filtersOf(fragment) {
  const parts = new URLSearchParams(fragment);
  const player = parts.get('player') ?? ARCHIVE_ME;
  const given = ARCHIVE_FILTERS.map((name) => [name, name === 'player' ? player : (parts.get(name) ?? '').trim()]);
  const isMeant = (/** @type {string} */ name) => player !== '' || !SEAT_FILTERS.has(name);
  return Object.fromEntries(given.filter(([name, value]) => value !== '' && isMeant(name)));
}

/**
 * The fragment of these filters; empty for all own games.
 *
 * @param {Filters} filters
 */
export function fragmentOf(filters) {
  const { player = '', ...others } = filters;
  const parts = new URLSearchParams(player === ARCHIVE_ME ? others : { player, ...others });
  return parts.toString();
}

/**
 * The query of a request for the archive.
 *
 * @param {Filters} filters
 * @param {number} limit
 * @param {string} [before] `next` of the page before.
 */
export function archiveQuery({ from, until, ...filters }, limit, before) {
  const parts = new URLSearchParams(filters);
  const [first, end] = [startOfDay(from), startOfDay(until, 1)];
  if (first !== undefined) parts.set('from', String(first));
  if (end !== undefined) parts.set('until', String(end));
  parts.set('limit', String(limit));
  if (before !== undefined) parts.set('before', before);
  return `/archive?${parts}`;
}

/**
 * When a day begins where the player is, unix ms.
 *
 * @param {string | undefined} day As in 2026-03-31.
 * @param {number} later Days later.
 */
function startOfDay(day, later = 0) {
  const [year, month, date] = (day ?? '').split('-').map(Number);
  const at = new Date(year, month - 1, date + later).getTime();
  return Number.isNaN(at) ? undefined : at;
}

/**
 * The seat whose side the result is told from.
 *
 * @param {GameResult} game
 * @param {string} player The filter.
 * @param {string | undefined} identity The own one.
 */
export function seatOfPlayer({ seats }, player, identity) {
  const isIt = (/** @type {any} */ seat) => (player === ARCHIVE_ME ? seat.identity === identity
    : seat.identity === player || seat.name.toLowerCase() === player.toLowerCase());
  return player === '' ? undefined : seats.find(isIt);
}

/**
 * @param {GameResult} game
 * @param {Record<string, any>} seat
 * @returns {'won' | 'lost' | 'shared' | 'none'}
 */
export function outcomeOf({ seats }, { rank }) {
  if (rank === 0) return 'none';
  if (rank > 1) return 'lost';
  return seats.filter((/** @type {any} */ other) => other.rank === 1).length > 1 ? 'shared' : 'won';
}
