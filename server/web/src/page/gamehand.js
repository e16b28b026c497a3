// The player's own tiles: what presses, drags and keys make of rack and board. Nothing here is sent.

import { blankFace, isBlankFace, shownFace } from '../play/faces.js';
import {
  draftTiles,
  layTile,
  moveTile,
  newDraft,
  placeOfSquare,
  rackPlaces,
  recall,
  returnTile,
  shuffle,
  storedDraft,
  swapPlaces,
  syncDraft,
} from '../play/draft.js';
import { backspace, cycleCursor, moveCursor, newTyping, turnCursor, typeLetter } from '../play/typing.js';
import { squareName } from '../play/squares.js';
import { askBlank } from '../view/gamedialogs.js';
import { words } from '../text/words.js';

/** @typedef {import('../input/pointer.js').Spot} Spot */
/** @typedef {import('../play/draft.js').Draft} Draft */

/** Rack, draft and cursor of the player. */
export class GameHand {
  /** @param {import('./game.js').GamePage} page */
  constructor(page) {
    this.page = page;
    this.typing = newTyping(newDraft(7));
    /** @type {Spot | undefined} A tile that is picked up by a press. */
    this.picked = undefined;
    this.isRestored = false;
  }

  get draft() {
    return this.typing.draft;
  }

  get cursor() {
    return this.typing.cursor;
  }

  /** The tiles on the board that are not played yet. */
  get tiles() {
    return draftTiles(this.draft);
  }

  /** Fits the tiles to the table after anything that came. */
  sync() {
    const { page } = this;
    const { table } = page;
    if (table.seat === undefined || !table.isKnown) return;
    if (!this.isRestored) {
      this.isRestored = true;
      this.typing = newTyping(storedDraft(page.racks.of(page.game), table.setup.rule_set.rack_size));
    }
    const { draft, returned } = syncDraft(this.draft, table);
    if (draft === this.draft) return;
    const isTaken = this.cursor && table.board.has(this.cursor.square);
    this.typing = newTyping(draft, isTaken ? undefined : this.cursor);
    if (returned.length > 0) {
      const text = words().game.returnedTiles(words().game.list(returned.map(shownFace)));
      page.frame.toast(text);
      page.frame.announce(text);
    }
    this.#keep();
  }

  /** @param {Draft} draft Takes over what the player has made of the tiles. */
  take(draft) {
    this.takeTyping(newTyping(draft, this.cursor));
  }

  /** @param {import('../play/typing.js').Typing} typing */
  takeTyping(typing) {
    const isNew = typing.draft !== this.draft;
    this.typing = typing;
    if (isNew) this.#keep();
    this.page.changed();
  }

  #keep() {
    this.page.racks.keep(this.page.game, this.draft);
  }

  /**
   * Whether the player may move the tile there.
   *
   * @param {Spot} spot
   */
  canDrag({ square, place }) {
    if (this.page.isLooking) return false;
    return square !== undefined ? this.tiles.has(square) : rackPlaces(this.draft)[place ?? -1] !== undefined;
  }

  /**
   * The face of the tile there.
   *
   * @param {Spot} spot
   */
  faceAt({ square, place }) {
    return square !== undefined ? this.tiles.get(square) : rackPlaces(this.draft)[place ?? -1];
  }

  /**
   * A press without a drag.
   *
   * @param {Spot} spot
   */
  tap(spot) {
    if (this.page.isLooking || !this.page.isPlaying) return;
    if (spot.place !== undefined) this.#tapPlace(spot.place);
    else if (spot.square !== undefined) this.#tapSquare(spot.square);
    this.page.changed();
  }

  /** @param {number} place */
  #tapPlace(place) {
    const { picked, cursor } = this;
    this.picked = undefined;
    if (picked?.square !== undefined) this.take(returnTile(this.draft, picked.square, place));
    else if (rackPlaces(this.draft)[place] === undefined || picked?.place === place) return;
    else if (cursor && !this.#isTaken(cursor.square)) this.#layAtCursor(place, cursor);
    else this.picked = { place };
  }

  /** @param {number} square */
  #tapSquare(square) {
    const { picked } = this;
    if (this.page.table.board.has(square)) return;
    this.picked = undefined;
    if (picked?.place !== undefined) void this.lay(picked.place, square);
    else if (picked?.square !== undefined && picked.square !== square) this.#move(picked.square, square);
    else if (picked?.square === square) {
      if (isBlankFace(this.tiles.get(square) ?? '')) void this.#nameBlank(square);
    } else if (this.tiles.has(square)) this.picked = { square };
    else this.typing = cycleCursor(this.typing, square);
  }

  /** @param {number} place @param {{ square: number, across: boolean }} cursor */
  #layAtCursor(place, cursor) {
    void this.lay(place, cursor.square);
    this.typing = newTyping(this.draft, this.#nextFree(cursor));
  }

  /**
   * The next square of a line without a tile.
   *
   * @param {{ square: number, across: boolean }} cursor
   */
  #nextFree({ square, across }) {
    const { cols, rows } = this.page.table;
    for (let next = square; ;) {
      const isEnd = across ? next % cols === cols - 1 : next >= cols * (rows - 1);
      if (isEnd) return undefined;
      next += across ? 1 : cols;
      if (!this.#isTaken(next)) return { square: next, across };
    }
  }

  /** @param {number} square */
  #isTaken(square) {
    return this.page.table.board.has(square) || this.tiles.has(square);
  }

  /**
   * The end of a drag.
   *
   * @param {Spot} from
   * @param {Spot | undefined} to
   */
  drop(from, to) {
    const isTaken = to?.square !== undefined && this.page.table.board.has(to.square);
    if (from.place !== undefined) {
      if (to?.square !== undefined && !isTaken) void this.lay(from.place, to.square);
      else if (to?.place !== undefined) this.take(swapPlaces(this.draft, from.place, to.place));
    } else if (from.square !== undefined && !isTaken) {
      if (to?.square !== undefined) this.#move(from.square, to.square);
      else this.back(from.square, to?.place);
    }
    this.picked = undefined;
    this.page.changed();
  }

  /**
   * Takes a tile back to the rack.
   *
   * @param {number} square
   * @param {number} [place]
   */
  back(square, place) {
    const face = this.tiles.get(square);
    if (face === undefined) return;
    this.take(returnTile(this.draft, square, place));
    this.page.frame.announce(words().game.tookBack(shownFace(face)));
  }

  /** @param {number} from @param {number} to */
  #move(from, to) {
    this.take(moveTile(this.draft, from, to));
    this.#landed(to);
  }

  /**
   * Lays a tile of the rack; asks what a blank stands for.
   *
   * @param {number} place
   * @param {number} square
   * @param {string} [face] What a blank stands for.
   */
  async lay(place, square, face) {
    this.take(layTile(this.draft, place, square, face));
    this.#landed(square);
    if (this.tiles.get(square) === '?') await this.#nameBlank(square);
  }

  /** @param {number} square */
  #landed(square) {
    const { page } = this;
    page.sounds.play('tile');
    page.board?.squares[square].classList.add('landed');
    const face = this.tiles.get(square);
    if (face && face !== '?')
      page.frame.announce(words().game.laid(shownFace(face), squareName(square, page.table.cols)));
  }

  /** @param {number} square */
  async #nameBlank(square) {
    const letter = await askBlank(this.page.frame, this.page.table.setup);
    const place = placeOfSquare(this.draft, square);
    if (place < 0) return;
    if (letter !== undefined) {
      this.take(layTile(this.draft, place, square, blankFace(letter)));
      this.#landed(square);
    } else if (this.tiles.get(square) === '?') this.back(square);
  }

  /**
   * Lays a whole play, as from a command.
   *
   * @param {Map<number, string>} tiles
   */
  layAll(tiles) {
    let draft = recall(this.draft);
    for (const [square, face] of tiles) {
      const rack = rackPlaces(draft);
      const place = rack.indexOf(isBlankFace(face) ? '?' : face);
      if (place >= 0) draft = layTile(draft, place, square, face);
    }
    this.take(draft);
  }

  shuffle() {
    this.picked = undefined;
    this.take(shuffle(this.draft, Math.random));
  }

  recall() {
    this.picked = undefined;
    this.takeTyping(newTyping(recall(this.draft)));
  }

  /** @param {string} letter @param {boolean} blank */
  type(letter, blank) {
    const { page } = this;
    if (!this.cursor)
      this.typing = newTyping(this.draft, { square: page.board?.tabStop() ?? page.table.start, across: true });
    const before = this.draft;
    this.picked = undefined;
    this.takeTyping(typeLetter(this.typing, page.table, letter, { blank }));
    const { refused, last } = this.typing;
    if (refused) {
      page.frame.announce(words().game.typingRefused[refused.code](shownFace(refused.face)));
    } else if (last && this.draft !== before) {
      this.#landed(last.square);
    }
    if (page.board?.hasFocus() && this.cursor) page.board.focus(this.cursor.square);
  }

  /** @param {boolean} split @returns {boolean} */
  backspace(split) {
    const { page } = this;
    const before = this.tiles;
    if (!this.cursor) {
      const focus = page.board?.hasFocus() ? page.board.tabStop() : undefined;
      if (focus === undefined || !before.has(focus)) return false;
      this.back(focus);
      return true;
    }
    this.takeTyping(backspace(this.typing, page.table, { split }));
    for (const [square, face] of before) {
      if (!this.tiles.has(square)) page.frame.announce(words().game.tookBack(shownFace(face)));
    }
    return true;
  }

  turn() {
    if (!this.cursor) return false;
    this.takeTyping(turnCursor(this.typing));
    return true;
  }

  /** @param {number} dx @param {number} dy */
  moveCursor(dx, dy) {
    this.takeTyping(moveCursor(this.typing, this.page.table, dy, dx));
  }
}
