// The players with their scores and clocks. Clocks are painted apart from the rest, when a digit changes.

import { el, setAttribute, setText } from './dom.js';
import { initialOf } from './bar.js';
import { nameNode } from './parts.js';
import { words } from '../text/words.js';

/**
 * @typedef {object} SeatView
 * @property {string} name
 * @property {string} [href] The profile, if there is one.
 * @property {boolean} [opensTab] Whether the profile opens beside the game.
 * @property {number} score
 * @property {string} about What stands beside the name: bot, tiles, you …
 * @property {string} [warning] What is wrong with the seat: away, a turn owed, left.
 * @property {boolean} isOnTurn
 * @property {boolean} isOwn
 * @property {boolean} isGone
 *
 * @typedef {{ text: string, label: string, isRunning: boolean, isLow: boolean, isOver: boolean }} ClockView
 */

/**
 * Makes the list of seats, the own one last.
 *
 * @param {number[]} order The seats in the order in which they stand.
 */
export function createSeats(order) {
  const texts = words().game;
  const items = order.map(() => seatItem());
  const node = el(
    'ul',
    { class: 'card seats', 'aria-label': texts.players, 'data-seats': order.length },
    ...items.map((item) => item.node),
  );

  return {
    node,
    /** @param {SeatView[]} seats By seat. */
    update(seats) {
      order.forEach((seat, i) => seatUpdate(items[i], seats[seat]));
    },
    /** @param {ClockView[]} clocks By seat. */
    updateClocks(clocks) {
      order.forEach((seat, i) => {
        const { clock } = items[i];
        const view = clocks[seat];
        setText(clock, view.text);
        setAttribute(clock, 'aria-label', view.label);
        setAttribute(clock, 'hidden', view.text === '');
        items[i].node.classList.toggle('runs', view.isRunning);
        items[i].node.classList.toggle('low', view.isLow);
        items[i].node.classList.toggle('overtime', view.isOver);
      });
    },
  };
}

function seatItem() {
  const face = el('span', { class: 'face', 'aria-hidden': 'true' });
  const who = el('span', { class: 'who' });
  const score = el('span', { class: 'score' });
  const clock = el('span', { class: 'clock', role: 'timer' });
  return { node: el('li', { class: 'seat' }, face, who, score, clock), face, who, score, clock, key: '' };
}

/** @param {SeatView} seat */
function seatLink({ name, href, opensTab }) {
  return el('a', { class: 'name', href, target: opensTab && '_blank' }, el('bdi', { text: name }));
}

/**
 * @param {ReturnType<typeof seatItem>} item
 * @param {SeatView} seat
 */
function seatUpdate(item, seat) {
  const key = JSON.stringify(seat);
  if (item.key === key) return;
  item.key = key;
  setText(item.face, initialOf(seat.name));
  item.who.replaceChildren(
    seat.href === undefined ? nameNode(seat.name) : seatLink(seat),
    el(
      'small',
      {},
      seat.warning !== undefined && el('span', { class: 'warning', text: seat.warning }),
      seat.warning === undefined && el('span', { class: seat.isOwn ? 'about own' : 'about', text: seat.about }),
    ),
  );
  setText(item.score, String(seat.score));
  item.node.classList.toggle('turn', seat.isOnTurn);
  item.node.classList.toggle('gone', seat.isGone);
  setAttribute(item.node, 'aria-current', seat.isOnTurn ? 'true' : undefined);
}
