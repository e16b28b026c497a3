// Squares are numbers, `row * cols + col` from 0. Here they get the names that the protocol gives them, and back.

/**
 * The square of `H8`; `undefined` if it is none. The letter of the column can come in front or behind.
 *
 * @param {string} name
 * @param {number} cols
 * @returns {number | undefined}
 */
export function squareOf(name, cols) {
  const [, before, row, behind] = /^([A-Z]?)([1-9]\d?)([A-Z]?)$/i.exec(name) ?? [];
  if (row === undefined || Boolean(before) === Boolean(behind)) return undefined;
  const col = (before || behind).toUpperCase().charCodeAt(0) - 65;
  return col < cols ? (Number(row) - 1) * cols + col : undefined;
}

/**
 * The name of a square, such as `H8`.
 *
 * @param {number} square
 * @param {number} cols
 */
export function squareName(square, cols) {
  return String.fromCharCode(65 + (square % cols)) + (Math.floor(square / cols) + 1);
}

/**
 * The start of a play: `8F` runs across, `F8` down.
 *
 * @param {number} square
 * @param {boolean} across
 * @param {number} cols
 */
export function startName(square, across, cols) {
  const column = String.fromCharCode(65 + (square % cols));
  const row = Math.floor(square / cols) + 1;
  return across ? `${row}${column}` : `${column}${row}`;
}

/**
 * Whether a play with this start runs across.
 *
 * @param {string} start
 */
export function startsAcross(start) {
  return /^\d/.test(start);
}

/**
 * The squares of the tiles that a play lays, with their faces; a `.` lays none.
 *
 * @param {string} start
 * @param {readonly string[]} tiles
 * @param {number} cols
 * @returns {Array<[number, string]>}
 */
export function laidSquares(start, tiles, cols) {
  const first = squareOf(start, cols);
  if (first === undefined) return [];
  const step = startsAcross(start) ? 1 : cols;
  /** @type {Array<[number, string]>} */
  const squares = tiles.map((face, i) => [first + i * step, face]);
  return squares.filter(([, face]) => face !== '.');
}

/**
 * The next square in a direction, or `undefined` at the edge of the board.
 *
 * @param {{ rows: number, cols: number }} board
 * @param {number} square
 * @param {number} rowStep
 * @param {number} colStep
 * @returns {number | undefined}
 */
export function squareBeside(board, square, rowStep, colStep) {
  const row = Math.floor(square / board.cols) + rowStep;
  const col = (square % board.cols) + colStep;
  const isOnBoard = row >= 0 && row < board.rows && col >= 0 && col < board.cols;
  return isOnBoard ? row * board.cols + col : undefined;
}
