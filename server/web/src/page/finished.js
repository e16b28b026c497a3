// The player's own games that are over, the newest first, page by page.

import { el, setAttribute } from '../view/dom.js';
import { nameNode } from '../view/parts.js';
import { refusedText, words } from '../text/words.js';

/**
 * @param {import('./routes.js').PageContext} context
 * @returns {import('./routes.js').Page}
 */
export function openFinished({ frame, connection, rulebook }) {
  const { lobby: { loading }, pages: { finished: texts } } = words();
  frame.setTitle(texts.title);
  const list = el('ul', { class: 'card rows-list past' });
  const empty = el('p', { class: 'card empty muted', text: loading });
  const more = el('button', { class: 'btn', type: 'button', hidden: true, onclick: () => void load() }, texts.more);
  const node = el(
    'div', { class: 'page narrow' }, el('h1', { text: texts.title }), el('p', { class: 'lead', text: texts.lead }),
    empty, list, el('div', { class: 'acts-row' }, more),
  );
  /** @param {string} [before] The last game that is shown. */
  const ask = (before) => connection.request('list_games', { scope: 'finished', before });
  let isClosed = false;
  let next = ask();

  /** Shows the games that were asked for, and asks for the next ones: the button is there if there are any. */
  const load = async () => {
    setAttribute(more, 'disabled', true);
    try {
      const { games } = await next;
      if (isClosed) return;
      for (const game of games) list.append(finishedRow(game, connection.identity, rulebook.nameOf(game.rule_set)));
      empty.textContent = texts.none;
      next = games.length > 0 ? ask(games.at(-1).game) : Promise.resolve({ games });
      setAttribute(more, 'hidden', (await next).games.length === 0);
    } catch (refused) {
      frame.toast(refusedText(/** @type {any} */ (refused)));
      next = ask(list.lastElementChild?.getAttribute('data-game') ?? undefined);
      setAttribute(more, 'hidden', false);
    }
    setAttribute(more, 'disabled', false);
    setAttribute(list, 'hidden', list.childElementCount === 0);
    setAttribute(empty, 'hidden', list.childElementCount > 0);
  };
  setAttribute(list, 'hidden', true);
  void load();
  return {
    node,
    close() {
      isClosed = true;
    },
  };
}

/**
 * @param {Record<string, any>} game
 * @param {string | undefined} identity
 * @param {string} ruleSet
 */
function finishedRow(game, identity, ruleSet) {
  const { lobby } = words();
  const own = game.seats.find((/** @type {any} */ seat) => seat.identity === identity);
  const others = game.seats.filter((/** @type {any} */ seat) => seat !== own);
  const names = others.flatMap((/** @type {any} */ { name }, /** @type {number} */ i) => (
    i > 0 ? [', ', nameNode(name)] : [nameNode(name)]));
  const scores = [own?.score ?? 0, ...others.map((/** @type {any} */ seat) => seat.score)];
  return el(
    'li', { 'data-game': game.game },
    el('b', { class: own?.rank === 1 ? 'won' : '', text: finishedResult(game, own) }),
    el('a', { class: 'name cut', href: `/games/${encodeURIComponent(game.game)}` }, ...names),
    el('span', { class: 'what num', text: lobby.score(scores) }),
    el('span', { class: 'what cut', text: `${ruleSet}, ${lobby.moment(game.ended_at ?? 0)}` }),
  );
}

/**
 * @param {Record<string, any>} game
 * @param {Record<string, any> | undefined} own
 */
function finishedResult({ seats }, own) {
  const { finished: texts } = words().pages;
  const rank = own?.rank ?? 0;
  const isShared = seats.filter((/** @type {any} */ seat) => seat.rank === rank).length > 1;
  if (rank === 1 && isShared) return texts.tied;
  return seats.length > 2 && rank > 1 ? texts.place(rank) : texts.rank(rank);
}
