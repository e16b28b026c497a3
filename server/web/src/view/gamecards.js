// Cards of games in the lobby: the own ones, and those that anybody can watch.

import { el, icon, setAttribute, setText } from './dom.js';
import { MiniBoard } from './miniboard.js';
import { nameNode } from './parts.js';
import { ratingText } from './ratings.js';
import { adjournOf } from '../model/adjourn.js';
import { clockOf, clockText } from '../model/clock.js';
import { scoreOf } from '../model/table.js';
import { words } from '../text/words.js';

/**
 * The content of a card: the summary of a game and, once it is known, its table.
 *
 * @typedef {{
 *   summary: Record<string, any>, table?: import('../model/table.js').Table, layout?: string[], ruleSet: string,
 *   identity?: string, href: string,
 * }} CardItem
 */

/**
 * The card of an own game. It is a link.
 *
 * @param {() => number} serverNow
 * @returns {import('./keyed.js').Entry<CardItem>}
 */
export function ownGameCard(serverNow) {
  const board = new MiniBoard();
  const names = el('b', { class: 'cut' });
  const score = el('span', { class: 'num' });
  const turn = el('em', { class: 'cut' });
  const clock = el('span', { class: 'num' });
  const node = el('a', { class: 'card game-card' }, board.node, el('p', {}, names, score, turn, clock));
  return {
    node,
    update(item) {
      const { lobby } = words();
      const { summary, table, identity } = item;
      const seats = cardSeats(item);
      const own = seats.findIndex((seat) => seat.identity === identity);
      const others = seats.filter((_, seat) => seat !== own);
      const onTurn = seats.findIndex((seat) => seat.onTurn);
      const phase = table?.isKnown ? table.phase : summary.phase;
      setAttribute(node, 'href', item.href);
      node.classList.toggle('yours', isOwnTurn(item));
      setText(names, others.map(({ name, rating }) => (rating ? `${name} (${rating})` : name)).join(', '));
      setText(score, lobby.score([seats[own]?.score ?? 0, ...others.map((seat) => seat.score)]));
      const sleep = cardSleep(item);
      const ready = sleep?.ready.map((seat) => (seat === own ? lobby.you : seats[seat].name));
      setText(turn, ready ? lobby.adjourned(ready) : cardTurn(lobby, phase, onTurn, own, seats));
      setText(clock, sleep ? lobby.resumeBy(sleep.until) : cardClock(item, onTurn, serverNow()));
      drawCardBoard(board, item);
    },
  };
}

/**
 * The card of a game to watch. It is a link.
 *
 * @param {() => number} serverNow
 * @returns {import('./keyed.js').Entry<CardItem>}
 */
export function liveGameCard(serverNow) {
  const board = new MiniBoard();
  const rows = el('div', { class: 'scores' });
  const rules = el('span', { class: 'cut' });
  const more = el('span', { class: 'num' });
  const watching = el('span', { class: 'num watchers' });
  const node = el(
    'a', { class: 'card live-card' }, board.node, rows,
    el('small', {}, rules, more, watching),
  );
  return {
    node,
    update(item) {
      const seats = cardSeats(item);
      const key = JSON.stringify(seats);
      if (rows.dataset.key !== key) {
        rows.dataset.key = key;
        rows.replaceChildren(...seats.map(({ name, rating, score, onTurn }) => el(
          'div', { class: onTurn ? 'on' : '' }, nameNode(rating ? `${name} (${rating})` : name),
          el('span', { class: 'num', text: String(score) }),
        )));
      }
      const { lobby } = words();
      setAttribute(node, 'href', item.href);
      setText(rules, item.ruleSet);
      setText(more, cardClock(item, seats.findIndex((seat) => seat.onTurn), serverNow(), true));
      const count = watchersOf(item);
      if (watching.dataset.count !== String(count)) {
        watching.dataset.count = String(count);
        watching.replaceChildren(...(count > 0 ? [icon('eye'), String(count)] : []));
        setAttribute(watching, 'title', count > 0 && lobby.watching(count));
      }
      drawCardBoard(board, item);
    },
  };
}

/**
 * Whether the player is on turn in a game.
 *
 * @param {CardItem} item
 * @returns {boolean}
 */
export function isOwnTurn(item) {
  return !cardSleep(item) && cardSeats(item).some(({ identity, onTurn }) => onTurn && identity === item.identity);
}

/**
 * The adjournment of a game, if it is adjourned: nobody's time runs then.
 *
 * @param {CardItem} item
 */
function cardSleep({ table }) {
  return table?.isKnown ? adjournOf(table).sleep : undefined;
}

/**
 * How many others watch. Who looks at this card does not count.
 *
 * @param {CardItem} item
 */
function watchersOf({ summary, table }) {
  return table?.watching ? table.watching - 1 : summary.watching;
}

/**
 * The seats as the newest source says: the table if there is one, else the summary.
 *
 * @param {CardItem} item
 * @returns {{ identity: string, name: string, rating?: string, score: number, onTurn: boolean }[]}
 */
function cardSeats({ summary, table }) {
  return summary.seats.map((/** @type {any} */ seat, /** @type {number} */ i) => ({
    identity: seat.identity, name: seat.name, rating: seat.rating && ratingText(seat.rating),
    score: table?.isKnown ? scoreOf(table, i) : seat.score,
    onTurn: table?.isKnown ? table.onTurn === i : seat.on_turn === true,
  }));
}

/**
 * @param {ReturnType<typeof words>['lobby']} lobby
 * @param {string} phase
 * @param {number} onTurn
 * @param {number} own
 * @param {{ name: string }[]} seats
 */
function cardTurn(lobby, phase, onTurn, own, seats) {
  if (onTurn < 0) return /** @type {Record<string, string>} */ (lobby.phase)[phase] ?? '';
  return onTurn === own ? lobby.yourTurn : lobby.turnOf(seats[onTurn].name);
}

/**
 * The time that the seat on turn has left, if it is known.
 *
 * @param {CardItem} item
 * @param {number} onTurn
 * @param {number} now
 * @param {boolean} [isShort]
 */
function cardClock({ table, summary }, onTurn, now, isShort = false) {
  const { clocks, options } = summary;
  const listed = clocks && options && { clocks, setup: { options }, role: 'player' };
  const source = /** @type {import('../model/table.js').Table | undefined} */ (table?.isKnown ? table : listed);
  if (!source || onTurn < 0 || source.setup.options.clock?.kind === 'untimed') return '';
  const time = clockText(clockOf(source, onTurn, now).shownMs, words().lobby.clockUnits);
  return isShort ? time : words().lobby.left(time);
}

/**
 * @param {MiniBoard} board
 * @param {CardItem} item
 */
function drawCardBoard(board, { table, layout }) {
  if (table?.isKnown) board.show(table.layout, table.board, table.lastPlay?.squares.map(([square]) => square));
  else if (layout) board.show(layout);
}
