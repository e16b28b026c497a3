// Laying tiles by typing: a cursor on the board that letters follow. A tile of several characters is typed letter by
// letter: a second L after an L makes LL of it, `L.L` makes L·L, and a tile CH is never laid as C and H.

import { blankFace, lettersOf, shownFace } from './faces.js';
import { draftTiles, layTile, placeForFace, placeOfSquare, rackPlaces, returnTile } from './draft.js';
import { squareBeside } from './squares.js';

/** @typedef {import('../model/table.js').Table} Table */
/** @typedef {import('./draft.js').Draft} Draft */

/** @typedef {{ square: number, across: boolean }} Cursor */

/**
 * @typedef {object} Typing
 * @property {Draft} draft
 * @property {Cursor | undefined} cursor
 * @property {{ square: number, text: string, blank: boolean } | undefined} last The tile that was typed last, what was
 * typed for it, and whether a blank was asked for: the next letter can belong to it.
 * @property {{ code: 'not_a_tile' | 'no_tile' | 'off_board' | 'unsplit', face: string } | undefined} refused Why the
 * last key changed nothing: the set has no such tile, the rack does not hold it, or the line is full.
 */

/**
 * @param {Draft} draft
 * @param {Cursor} [cursor]
 * @returns {Typing}
 */
export function newTyping(draft, cursor) {
  return { draft, cursor, last: undefined, refused: undefined };
}

/**
 * A letter was typed.
 *
 * @param {Typing} state
 * @param {Table} table
 * @param {string} letter One character.
 * @param {{ blank?: boolean }} [how] `blank`: lay a blank for it.
 * @returns {Typing}
 */
export function typeLetter(state, table, letter, { blank = false } = {}) {
  if (!state.cursor) return state;
  const typed = letter.normalize('NFC').toUpperCase();
  return typedInto(state, table, typed, blank) ?? typedAnew(state, table, typed, blank);
}

/**
 * Takes back the tile before the cursor, or moves the cursor back.
 *
 * @param {Typing} state
 * @param {Table} table
 * @param {{ split?: boolean }} [how] `split`: a tile of several letters becomes several tiles.
 * @returns {Typing}
 */
export function backspace(state, table, { split = false } = {}) {
  const { draft, cursor } = state;
  if (!cursor) return state;
  const laid = draftTiles(draft);
  let square = /** @type {number | undefined} */ (cursor.square);
  if (!laid.has(cursor.square)) square = steppedBack(table, cursor);
  if (square === undefined) return { ...state, last: undefined, refused: undefined };
  const parts = lettersInFace(table, laid.get(square) ?? '');
  if (split && parts.length > 1) return splitTile(state, table, square, parts);
  return { draft: returnTile(draft, square), cursor: { ...cursor, square }, last: undefined, refused: undefined };
}

/**
 * Turns the cursor from right to down and back.
 *
 * @param {Typing} state
 * @returns {Typing}
 */
export function turnCursor(state) {
  const { cursor } = state;
  return { ...state, cursor: cursor && { ...cursor, across: !cursor.across }, last: undefined, refused: undefined };
}

/**
 * Moves the cursor by rows and columns, as far as the board goes. Without a cursor it comes to the start square.
 *
 * @param {Typing} state
 * @param {Table} table
 * @param {number} rows
 * @param {number} cols
 * @returns {Typing}
 */
export function moveCursor(state, table, rows, cols) {
  const { cursor } = state;
  const square = cursor ? (squareBeside(table, cursor.square, rows, cols) ?? cursor.square) : table.start;
  return { ...state, cursor: { square, across: cursor?.across ?? true }, last: undefined, refused: undefined };
}

/**
 * A square was chosen: the cursor comes there to go right, then down, then it goes away.
 *
 * @param {Typing} state
 * @param {number} square
 * @returns {Typing}
 */
export function cycleCursor(state, square) {
  const { cursor } = state;
  const across = cursor?.square !== square;
  const next = across || cursor?.across ? { square, across } : undefined;
  return { ...state, cursor: next, last: undefined, refused: undefined };
}

/**
 * The letter belongs to the tile typed before, if what was typed for both is the face of a tile, or begins one with a
 * dot.
 *
 * @param {Typing} state
 * @param {Table} table
 * @param {string} typed
 * @param {boolean} blank
 * @returns {Typing | undefined}
 */
function typedInto(state, table, typed, blank) {
  const { draft, last, cursor } = state;
  const place = last ? placeOfSquare(draft, last.square) : -1;
  if (!last || place < 0 || !cursor) return undefined;
  const text = last.text + typed;
  const face = lettersOf(table.setup).find((letter) => [...letter].length > 1 && typedForm(letter) === typedForm(text));
  if (face) {
    const laid = draftTiles(draft).get(last.square) ?? '';
    const wantsBlank = blank || last.blank;
    const done = { square: last.square, text, blank: wantsBlank };
    if (shownFace(laid) === face) return { ...state, last: done, refused: undefined };
    const without = returnTile(draft, last.square);
    const next = placeForFace(without, wantsBlank ? blankFace(face) : face);
    if (next >= 0) return { draft: layTile(without, next, last.square, face), cursor, last: done, refused: undefined };
    // Two tiles of one letter can lie side by side; those of different letters would only look like the tile.
    return isOneLetter(face) ? undefined : { ...state, last: undefined, refused: { code: 'no_tile', face } };
  }
  // Dots and hyphens are no letters, so they wait for the letter behind them.
  const isBegun =
    !/\p{L}/u.test(typed) && lettersOf(table.setup).some((letter) => typedForm(letter).startsWith(typedForm(text)));
  return isBegun ? { ...state, last: { ...last, text }, refused: undefined } : undefined;
}

/**
 * The letter is a tile of its own, on the next free square.
 *
 * @param {Typing} state
 * @param {Table} table
 * @param {string} typed
 * @param {boolean} blank
 * @returns {Typing}
 */
function typedAnew(state, table, typed, blank) {
  const { draft } = state;
  const cursor = /** @type {Cursor} */ (state.cursor);
  const faces = facesFor(table, draft, typed);
  if (faces.length === 0) return { ...state, last: undefined, refused: { code: 'not_a_tile', face: typed } };
  const square = freeSquareFrom(table, draft, cursor.square, cursor.across);
  if (square === undefined) return { ...state, last: undefined, refused: { code: 'off_board', face: typed } };
  for (const face of faces) {
    const place = placeForFace(draft, blank ? blankFace(face) : face);
    if (place < 0) continue;
    const laid = layTile(draft, place, square, face);
    const next = freeSquareFrom(table, laid, square, cursor.across) ?? square;
    return {
      draft: laid,
      cursor: { ...cursor, square: next },
      last: { square, text: typed, blank },
      refused: undefined,
    };
  }
  return { ...state, last: undefined, refused: { code: 'no_tile', face: faces[0] } };
}

/**
 * The faces that a typed letter can begin, the best first: the letter itself, without its mark if there is no such
 * tile; or if neither it nor a blank is on the rack, a tile that begins with it, such as QU where no Q is.
 *
 * @param {Table} table
 * @param {Draft} draft
 * @param {string} typed
 * @returns {string[]}
 */
function facesFor(table, draft, typed) {
  const letters = lettersOf(table.setup);
  const plain = typed.normalize('NFD').replace(/\p{M}/gu, '');
  const letter = [typed, plain].find((face) => letters.includes(face));
  const rack = new Set(rackPlaces(draft));
  const longer = letters.filter((face) => [...face].length > 1 && face.startsWith(plain) && plain !== '');
  if (letter) return [letter, ...longer.filter((face) => rack.has(face))];
  // A blank can stand for it too.
  return [...longer.filter((face) => rack.has(face)), ...longer.filter((face) => !rack.has(face))];
}

/**
 * @param {Typing} state
 * @param {Table} table
 * @param {number} square
 * @param {string[]} parts
 * @returns {Typing}
 */
function splitTile(state, table, square, parts) {
  const cursor = /** @type {Cursor} */ (state.cursor);
  let { draft } = state;
  const face = draftTiles(draft).get(square) ?? '';
  draft = returnTile(draft, square);
  let at = /** @type {number | undefined} */ (square);
  for (const part of parts) {
    const place = placeForFace(draft, part);
    if (at !== undefined) at = freeSquareFrom(table, draft, at, cursor.across);
    if (place < 0 || at === undefined) return { ...state, refused: { code: 'unsplit', face } };
    draft = layTile(draft, place, at, part);
  }
  const next = freeSquareFrom(table, draft, square, cursor.across) ?? square;
  return { draft, cursor: { ...cursor, square: next }, last: undefined, refused: undefined };
}

/**
 * The single letters that a face is written with.
 *
 * @param {Table} table
 * @param {string} face
 */
function lettersInFace(table, face) {
  const letters = new Set(lettersOf(table.setup));
  return [...shownFace(face)].filter((letter) => letters.has(letter));
}

/**
 * The square before the cursor, across tiles of the board.
 *
 * @param {Table} table
 * @param {Cursor} cursor
 * @returns {number | undefined}
 */
function steppedBack(table, { square, across }) {
  /** @param {number} at */
  const before = (at) => squareBeside(table, at, across ? 0 : -1, across ? -1 : 0);
  let at = before(square);
  while (at !== undefined && table.board.has(at)) at = before(at);
  return at;
}

/**
 * The first square from one on, in the direction of typing, on which no tile lies.
 *
 * @param {Table} table
 * @param {Draft} draft
 * @param {number} square
 * @param {boolean} across
 * @returns {number | undefined}
 */
function freeSquareFrom(table, draft, square, across) {
  const laid = draftTiles(draft);
  let at = /** @type {number | undefined} */ (square);
  while (at !== undefined && (table.board.has(at) || laid.has(at)))
    at = squareBeside(table, at, across ? 0 : 1, across ? 1 : 0);
  return at;
}

/** @param {string} face */
function isOneLetter(face) {
  return [...face].every((letter) => letter === face[0]);
}

/**
 * A face as it is typed: a dot or a hyphen stands for the raised dot.
 *
 * @param {string} text
 */
function typedForm(text) {
  return text.replace(/[-.]/g, '·');
}
