// The board: a grid of squares that are made once and changed where they differ. Marks lie over it: the last play, the
// score of a draft and the cursor.

import { el, setAttribute, setText } from './dom.js';
import { isBlankFace, shownFace, valueOf } from '../play/faces.js';
import { squareName } from '../play/squares.js';
import { words } from '../text/words.js';

/** The premiums by their signs in a layout: the class of the square and what it multiplies by. */
const BOARD_PREMIUMS = /** @type {Record<string, [string, number]>} */ ({
  "'": ['l2', 2],
  '"': ['l3', 3],
  '^': ['l4', 4],
  '-': ['w2', 2],
  '=': ['w3', 3],
  '~': ['w4', 4],
});

/**
 * The content of the board.
 *
 * @typedef {object} BoardView
 * @property {any} setup The setup of the game, for the values of tiles.
 * @property {string[]} layout
 * @property {number} start The start square.
 * @property {Map<number, string>} board
 * @property {Map<number, string>} drafts The player's own tiles that are not played yet.
 * @property {number[]} lastPlay The squares of the last play's main word, in order.
 * @property {boolean} [isOff] Whether the last play came off the board.
 * @property {{ square: number, score: number, across: boolean } | undefined} badge At which square the score stands.
 * @property {number[]} faults Squares at which the placement is wrong.
 * @property {{ square: number, across: boolean } | undefined} cursor
 * @property {number | undefined} picked The square of a draft tile that is picked up.
 */

/**
 * Makes an empty board.
 *
 * @param {number} rows
 * @param {number} cols
 */
export function createBoard(rows, cols) {
  const texts = words().game;
  const squares = Array.from({ length: rows * cols }, (_, square) => boardSquare(square, cols));
  const lines = Array.from({ length: rows }, (_, row) =>
    el('div', { role: 'row', class: 'line' }, ...squares.slice(row * cols, (row + 1) * cols)),
  );
  const last = el('div', { class: 'lastplay', hidden: true, 'aria-hidden': 'true' });
  const badge = el('div', { class: 'badge', hidden: true, 'aria-hidden': 'true' });
  const grid = el(
    'div',
    { class: 'board', role: 'grid', 'aria-label': texts.board, 'aria-rowcount': rows, 'aria-colcount': cols },
    ...lines,
    last,
    badge,
  );
  const node = boardFrame(rows, cols, grid);
  /** @type {string[]} What each square shows. */
  const keys = [];
  /** @type {readonly string[] | undefined} The layout that they show it on. */
  let layout;
  let tabStop = 0;

  /** @type {(square: number) => void} */
  const setTabStop = (square) => {
    squares[tabStop].tabIndex = -1;
    squares[square].tabIndex = 0;
    tabStop = square;
  };
  setTabStop(0);
  grid.addEventListener('focusin', (event) => {
    const square = squareOfNode(event.target);
    if (square !== undefined) setTabStop(square);
  });

  return {
    node,
    grid,
    squares,
    /** @param {BoardView} view */
    update(view) {
      if (layout !== view.layout) keys.length = 0; // a dealt board comes after the first look
      layout = view.layout;
      squares.forEach((square, i) => {
        const key = boardSquareKey(i, view);
        if (keys[i] === key) return;
        keys[i] = key;
        boardUpdateSquare(square, i, view);
      });
      boardPlaceLast(last, view.lastPlay, cols, view.isOff);
      boardPlaceBadge(badge, view.badge, rows, cols);
      const wanted = view.cursor?.square;
      if (wanted !== undefined) setTabStop(wanted);
      else if (tabStop === 0 && document.activeElement !== squares[0]) setTabStop(view.start);
    },
    /** @param {number} square */
    focus(square) {
      setTabStop(square);
      squares[square].focus({ preventScroll: true });
    },
    hasFocus: () => grid.contains(document.activeElement),
    tabStop: () => tabStop,
  };
}

/**
 * Puts the names of rows and columns around the squares.
 *
 * @param {number} rows
 * @param {number} cols
 * @param {HTMLElement} grid
 */
function boardFrame(rows, cols, grid) {
  const names = (/** @type {string} */ kind, /** @type {number} */ count, /** @type {(i: number) => string} */ name) =>
    el('div', { class: kind, 'aria-hidden': 'true' },
      ...Array.from({ length: count }, (_, i) => el('span', { text: name(i) })));
  const isLarge = Math.max(rows, cols) > 17;
  const node = el('div', { class: isLarge ? 'frame large' : 'frame' },
    names('cols', cols, (i) => String.fromCharCode(65 + i)), names('rows', rows, (i) => String(i + 1)),
    el('div', { class: 'window-of-board' }, grid));
  node.style.setProperty('--rows', String(rows));
  node.style.setProperty('--cols', String(cols));
  return node;
}

/**
 * The square that an element of the page belongs to.
 *
 * @param {EventTarget | null} target
 * @returns {number | undefined}
 */
export function squareOfNode(target) {
  const node = target instanceof Element ? target.closest('[data-square]') : null;
  return node instanceof HTMLElement ? Number(node.dataset.square) : undefined;
}

/** @param {number} square @param {number} cols */
function boardSquare(square, cols) {
  return el('div', {
    class: 'q', role: 'gridcell', tabindex: -1, 'data-square': square, 'aria-colindex': (square % cols) + 1,
  });
}

/**
 * Everything that the look of a square depends on, in one text.
 *
 * @param {number} square
 * @param {BoardView} view
 */
function boardSquareKey(square, view) {
  const draft = view.drafts.get(square);
  const face = draft ?? view.board.get(square) ?? '';
  const cursor = view.cursor?.square === square ? (view.cursor.across ? 'a' : 'd') : '';
  return `${draft ? 1 : 0}|${face}|${cursor}|${view.faults.includes(square)}|${view.picked === square}`;
}

/**
 * Shows one square as it is now.
 *
 * @param {HTMLElement} node
 * @param {number} square
 * @param {BoardView} view
 */
function boardUpdateSquare(node, square, view) {
  const cols = view.layout[0].length;
  const sign = view.layout[Math.floor(square / cols)][square % cols];
  const draft = view.drafts.get(square);
  const face = draft ?? view.board.get(square);
  const cursor = view.cursor?.square === square ? (view.cursor.across ? 'a' : 'd') : '';
  const isFault = view.faults.includes(square);
  const isStart = square === view.start;
  const isPicked = view.picked === square;
  const [premium, factor] = BOARD_PREMIUMS[sign] ?? ['', 0];
  const classes = ['q'];
  if (face !== undefined) {
    classes.push('tile');
    if (draft !== undefined) classes.push('draft');
    if (isBlankFace(face)) classes.push('blank');
    if (shownFace(face).length > 1) classes.push('long');
  } else {
    if (premium) classes.push(premium);
    if (isStart) classes.push('start');
  }
  if (cursor) classes.push('cursor', cursor === 'a' ? 'across' : 'down');
  if (isFault) classes.push('fault');
  if (isPicked) classes.push('picked');
  node.className = classes.join(' ');
  if (face !== undefined) {
    boardPart(node, 'i', face === '?' ? '' : shownFace(face));
    boardPart(node, 'sub', isBlankFace(face) ? undefined : String(valueOf(view.setup, face)));
  } else {
    const isLarge = Math.max(cols, view.layout.length) > 17;
    const label = premium ? boardLabel(premium, factor, isLarge) : undefined;
    boardPart(node, 'i', isStart ? '' : label);
    boardPart(node, 'sub', undefined);
  }
  setAttribute(node, 'aria-label', boardName(square, cols, face, premium, view, cursor));
}

/**
 * Gives a square its letter or its value, or takes it away: the browser works out a style for empty elements too.
 *
 * @param {HTMLElement} node
 * @param {'i' | 'sub'} tag
 * @param {string | undefined} text
 */
function boardPart(node, tag, text) {
  const part = node.querySelector(tag);
  if (text === undefined) part?.remove();
  else if (part) setText(part, text);
  else node.append(el(tag, { text, 'aria-hidden': 'true' }));
}

/**
 * @param {string} premium
 * @param {number} factor
 * @param {boolean} isLarge
 */
function boardLabel(premium, factor, isLarge) {
  if (isLarge) return String(factor);
  const texts = words().game;
  const labels = {
    l2: texts.letter2,
    l3: texts.letter3,
    l4: texts.letter4,
    w2: texts.word2,
    w3: texts.word3,
    w4: texts.word4,
  };
  return labels[/** @type {keyof typeof labels} */ (premium)];
}

/**
 * The description of a square for a screen reader.
 *
 * @param {number} square
 * @param {number} cols
 * @param {string | undefined} face
 * @param {string} premium
 * @param {BoardView} view
 * @param {string} cursor
 */
function boardName(square, cols, face, premium, view, cursor) {
  const texts = words().game;
  const parts = [squareName(square, cols)];
  if (face !== undefined) parts.push(faceName(view.setup, face));
  else parts.push(texts.empty);
  if (face === undefined && premium) parts.push(texts.premiums[premium]);
  if (square === view.start && face === undefined) parts.push(texts.start);
  if (view.drafts.has(square)) parts.push(texts.notPlayed);
  if (cursor) parts.push(cursor === 'a' ? texts.typesAcross : texts.typesDown);
  return parts.join(', ');
}

/**
 * A tile in words: its letter and its value, or what a blank stands for.
 *
 * @param {any} setup
 * @param {string} face
 */
export function faceName(setup, face) {
  const texts = words().game;
  if (face === '?') return texts.blank;
  if (isBlankFace(face)) return texts.blankAs(shownFace(face));
  return `${shownFace(face)}, ${texts.value(valueOf(setup, face))}`;
}

/**
 * Lays one outline round the whole last play.
 *
 * @param {HTMLElement} node
 * @param {number[]} squares
 * @param {number} cols
 * @param {boolean} [isOff]
 */
function boardPlaceLast(node, squares, cols, isOff) {
  setAttribute(node, 'hidden', squares.length === 0);
  if (squares.length === 0) return;
  const [from, to] = [Math.min(...squares), Math.max(...squares)];
  node.classList.toggle('off', Boolean(isOff));
  node.style.setProperty('--r', String(Math.floor(from / cols)));
  node.style.setProperty('--c', String(from % cols));
  node.style.setProperty('--h', String(Math.floor(to / cols) - Math.floor(from / cols) + 1));
  node.style.setProperty('--w', String((to % cols) - (from % cols) + 1));
}

/**
 * The score stands outside the word: over its end across, over its first tile down.
 *
 * @param {HTMLElement} node
 * @param {BoardView['badge']} badge
 * @param {number} rows
 * @param {number} cols
 */
function boardPlaceBadge(node, badge, rows, cols) {
  setAttribute(node, 'hidden', badge === undefined);
  if (badge === undefined) return;
  setText(node, String(badge.score));
  node.style.setProperty('--r', String(Math.floor(badge.square / cols)));
  node.style.setProperty('--c', String(badge.square % cols));
  node.classList.toggle('at-top', badge.square < cols);
  node.classList.toggle('at-end', badge.square % cols === cols - 1);
}
