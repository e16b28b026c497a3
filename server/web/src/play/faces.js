// The faces of tiles: `A` a letter, `a` a blank that stands for it, `?` a blank that stands for nothing yet. A face can
// have several characters (`CH`, `L·L`), so tiles come in lists and whole faces are compared.

/** The face of a blank that stands for nothing yet. */
export const BLANK_FACE = '?';

/** @type {WeakMap<readonly unknown[], Map<string, number>>} */
const valuesOfSets = new WeakMap();

/**
 * Whether a face is that of a blank, on a rack or on the board.
 *
 * @param {string} face
 */
export function isBlankFace(face) {
  return face === BLANK_FACE || face !== face.toUpperCase();
}

/**
 * The face that a tile of the board has on a rack: `?` for every blank.
 *
 * @param {string} face
 */
export function tileOfFace(face) {
  return isBlankFace(face) ? BLANK_FACE : face;
}

/**
 * The face that a tile shows, blank or not.
 *
 * @param {string} face
 */
export function shownFace(face) {
  return face.toUpperCase();
}

/**
 * The face of a blank that stands for a letter.
 *
 * @param {string} face
 */
export function blankFace(face) {
  return face.toLowerCase();
}

/**
 * The points of a tile; blanks have none.
 *
 * @param {Protocol.GameSetup} setup
 * @param {string} face
 */
export function valueOf(setup, face) {
  const { tiles } = setup.rule_set;
  let values = valuesOfSets.get(tiles);
  if (!values) {
    values = new Map(tiles.map((tile) => [tile.face, tile.value]));
    valuesOfSets.set(tiles, values);
  }
  return values.get(tileOfFace(face)) ?? 0;
}

/**
 * The letters of the tile set in their order, without the blank.
 *
 * @param {Protocol.GameSetup} setup
 */
export function lettersOf(setup) {
  return setup.rule_set.tiles.map(({ face }) => face).filter((face) => face !== BLANK_FACE);
}

/**
 * A word as the protocol writes it: a face of several characters stands in brackets.
 *
 * @param {readonly string[]} faces
 */
export function wordText(faces) {
  return faces.map((face) => ([...face].length > 1 ? `[${face}]` : face)).join('');
}

/**
 * The faces of a word as the protocol writes it.
 *
 * @param {string} word
 * @returns {string[]}
 */
export function facesOfWord(word) {
  return (word.match(/\[[^\]]*\]|./gsu) ?? []).map((part) => part.replace(/^\[|\]$/g, ''));
}

/**
 * The tiles of a rack that a typed text names, such as `AEI?` or `[LL]A`; a long face comes before its parts. No answer
 * if the rack does not hold them.
 *
 * @param {readonly string[]} rack
 * @param {string} typed
 * @returns {string[] | undefined}
 */
export function typedFaces(rack, typed) {
  const text = typed
    .normalize('NFC')
    .toUpperCase()
    .replace(/[\s,[\]]/g, '');
  if (text === '') return [];
  const faces = [...new Set(rack)].filter((face) => text.startsWith(face)).sort((a, b) => b.length - a.length);
  for (const face of faces) {
    const left = [...rack];
    left.splice(left.indexOf(face), 1);
    const rest = typedFaces(left, text.slice(face.length));
    if (rest) return [face, ...rest];
  }
  return undefined;
}
