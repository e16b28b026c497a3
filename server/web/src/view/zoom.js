// A board with small squares is shown at twice its size while a tile is picked up, and moves under a finger near its
// edge.

import { el } from './dom.js';

const ZOOM_BELOW_PX = 20;
const ZOOM_EDGE_PX = 36;
const ZOOM_STEP_PX = 5;

/**
 * @param {{ node: HTMLElement, grid: HTMLElement, squares: HTMLElement[] }} board
 */
export function createZoom(board) {
  const port = /** @type {HTMLElement} */ (board.grid.parentElement);
  const frame = el('i');
  const map = el('div', { class: 'map', 'aria-hidden': 'true' }, frame);
  port.append(map);
  let isOn = false;
  let [x, y] = [0, 0];

  const paint = () => {
    const size = port.clientWidth;
    x = Math.min(0, Math.max(-size, x));
    y = Math.min(0, Math.max(-port.clientHeight, y));
    // A custom property would be inherited by every square; a transform concerns the board alone.
    board.grid.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px) scale(2)`;
    map.style.setProperty('--mx', String((-x / size) * 50));
    map.style.setProperty('--my', String((-y / port.clientHeight) * 50));
  };

  return {
    isOn: () => isOn,
    /** @param {number} square Around which square. */
    begin(square) {
      if (isOn || board.squares[0].offsetWidth >= ZOOM_BELOW_PX) return;
      const { offsetLeft, offsetTop, offsetWidth } = board.squares[square];
      isOn = true;
      x = port.clientWidth / 2 - 2 * (offsetLeft + offsetWidth / 2);
      y = port.clientHeight / 2 - 2 * (offsetTop + offsetWidth / 2);
      paint();
      board.node.classList.add('zoomed');
    },
    end() {
      if (!isOn) return;
      isOn = false;
      board.grid.style.transform = '';
      board.node.classList.remove('zoomed');
    },
    /** @param {number} dx @param {number} dy */
    pan(dx, dy) {
      if (!isOn) return false;
      x += dx;
      y += dy;
      paint();
      return true;
    },
    /**
     * Moves the board if the pointer is near its edge.
     *
     * @param {number} px
     * @param {number} py
     */
    edge(px, py) {
      if (!isOn) return;
      const box = port.getBoundingClientRect();
      if (py > box.bottom || py < box.top) return;
      const push = (/** @type {number} */ at, /** @type {number} */ low, /** @type {number} */ high) =>
        at < low + ZOOM_EDGE_PX ? ZOOM_STEP_PX : at > high - ZOOM_EDGE_PX ? -ZOOM_STEP_PX : 0;
      const [dx, dy] = [push(px, box.left, box.right), push(py, box.top, box.bottom)];
      if (dx || dy) this.pan(dx, dy);
    },
  };
}
