// The places of the lobby: where its cards and lists stand.

import { el } from './dom.js';
import { words } from '../text/words.js';

/** @typedef {ReturnType<typeof lobbyLayout>} LobbyLayout */

/**
 * Builds the lobby without its contents.
 *
 * @param {{ newGame: HTMLElement, onCode: (code: string) => void }} parts
 */
export function lobbyLayout({ newGame, onCode }) {
  const { lobby } = words();
  const finished = el('a', { class: 'text-link', href: '/archive', text: lobby.allFinished });
  const own = block('own', lobby.yourGames, finished);
  const ownList = el('div', { class: 'mine' });
  own.node.append(ownList);
  const offers = block('offers', lobby.openOffers);
  const offerList = el('ul', { class: 'card rows-list' });
  const noOffers = el('p', { class: 'card empty muted' });
  offers.node.append(offerList, noOffers);
  const bots = block('bots', lobby.houseBots, el('span', { text: lobby.always }));
  const botList = el('ul', { class: 'card bots' });
  bots.node.append(botList);
  const live = block('live', lobby.liveNow);
  const liveList = el('div', { class: 'live' });
  const noLive = el('p', { class: 'card empty muted' });
  const moreLive = el('a', { class: 'btn', href: '/#watch', text: lobby.showMore });
  live.node.append(liveList, noLive, moreLive);
  const heroPlace = el('div', { class: 'hero-place' });
  const node = el(
    'div', { class: 'page lobby' }, el('h1', { class: 'hide', text: lobby.bar.play }), heroPlace,
    el('div', { class: 'stack' }, newGame, bots.node, codeCard(onCode)),
    el('div', { class: 'stack' }, own.node, offers.node, live.node),
  );
  const lists = { ownList, offerList, botList, liveList };
  return { node, heroPlace, own, offers, noOffers, bots, live, noLive, moreLive, ...lists };
}

/**
 * A section with a heading and, at its right, a number or a link.
 *
 * @param {string} name
 * @param {string} title
 * @param {HTMLElement} [side]
 */
export function block(name, title, side = el('span', {})) {
  const id = `block-${name}`;
  const heading = el('h2', { id, text: title });
  const header = el('header', {}, heading, side);
  return { node: el('section', { class: `block at-${name}`, 'aria-labelledby': id }, header), side };
}

/**
 * Where a code of a private game is entered.
 *
 * @param {(code: string) => void} onCode
 */
export function codeCard(onCode) {
  const { code } = words().lobby;
  const input = /** @type {HTMLInputElement} */ (el('input', {
    class: 'field', maxlength: 40, autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false',
    placeholder: code.hint, 'aria-label': code.label,
  }));
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (input.value.trim()) onCode(input.value.trim());
    else input.focus();
  };
  const { node } = block('code', code.title);
  node.append(el(
    'form', { class: 'with-button', onsubmit: submit }, input, el('button', { class: 'btn', text: code.enter }),
  ));
  return node;
}
