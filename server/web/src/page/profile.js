// The page of a registered player.

import { el } from '../view/dom.js';
import { initialOf } from '../view/bar.js';
import { callAsPlayer, plainPage } from './accountparts.js';
import { figureParts } from './playerfigures.js';
import { refusedText, words } from '../text/words.js';

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
 * @param {{ identity: string, handle: string, registered_at: number, roles: string[] }} player
 * @param {import('./playerfigures.js').PlayerFigures} [figures]
 */
function profileOf({ account, connection, frame }, { identity, handle, registered_at: at, roles }, figures = {}) {
  const { lobby: { bar }, accounts: { player: texts, date } } = words();
  frame.setTitle(handle);
  const isOwn = identity === connection.identity;
  const marks = roles.map((role) => el('li', { class: 'mark', text: texts.roles[role] ?? role }));
  return el(
    'div', { class: 'page narrow' },
    el(
      'header', { class: 'person' },
      el('span', { class: 'face', 'aria-hidden': 'true', text: initialOf(handle) }),
      el('div', {}, el('h1', { text: handle }), el('p', { class: 'muted', text: texts.registered(date(at)) })),
      marks.length > 0 && el('ul', { class: 'marks', 'aria-label': texts.rolesLabel }, ...marks),
      isOwn && account.kind === 'player' && el('a', { class: 'btn small', href: '/account', text: bar.account }),
    ),
    el('div', { class: 'stack' }, ...figureParts(figures)),
  );
}
