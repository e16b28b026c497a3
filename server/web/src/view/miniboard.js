// Small boards: the shape of a position without letters, for lists.

import { setAttribute } from './dom.js';
import { svgNode } from './svg.js';

const MINI_UNIT = 4;

/** The class and the label of each symbol of a layout. */
export const MINI_PREMIUMS = /** @type {Record<string, [string, string]>} */ ({
  "'": ['l2', '2L'], '"': ['l3', '3L'], '^': ['l4', '4L'], '-': ['w2', '2W'], '=': ['w3', '3W'], '~': ['w4', '4W'],
});

/** A small picture of a board that can be drawn again. It has no name: the card around it has one. */
export class MiniBoard {
  /** @param {{ hasLetters?: boolean }} [looks] */
  constructor({ hasLetters = false } = {}) {
    this.hasLetters = hasLetters;
    this.node = svgNode('svg', { class: 'mini', viewBox: '0 0 60 60', 'aria-hidden': 'true' });
    this.letters = svgNode('path', { class: 'm-l' });
    this.wordSquares = svgNode('path', { class: 'm-w' });
    this.tiles = svgNode('path', { class: 'm-t' });
    this.last = svgNode('path', { class: 'm-now' });
    this.texts = svgNode('g', { class: 'm-x' });
    this.node.append(this.letters, this.wordSquares, this.tiles, this.last, this.texts);
  }

  /**
   * @param {string[]} layout The premium squares, one text for each row.
   * @param {Map<number, string>} [board] The faces of the tiles, by square.
   * @param {Iterable<number>} [last] The squares of the last play.
   */
  show(layout, board = new Map(), last = []) {
    const cols = layout[0]?.length ?? 15;
    const kinds = { letters: /** @type {number[]} */ ([]), wordSquares: /** @type {number[]} */ ([]) };
    layout.forEach((line, row) => Array.from(line).forEach((symbol, col) => {
      const premium = MINI_PREMIUMS[symbol];
      const square = row * cols + col;
      if (premium && !board.has(square)) kinds[premium[0].startsWith('l') ? 'letters' : 'wordSquares'].push(square);
    }));
    setAttribute(this.node, 'viewBox', `0 0 ${cols * MINI_UNIT} ${layout.length * MINI_UNIT}`);
    const now = new Set(last);
    setAttribute(this.letters, 'd', miniPath(kinds.letters, cols));
    setAttribute(this.wordSquares, 'd', miniPath(kinds.wordSquares, cols));
    setAttribute(this.tiles, 'd', miniPath([...board.keys()].filter((square) => !now.has(square)), cols));
    setAttribute(this.last, 'd', miniPath(now, cols));
    if (this.hasLetters) this.#write(board, cols);
  }

  /**
   * @param {Map<number, string>} board
   * @param {number} cols
   */
  #write(board, cols) {
    const key = [...board].join();
    if (this.texts.dataset.key === key) return;
    this.texts.dataset.key = key;
    this.texts.replaceChildren(...[...board].map(([square, face]) => {
      const text = svgNode('text', {
        x: (square % cols) * MINI_UNIT + MINI_UNIT / 2, y: Math.floor(square / cols) * MINI_UNIT + 3,
      });
      text.textContent = face.toUpperCase();
      return text;
    }));
  }
}

/**
 * One square after another.
 *
 * @param {Iterable<number>} squares
 * @param {number} cols
 */
function miniPath(squares, cols) {
  let path = '';
  for (const square of squares) {
    const [x, y] = [(square % cols) * MINI_UNIT, Math.floor(square / cols) * MINI_UNIT];
    path += `M${x} ${y}h4v4h-4z`;
  }
  return path;
}
