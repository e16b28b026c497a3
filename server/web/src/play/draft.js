// The own tiles as the player has arranged them: on the rack in an order, or laid on the board as a draft. A draft is a
// value that never changes. Rack and draft together are the own tiles, always: `syncDraft` sees to it after every
// event.

import { BLANK_FACE, blankFace, isBlankFace, tileOfFace } from './faces.js';

/** @typedef {import('../model/table.js').Table} Table */

/**
 * An own tile. While it is laid its place on the rack stays free for it.
 *
 * @typedef {object} OwnTile
 * @property {string} tile The face on the rack.
 * @property {number} [square] Where it is laid.
 * @property {string} [face] What it shows there.
 */

/**
 * @typedef {object} Draft
 * @property {ReadonlyArray<Readonly<OwnTile> | undefined>} places The own tiles by their places on the rack.
 */

/**
 * An empty rack.
 *
 * @param {number} rackSize
 * @returns {Draft}
 */
export function newDraft(rackSize) {
  return { places: Array(rackSize).fill(undefined) };
}

/**
 * A draft that was stored as JSON, as far as it is one. It must be synchronised before it is used.
 *
 * @param {any} stored
 * @param {number} rackSize
 * @returns {Draft}
 */
export function storedDraft(stored, rackSize) {
  const draft = newDraft(rackSize);
  if (!Array.isArray(stored?.places)) return draft;
  const places = draft.places.map((_, i) => {
    const { tile, square, face } = stored.places[i] ?? {};
    if (typeof tile !== 'string') return undefined;
    const isLaid = Number.isInteger(square) && typeof face === 'string' && tileOfFace(face) === tile;
    return isLaid ? { tile, square, face } : { tile };
  });
  return { places };
}

/**
 * Fits a draft to what the table says now. The player's order stays, new tiles fill the free places, and tiles whose
 * square is taken go back to the rack: `returned` has those. The same draft comes back if nothing is different.
 *
 * @param {Draft} draft
 * @param {Table} table
 * @returns {{ draft: Draft, returned: string[] }}
 */
export function syncDraft(draft, table) {
  const owned = table.seat === undefined ? [] : (table.seats[table.seat]?.rack ?? []);
  /** @param {OwnTile | undefined} own */
  const lostItsSquare = (own) => own?.square !== undefined && table.board.has(own.square);
  const places = [...draft.places];
  const news = [...owned];
  // Where there are more tiles than the player has now, those on taken squares are gone, or else some of the rack.
  const order = [...places.keys()].sort((a, b) => rankOf(places[a]) - rankOf(places[b]) || a - b);
  /** @param {OwnTile | undefined} own */
  function rankOf(own) {
    if (lostItsSquare(own)) return 2;
    return own?.square === undefined ? 1 : 0;
  }
  for (const place of order) {
    const own = places[place];
    if (!own) continue;
    const at = news.indexOf(own.tile);
    if (at < 0) places[place] = undefined;
    else news.splice(at, 1);
  }
  const returned = places.flatMap((own) => (own && lostItsSquare(own) ? [own.tile] : []));
  const kept = places.map((own) => (own && lostItsSquare(own) ? { tile: own.tile } : own));
  for (const tile of news) kept[freePlace(kept)] = { tile };
  const isSame = kept.length === draft.places.length && kept.every((own, i) => own === draft.places[i]);
  return { draft: isSame ? draft : { places: kept }, returned };
}

/**
 * Lays the tile of a place on a square. A tile that was laid there goes back to the rack.
 *
 * @param {Draft} draft
 * @param {number} place
 * @param {number} square
 * @param {string} [face] What a blank stands for, in either case; without it for nothing yet.
 * @returns {Draft}
 */
export function layTile(draft, place, square, face) {
  const own = draft.places[place];
  if (!own) return draft;
  const shown = own.tile === BLANK_FACE ? blankFace(face ?? own.face ?? BLANK_FACE) : own.tile;
  return {
    places: returnTile(draft, square).places.map((other, i) =>
      i === place ? { tile: own.tile, square, face: shown } : other,
    ),
  };
}

/**
 * Moves a laid tile to another square. If a tile is laid there the two change places.
 *
 * @param {Draft} draft
 * @param {number} from
 * @param {number} to
 * @returns {Draft}
 */
export function moveTile(draft, from, to) {
  return {
    places: draft.places.map((own) => {
      if (own?.square === from) return { ...own, square: to };
      return own?.square === to && placeOfSquare(draft, from) >= 0 ? { ...own, square: from } : own;
    }),
  };
}

/**
 * Takes a laid tile back to the rack: to its own place, or to another one, whose tile then changes places with it.
 *
 * @param {Draft} draft
 * @param {number} square
 * @param {number} [place]
 * @returns {Draft}
 */
export function returnTile(draft, square, place) {
  const home = placeOfSquare(draft, square);
  if (home < 0) return draft;
  const places = draft.places.map((own, i) => (own && i === home ? { tile: own.tile } : own));
  return place === undefined ? { places } : swapPlaces({ places }, home, place);
}

/**
 * Takes all laid tiles back.
 *
 * @param {Draft} draft
 * @returns {Draft}
 */
export function recall(draft) {
  if (draft.places.every((own) => own?.square === undefined)) return draft;
  return { places: draft.places.map((own) => own && { tile: own.tile }) };
}

/**
 * Mixes the tiles on the rack; something changes if they are not all the same.
 *
 * @param {Draft} draft
 * @param {() => number} random From 0 to less than 1.
 * @returns {Draft}
 */
export function shuffle(draft, random) {
  const onRack = [...draft.places.keys()].filter((place) => isOnRack(draft.places[place]));
  const tiles = onRack.map((place) => draft.places[place]);
  for (let i = tiles.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [tiles[i], tiles[j]] = [tiles[j], tiles[i]];
  }
  const isSame = onRack.every((place, i) => draft.places[place]?.tile === tiles[i]?.tile);
  if (isSame) {
    const other = tiles.findIndex((own) => own?.tile !== tiles[0]?.tile);
    if (other > 0) [tiles[0], tiles[other]] = [tiles[other], tiles[0]];
  }
  const places = [...draft.places];
  onRack.forEach((place, i) => {
    places[place] = tiles[i];
  });
  return { places };
}

/**
 * Lets two places of the rack change their tiles; either can be free.
 *
 * @param {Draft} draft
 * @param {number} a
 * @param {number} b
 * @returns {Draft}
 */
export function swapPlaces(draft, a, b) {
  const places = [...draft.places];
  if (a < 0 || b < 0 || a >= places.length || b >= places.length) return draft;
  [places[a], places[b]] = [places[b], places[a]];
  return { places };
}

/**
 * The tiles laid on the board, by their squares.
 *
 * @param {Draft} draft
 * @returns {Map<number, string>}
 */
export function draftTiles(draft) {
  const laid = draft.places.filter((own) => own?.square !== undefined);
  return new Map(laid.map((own) => [own?.square ?? 0, own?.face ?? BLANK_FACE]));
}

/**
 * The tiles on the rack, by place; the places of laid tiles are free.
 *
 * @param {Draft} draft
 * @returns {Array<string | undefined>}
 */
export function rackPlaces(draft) {
  return draft.places.map((own) => (isOnRack(own) ? own?.tile : undefined));
}

/**
 * The place of the tile that is laid on a square; -1 if none is.
 *
 * @param {Draft} draft
 * @param {number} square
 */
export function placeOfSquare(draft, square) {
  return draft.places.findIndex((own) => own?.square === square);
}

/**
 * The first place whose tile can be laid as a face, a letter before a blank; -1 if there is none. A blank's face needs
 * a blank.
 *
 * @param {Draft} draft
 * @param {string} face
 */
export function placeForFace(draft, face) {
  const rack = rackPlaces(draft);
  const place = isBlankFace(face) ? -1 : rack.indexOf(face);
  return place >= 0 ? place : rack.indexOf(BLANK_FACE);
}

/** @param {OwnTile | undefined} own */
function isOnRack(own) {
  return own !== undefined && own.square === undefined;
}

/** @param {ReadonlyArray<OwnTile | undefined>} places */
function freePlace(places) {
  const free = places.indexOf(undefined);
  return free < 0 ? places.length : free;
}
