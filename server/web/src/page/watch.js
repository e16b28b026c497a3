// The public games that are being played, for those who want to watch one.

import { el, setAttribute, setText } from '../view/dom.js';
import { KeyedList } from '../view/keyed.js';
import { liveGameCard } from '../view/gamecards.js';
import { Boards } from './boards.js';
import { LobbyLists } from './lists.js';
import { words } from '../text/words.js';

const WATCH_STEP = 12;

/**
 * @param {import('./routes.js').PageContext} context
 * @returns {import('./routes.js').Page}
 */
export function openWatch({ frame, connection, seeking, rulebook }) {
  const { lobby } = words();
  frame.setTitle(lobby.liveGames);
  let shown = WATCH_STEP;
  const count = el('p', { class: 'lead' });
  const list = el('div', { class: 'live wide' });
  const empty = el('p', { class: 'card empty muted' });
  const more = el('button', {
    class: 'btn', type: 'button', text: lobby.showMore, onclick: () => {
      shown += WATCH_STEP;
      render();
    },
  });
  const node = el('div', { class: 'page' }, el('h1', { text: lobby.liveGames }), count, empty, list, more);
  const cards = new KeyedList(
    list, (/** @type {import('../view/gamecards.js').CardItem} */ { summary }) => summary.game,
    () => liveGameCard(() => connection.serverNow()),
  );
  const render = () => {
    const live = [...lists.live.values()].slice(0, shown);
    boards.follow(live.map(({ game }) => game));
    cards.show(live.map((summary) => ({
      summary, table: boards.tableOf(summary.game), ruleSet: rulebook.nameOf(summary.rule_set),
      href: `/games/${encodeURIComponent(summary.game)}`,
    })));
    setText(count, lists.isLoaded ? lobby.here(lists.live.size, lists.online) : '');
    setText(empty, lists.isLoaded ? lobby.noLive : lobby.loading);
    setAttribute(empty, 'hidden', live.length > 0);
    setAttribute(more, 'hidden', lists.live.size <= shown);
  };
  const boards = new Boards(connection, () => render());
  const lists = new LobbyLists(connection, seeking, () => render());
  const timer = setInterval(render, 1000);
  render();
  return {
    node,
    isBusy: () => false,
    close() {
      clearInterval(timer);
      lists.close();
      boards.close();
    },
  };
}
