// Offers to play: a row for each of others, and a line for each own one that waits.

import { el, setAttribute, setText } from './dom.js';
import { initialOf } from './bar.js';
import { words } from '../text/words.js';

/**
 * An offer as the lists show it. `isOff`: only registered players can join, and this one is a guest. `members`: as on the
 * wire; the element of the names carries them, for the script that shows what can be done about a player.
 *
 * @typedef {{
 *   seek: string, owner: string, names: string[], members: Protocol.Person[], taken: number, seats: number, ruleSet: string, about: string,
 *   isMember: boolean, isOwner: boolean, isPrivate: boolean, isBusy: boolean, isOff: boolean,
 * }} Offer
 * @typedef {{
 *   join(seek: string): void, leave(seek: string): void, begin(seek: string): void, link(seek: string): void,
 * }} OfferActs
 */

/**
 * A row of the open offers.
 *
 * @param {OfferActs} acts
 * @returns {(offer: Offer) => import('./keyed.js').Entry<Offer>}
 */
export function offerRow(acts) {
  return ({ seek }) => {
    const { lobby } = words();
    const face = el('span', { class: 'face', 'aria-hidden': 'true' });
    const name = el('bdi', { class: 'name' });
    const rules = el('span', { class: 'what cut' });
    const about = el('span', { class: 'what cut' });
    const button = offerButton(lobby.join, () => acts.join(seek));
    const register = el('a', { class: 'btn small', href: '/register', text: lobby.bar.register });
    const node = el('li', {}, face, name, el('span', { class: 'whats' }, rules, about), button, register);
    return {
      node,
      update(offer) {
        setAttribute(button, 'hidden', offer.isOff);
        setAttribute(register, 'hidden', !offer.isOff);
        setText(face, initialOf(offer.owner));
        setText(name, offer.names.join(', '));
        /** @type {any} */ (name).members = offer.members;
        const isTable = offer.seats > 2;
        setText(rules, isTable ? `${offer.ruleSet}, ${lobby.seatsTaken(offer.taken, offer.seats)}` : offer.ruleSet);
        const text = offer.isOff ? lobby.ratedOnly : offer.about;
        setText(about, text);
        setAttribute(about, 'title', `${offer.about} ${offer.isOff ? text : ''}`);
        setAttribute(button, 'aria-label', lobby.joinNamed(offer.owner));
        setAttribute(button, 'disabled', offer.isBusy);
      },
    };
  };
}

/**
 * A line about an offer that the player has joined.
 *
 * @param {OfferActs} acts
 * @returns {(offer: Offer) => import('./keyed.js').Entry<Offer>}
 */
export function waitingLine(acts) {
  return ({ seek, isOwner, isPrivate }) => {
    const { lobby } = words();
    const text = el('b', {});
    const about = el('span', { class: 'cut' });
    const begin = offerButton(lobby.start, () => acts.begin(seek));
    const link = offerButton(lobby.showLink, () => acts.link(seek));
    const leave = offerButton(isOwner ? lobby.withdraw : lobby.leave, () => acts.leave(seek));
    const node = el('li', {}, el('p', { role: 'status' }, text, about), begin, isPrivate && link, leave);
    return {
      node,
      update(offer) {
        const missing = offer.seats - offer.taken;
        setText(text, offer.seats === 2 ? lobby.waiting : lobby.waitingMore(missing));
        setText(about, [offer.ruleSet, offer.about, ...(offer.isPrivate ? [lobby.privateOffer] : [])].join(', '));
        setAttribute(begin, 'hidden', !offer.isOwner || offer.taken < 2);
      },
    };
  };
}

/**
 * @param {string} text
 * @param {() => void} onclick
 */
function offerButton(text, onclick) {
  return el('button', { class: 'btn small', type: 'button', text, onclick });
}
