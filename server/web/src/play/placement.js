// Whether laid tiles are a play by the rules of placing, the words it forms, and its score. The lexicon is not asked.

import { BLANK_FACE, valueOf, wordText } from './faces.js';
import { squareBeside, startName } from './squares.js';

/** @typedef {import('../model/table.js').Table} Table */

/**
 * @typedef {object} PlayWord
 * @property {string} text As the protocol writes it: lower case for blanks, brackets around long faces.
 * @property {number[]} squares
 * @property {number} score
 */

/**
 * A legal placement.
 *
 * @typedef {object} Placement
 * @property {true} ok
 * @property {string} start Of the main word, such as `8F`.
 * @property {string[]} tiles The main word, with `.` where a tile lies already.
 * @property {number[]} squares The squares of the tiles laid, along the line.
 * @property {boolean} across
 * @property {PlayWord[]} words The main word first.
 * @property {number} score
 * @property {number} bonus
 */

/**
 * The error of a placement.
 *
 * @typedef {object} Misplacement
 * @property {false} ok
 * @property {string} code One of the protocol's error codes.
 * @property {number[]} squares The squares concerned.
 */

/** @type {Record<string, number>} */
const LETTER_FACTORS = { "'": 2, '"': 3, '^': 4 };
/** @type {Record<string, number>} */
const WORD_FACTORS = { '-': 2, '=': 3, '~': 4 };

/**
 * Checks tiles against the rules of placing (R-PLAY) and scores them (R-SCORE).
 *
 * @param {Table} table
 * @param {ReadonlyMap<number, string>} tiles The tiles laid, with the faces that they show.
 * @returns {Placement | Misplacement}
 */
export function placementOf(table, tiles) {
  const squares = [...tiles.keys()].sort((a, b) => a - b);
  const wrong = problemOf(table, tiles, squares);
  if (wrong) return { ok: false, ...wrong };
  /** @param {boolean} across */
  const runAt = (square = squares[0], across = true) => runThrough(table, tiles, square, across);
  // A single tile belongs to the longer of its two words.
  const isAcross =
    squares.length > 1 ? isOneRow(table, squares) : runAt(squares[0], false).length <= runAt(squares[0], true).length;
  const main = runAt(squares[0], isAcross);
  if (main.length < 2) return { ok: false, code: 'word_too_short', squares };
  const crossing = squares.map((square) => runAt(square, !isAcross)).filter((run) => run.length > 1);
  const words = [main, ...crossing].map((run) => wordOf(table, tiles, run));
  const bonus = table.setup.rule_set.bingo.find((bingo) => bingo.tiles === squares.length)?.bonus ?? 0;
  return {
    ok: true,
    start: startName(main[0], isAcross, table.cols),
    tiles: main.map((square) => tiles.get(square) ?? '.'),
    squares,
    across: isAcross,
    words,
    bonus,
    score: words.reduce((sum, word) => sum + word.score, bonus),
  };
}

/**
 * The first rule of placing that is broken, in the order in which the server looks.
 *
 * @param {Table} table
 * @param {ReadonlyMap<number, string>} tiles
 * @param {number[]} squares
 * @returns {{ code: string, squares: number[] } | undefined}
 */
function problemOf(table, tiles, squares) {
  const { board, start, setup } = table;
  if (squares.length === 0) return { code: 'no_tiles', squares };
  const unassigned = squares.filter((square) => tiles.get(square) === BLANK_FACE);
  if (unassigned.length > 0) return { code: 'blank_unassigned', squares: unassigned };
  const step = isOneRow(table, squares) ? 1 : table.cols;
  if (squares.some((square) => (square - squares[0]) % step !== 0)) return { code: 'not_in_line', squares };
  for (let square = squares[0]; square <= squares[squares.length - 1]; square += step) {
    if (tiles.has(square) && board.has(square)) return { code: 'occupied', squares: [square] };
    if (!tiles.has(square) && !board.has(square)) return { code: 'gap', squares: [square] };
  }
  if (board.size > 0) {
    return squares.some((square) => touchesTile(table, square)) ? undefined : { code: 'not_adjacent', squares };
  }
  if (squares.length < setup.rule_set.opening_min_tiles) return { code: 'too_few_tiles', squares };
  return tiles.has(start) ? undefined : { code: 'centre_missed', squares: [start] };
}

/**
 * @param {Table} table
 * @param {number[]} squares
 */
function isOneRow({ cols }, squares) {
  return squares.every((square) => Math.floor(square / cols) === Math.floor(squares[0] / cols));
}

/**
 * @param {Table} table
 * @param {number} square
 */
function touchesTile(table, square) {
  return [
    [0, 1],
    [0, -1],
    [1, 0],
    [-1, 0],
  ].some(([row, col]) => table.board.has(squareBeside(table, square, row, col) ?? -1));
}

/**
 * The unbroken line of tiles through a square, old ones and new ones.
 *
 * @param {Table} table
 * @param {ReadonlyMap<number, string>} tiles
 * @param {number} square
 * @param {boolean} across
 * @returns {number[]}
 */
function runThrough(table, tiles, square, across) {
  /** @type {number[]} */
  const run = [];
  /** @param {number} step */
  const next = (at = 0, step = 1) => squareBeside(table, at, across ? 0 : step, across ? step : 0);
  const hasTile = (at = -1) => table.board.has(at) || tiles.has(at);
  let first = square;
  for (let before = next(first, -1); before !== undefined && hasTile(before); before = next(first, -1)) first = before;
  for (let at = /** @type {number | undefined} */ (first); at !== undefined && hasTile(at); at = next(at, 1))
    run.push(at);
  return run;
}

/**
 * A word with its points: premiums count under new tiles only.
 *
 * @param {Table} table
 * @param {ReadonlyMap<number, string>} tiles
 * @param {number[]} squares
 * @returns {PlayWord}
 */
function wordOf(table, tiles, squares) {
  let sum = 0;
  let factor = 1;
  const faces = squares.map((square) => tiles.get(square) ?? table.board.get(square) ?? '');
  squares.forEach((square, i) => {
    const premium = tiles.has(square)
      ? (table.layout[Math.floor(square / table.cols)]?.[square % table.cols] ?? '.')
      : '.';
    sum += valueOf(table.setup, faces[i]) * (LETTER_FACTORS[premium] ?? 1);
    factor *= WORD_FACTORS[premium] ?? 1;
  });
  return { text: wordText(faces), squares, score: sum * factor };
}
