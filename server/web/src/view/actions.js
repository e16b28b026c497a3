// The row of the rack: shuffle, recall, the rack itself, exchange, and the one primary button.

import { el, icon, setAttribute } from './dom.js';
import { setParts } from './parts.js';
import { pressButton } from './strip.js';
import { words } from '../text/words.js';

/**
 * The primary button. Without `act` it is quiet and says why.
 *
 * @typedef {{
 *   label: import('../text/rich.js').Part[] | string, points?: number, isGo?: boolean, isWait?: boolean,
 *   isFault?: boolean, title?: string, act?: () => void,
 * }} PrimaryView
 */

/**
 * Makes the row.
 *
 * @param {HTMLElement} rack
 * @param {{ shuffle: () => void, recall: () => void, exchange: () => void }} acts
 */
export function createActions(rack, acts) {
  const texts = words().game;
  const label = el('span', { class: 'what' });
  const points = el('span', { class: 'pts num' });
  const primary = el('button', { type: 'button', class: 'btn go primary' }, label, points);
  /** @type {PrimaryView} */
  let shown = { label: '' };
  pressButton(primary, () => shown.act);
  const shuffle = actionIcon('shuffle', texts.shuffle, acts.shuffle);
  const recall = actionIcon('recall', texts.recall, acts.recall);
  const exchange = actionIcon('swap', texts.exchange, acts.exchange);
  const node = el('div', { class: 'hand' }, shuffle, recall, rack, exchange, primary);

  return {
    node,
    primary,
    /**
     * @param {PrimaryView} view
     * @param {{ canRecall: boolean, canExchange: boolean, canShuffle: boolean }} can
     */
    update(view, can) {
      shown = view;
      const kinds = [view.isGo && 'go', view.isWait && 'wait', view.isFault && 'fault'];
      primary.className = ['btn primary', ...kinds].filter(Boolean).join(' ');
      setParts(label, view.label);
      setParts(points, view.points === undefined ? '' : String(view.points));
      setAttribute(points, 'hidden', view.points === undefined);
      setAttribute(points, 'aria-label', view.points === undefined ? undefined : texts.points(view.points));
      setAttribute(primary, 'title', view.title);
      setAttribute(primary, 'aria-disabled', view.act ? undefined : 'true');
      setAttribute(recall, 'aria-disabled', can.canRecall ? undefined : 'true');
      setAttribute(exchange, 'aria-disabled', can.canExchange ? undefined : 'true');
      setAttribute(shuffle, 'aria-disabled', can.canShuffle ? undefined : 'true');
    },
  };
}

/**
 * @param {string} drawing
 * @param {string} name
 * @param {() => void} act
 */
function actionIcon(drawing, name, act) {
  const button = el('button', { type: 'button', class: 'btn sq', 'aria-label': name, title: name }, icon(drawing));
  button.addEventListener('click', () => {
    if (button.getAttribute('aria-disabled') !== 'true') act();
  });
  return button;
}
