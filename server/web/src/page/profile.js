// The page of a registered player: ratings, games against the player who looks, recent games, statistics.

import { el } from '../view/dom.js';
import { initialOf } from '../view/bar.js';
import { gameRow, gameRows } from '../view/gamerows.js';
import { block } from '../view/lobbylayout.js';
import { archiveQuery, fragmentOf, seatOfPlayer } from '../model/archive.js';
import { callAsPlayer, plainPage } from './accountparts.js';
import { invitePart } from './invitations.js';
import { relationPart } from './relation.js';
import { ratingParts, statisticsPart, versusPart } from './playerfigures.js';
import { refusedText, words } from '../text/words.js';

/** Recent games on the page. */
const GAMES_SHOWN = 5;

/**
 * @param {import('./routes.js').PageContext & { handle: string }} context
 * @returns {import('./routes.js').Page}
 */
export function openProfile(context) {
  const { frame, handle } = context;
  const { lobby } = words();
  frame.setTitle(handle);
  const node = el('div', {}, plainPage(handle, lobby.loading, []));
  let isClosed = false;
  callAsPlayer(context, `/players/${encodeURIComponent(handle)}`).then(
    (player) => profileOf(context, player), refusedPage,
  ).then((page) => {
    if (isClosed) return;
    node.replaceChildren(page);
    page.querySelector('h1')?.focus();
  });
  return {
    node,
    close() {
      isClosed = true;
    },
  };
}

/** @param {any} refused */
function refusedPage(refused) {
  const { lobby: { bar }, accounts: { player: texts } } = words();
  const isUnknown = refused.code === 'unknown_player';
  const text = isUnknown ? texts.unknownText : refusedText(refused);
  return plainPage(isUnknown ? texts.unknownTitle : texts.title, text, [['/', bar.play]]);
}

/**
 * @param {import('./routes.js').PageContext} context
 * @param {import('./relation.js').RelatedPlayer & {
 *   identity: string, registered_at: number, roles: string[], bot?: boolean }} player
 */
function profileOf(context, player) {
  const { identity, handle, registered_at: at, roles, bot } = player;
  const { account, frame } = context;
  const { lobby: { bar }, accounts: { player: texts, date } } = words();
  frame.setTitle(handle);
  const isOwn = identity === account.identity;
  const invite = isOwn || account.kind === 'guest' ? undefined : invitePart(context, handle);
  if (location.hash === '#invite') invite?.open();
  const marks = roles.map((role) => el('li', { class: 'mark', text: texts.roles[role] ?? role }));
  if (bot) marks.unshift(el('li', { class: 'mark', text: texts.bot, title: texts.botText }));
  return el(
    'div', { class: 'page narrow' },
    el(
      'header', { class: 'person' },
      el('span', { class: 'face', 'aria-hidden': 'true', text: initialOf(handle) }),
      el('div', {}, el('h1', { text: handle }), el('p', { class: 'muted', text: texts.registered(date(at)) })),
      marks.length > 0 && el('ul', { class: 'marks', 'aria-label': texts.rolesLabel }, ...marks),
      isOwn && account.kind === 'player' && el('a', { class: 'btn small', href: '/account', text: bar.account }),
      invite && relationPart(context, player, invite.button),
    ),
    invite?.place,
    el('div', { class: 'stack' }, ...partsOf(context, handle, isOwn)),
  );
}

/**
 * The parts below the name. Each asks for itself, and says so if the server refuses it.
 *
 * @param {import('./routes.js').PageContext} context
 * @param {string} handle
 * @param {boolean} isOwn
 */
function partsOf(context, handle, isOwn) {
  const { account, rulebook } = context;
  const name = encodeURIComponent(handle);
  /** @param {string} path @param {(told: any) => Node} show */
  const part = (path, show) => {
    const { lobby, archive: { profile: texts } } = words();
    const node = el('div', {}, el('p', { class: 'muted small', text: lobby.loading }));
    callAsPlayer(context, path).then((told) => node.replaceChildren(show(told))).catch((refused) => {
      const text = refused.code === undefined ? texts.failed : refusedText(refused);
      node.replaceChildren(el('p', { class: 'card empty muted', text }));
    });
    return node;
  };
  const recent = archiveQuery({ player: isOwn ? 'me' : handle }, GAMES_SHOWN);
  return [
    part(`/players/${name}/ratings`, ({ ratings }) => ratingParts(ratings, rulebook)),
    ...(isOwn ? [] : [part(`/players/me/versus/${name}`, (versus) => versusPart(versus, handle))]),
    part(recent, ({ games }) => recentPart(games, isOwn ? 'me' : handle, account.identity, rulebook)),
    part(`/players/${name}/statistics`, (statistics) => statisticsPart(statistics, rulebook)),
  ];
}

/**
 * @param {import('../model/archive.js').GameResult[]} games
 * @param {string} player The filter.
 * @param {string | undefined} identity The own one.
 * @param {import('./rulebook.js').Rulebook} rulebook
 */
function recentPart(games, player, identity, rulebook) {
  const { profile: texts } = words().archive;
  const fragment = fragmentOf({ player });
  const link = el('a', { class: 'text-link', href: `/archive${fragment && `#${fragment}`}`, text: texts.all });
  const { node } = block('recent', texts.recent, link);
  const list = gameRows();
  list.append(...games.map((game) => (
    gameRow(game, seatOfPlayer(game, player, identity), rulebook.nameOf(game.rule_set)))));
  node.append(games.length > 0 ? list : el('p', { class: 'card empty muted', text: texts.noGames }));
  return node;
}
