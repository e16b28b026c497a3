// Offers of the server as the lists show them.

import { ratingText } from '../view/ratings.js';
import { words } from '../text/words.js';

/**
 * A note that another script adds to an offer: the players that it admits, at a time of the server.
 *
 * @type {{ of?: (seek: Record<string, any>) => string, now?: () => number }}
 */
export const notes = {};

/**
 * The options of a game in a few words, as in "25 min, double challenge".
 *
 * @param {Record<string, any>} options
 * @returns {string}
 */
export function optionsText({ clock, challenge, spectators, rated, hints }) {
  const { setup, duration } = words().lobby;
  const parts = [setup.clock(clock), setup.challenge(challenge)];
  if (spectators) {
    const say = spectators.racks ? setup.spectatorsRacks : setup.spectators;
    parts.push(say(duration(spectators.delay_ms)));
  }
  if (rated) parts.push(setup.rated);
  if (hints) parts.push(setup.hints(hints));
  return parts.join(', ');
}

/**
 * @param {Record<string, any>} seek As on the wire.
 * @param {{
 *   identity: string | undefined, ruleSetName: (id: string) => string, isBusy: boolean, isRegistered: boolean,
 * }} more
 * @returns {import('../view/offers.js').Offer}
 */
export function offerOf(seek, { identity, ruleSetName, isBusy, isRegistered }) {
  const { members, options, owner } = seek;
  return {
    seek: seek.seek,
    owner: members.find((/** @type {any} */ member) => member.identity === owner)?.name ?? members[0]?.name ?? '',
    names: members.map((/** @type {any} */ { name, rating }) => (rating ? `${name} (${ratingText(rating)})` : name)),
    members,
    taken: members.length,
    seats: options.seats,
    ruleSet: ruleSetName(options.rule_set),
    about: optionsText(options) + (notes.of?.(seek) ?? ''),
    isMember: members.some((/** @type {any} */ member) => member.identity === identity),
    isOwner: owner === identity,
    isPrivate: seek.private === true,
    isOff: options.rated === true && !isRegistered,
    isBusy,
  };
}
