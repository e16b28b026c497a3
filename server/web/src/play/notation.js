// Plays as they are typed: `8F HORN` runs across, `H6 FA.M` down; a dot, or letters in parentheses, are tiles that lie
// there already, a lower-case letter is a blank, a face of several characters can stand in brackets.

import { BLANK_FACE, blankFace, isBlankFace, lettersOf, shownFace } from './faces.js';
import { squareBeside, squareOf, startsAcross } from './squares.js';

/** @typedef {import('../model/table.js').Table} Table */

/**
 * @typedef {object} PlayText
 * @property {Table} table
 * @property {boolean} across
 * @property {boolean} isExact Whether lower case means a blank.
 * @property {string[]} letters The faces of the set, the longest first.
 */

/** @typedef {{ laid: Array<[number, string]> } | { code: string }} ParsedPlay */

/**
 * The tiles that a typed play lays, or what is wrong with it. A letter that the rack does not hold is laid as a blank
 * if there is one. Text all in lower case names no blanks.
 *
 * @param {Table} table
 * @param {readonly string[]} rack
 * @param {string} text
 * @returns {Map<number, string> | { code: string }}
 */
export function parsePlay(table, rack, text) {
  const [, start = '', typed = ''] = /^\s*(\S+)\s+(\S+)\s*$/.exec(text.normalize('NFC')) ?? [];
  const first = squareOf(start, table.cols);
  if (first === undefined || first >= table.rows * table.cols) return { code: 'bad_coordinate' };
  const letters = lettersOf(table.setup).sort((a, b) => b.length - a.length);
  const use = { table, across: startsAcross(start), isExact: text !== text.toLowerCase(), letters };
  const parsed = playFrom(use, first, typed, rack);
  return 'code' in parsed ? parsed : new Map(parsed.laid);
}

/**
 * Reads the rest of a play.
 *
 * @param {PlayText} use
 * @param {number | undefined} square
 * @param {string} text
 * @param {readonly string[]} rack
 * @returns {ParsedPlay}
 */
function playFrom(use, square, text, rack) {
  if (text === '') return { laid: [] };
  if (square === undefined) return { code: 'off_board' };
  const lying = use.table.board.get(square);
  const next = squareBeside(use.table, square, use.across ? 0 : 1, use.across ? 1 : 0);
  if (text[0] === '.') return lying ? playFrom(use, next, text.slice(1), rack) : { code: 'gap' };
  if (text[0] === '(') return throughFrom(use, square, text.slice(1), rack);
  if (text[0] === BLANK_FACE) return { code: 'blank_unassigned' };
  const [face, rest] = faceAhead(use, text);
  if (face === '') return { code: 'unknown_tile' };
  // A letter can be written out where it lies already.
  if (lying) return shownFace(face) === shownFace(lying) ? playFrom(use, next, rest, rack) : { code: 'occupied' };
  const wantsBlank = use.isExact && isBlankFace(face);
  const tile = !wantsBlank && rack.includes(shownFace(face)) ? shownFace(face) : BLANK_FACE;
  const place = rack.indexOf(tile);
  if (place < 0) return { code: 'tile_not_in_rack' };
  const read = playFrom(
    use,
    next,
    rest,
    rack.filter((_, i) => i !== place),
  );
  return 'code' in read ? read : { laid: [[square, tile === BLANK_FACE ? blankFace(face) : tile], ...read.laid] };
}

/**
 * The face that a text begins with, and what is behind it; an empty one if there is no such tile. The longest counts:
 * where a set has a tile CH the letters C and H mean it.
 *
 * @param {PlayText} use
 * @param {string} text
 * @returns {[string, string]}
 */
function faceAhead({ letters }, text) {
  const [, inside, behind = ''] = /^\[([^\]]*)\](.*)$/s.exec(text) ?? [];
  if (inside !== undefined) return [letters.includes(shownFace(inside)) ? inside : '', behind];
  const found = letters.find((letter) => shownFace(text).startsWith(letter)) ?? '';
  return [text.slice(0, found.length), text.slice(found.length)];
}

/**
 * Letters in parentheses, which must lie there.
 *
 * @param {PlayText} use
 * @param {number | undefined} square
 * @param {string} text Behind the parenthesis.
 * @param {readonly string[]} rack
 * @returns {ParsedPlay}
 */
function throughFrom(use, square, text, rack) {
  if (text === '' || text[0] === ')') return playFrom(use, square, text.slice(1), rack);
  if (square === undefined) return { code: 'off_board' };
  const lying = shownFace(use.table.board.get(square) ?? '');
  if (lying === '' || !shownFace(text).startsWith(lying)) return { code: 'gap' };
  const next = squareBeside(use.table, square, use.across ? 0 : 1, use.across ? 1 : 0);
  return throughFrom(use, next, text.slice(lying.length), rack);
}
