// Ties presses and keys to what they mean in a game.

import { el } from '../view/dom.js';
import { isBlankFace, shownFace, valueOf } from '../play/faces.js';
import { squareBeside } from '../play/squares.js';
import { swapPlaces } from '../play/draft.js';

/** @typedef {import('./game.js').GamePage} GamePage */

/**
 * @param {GamePage} page
 * @returns {import('../input/pointer.js').PointerActs}
 */
export function pointerActs(page) {
  const { hand } = page;
  return {
    canDrag: (spot) => hand.canDrag(spot),
    lift: (spot) => inputLift(page, spot),
    tap: (spot) => hand.tap(spot),
    start: (spot) => {
      hand.picked = undefined;
      page.zoom?.begin(spot.square ?? page.focusSquare());
      inputNode(page, spot)?.classList.add('leaving');
    },
    move: (x, y) => page.zoom?.edge(x, y),
    drop: (from, to) => {
      inputNode(page, from)?.classList.remove('leaving');
      hand.drop(from, to);
    },
    cancel: () => {
      for (const node of page.node.querySelectorAll('.leaving')) node.classList.remove('leaving');
      page.changed();
    },
    menu: (square) => hand.back(square),
    pan: (dx, dy) => page.zoom?.pan(dx, dy) ?? false,
  };
}

/** @param {GamePage} page @param {import('../input/pointer.js').Spot} spot */
function inputNode(page, { square, place }) {
  return square !== undefined ? page.board?.squares[square] : page.scene.rack.places[place ?? -1];
}

/**
 * The tile that follows the pointer: as large as where it comes from, or as a square of the board if that is larger.
 *
 * @param {GamePage} page
 * @param {import('../input/pointer.js').Spot} spot
 */
function inputLift(page, spot) {
  const face = page.hand.faceAt(spot) ?? '?';
  const width = Math.max(inputNode(page, spot)?.offsetWidth ?? 40, page.board?.squares[0].offsetWidth ?? 0, 34);
  const isBlank = isBlankFace(face);
  const node = el(
    'div',
    {
      class: `tile lifted${isBlank ? ' blank' : ''}${shownFace(face).length > 1 ? ' long' : ''}`,
      'aria-hidden': 'true',
    },
    el('i', { text: face === '?' ? '' : shownFace(face) }),
    !isBlank && el('sub', { text: String(valueOf(page.table.setup, face)) }),
  );
  node.style.setProperty('--sq', `${width}px`);
  return { node, width };
}

/**
 * @param {GamePage} page
 * @returns {import('../input/keyboard.js').KeyActs}
 */
export function keyActs(page) {
  const { hand } = page;
  const canLay = () => page.isPlayer && page.table.isKnown && !page.isLooking && page.table.phase !== 'ended';
  return {
    letter: (letter, isBlank) => {
      if (canLay()) hand.type(letter, isBlank);
    },
    arrow: (dx, dy, event) => inputArrow(page, dx, dy, event, canLay()),
    step: (step) => page.table.isKnown && page.history.step(step),
    back: (isSplit) => canLay() && hand.backspace(isSplit),
    turn: () => {
      const square = page.board?.hasFocus() ? page.board.tabStop() : undefined;
      if (!canLay()) return false;
      if (hand.picked || (square !== undefined && hand.cursor?.square !== square)) {
        if (square !== undefined) hand.tap({ square });
        return square !== undefined;
      }
      return hand.turn();
    },
    enter: () => inputEnter(page, canLay()),
    escape: () => inputEscape(page),
    command: () => void page.acts.command(),
    read: (what) => page.news.read(what),
  };
}

/** @param {GamePage} page @param {boolean} canLay */
function inputEnter(page, canLay) {
  const { hand, placement, table, board } = page;
  if (page.isLooking && table.phase !== 'ended') {
    page.history.live();
    return true;
  }
  if (!canLay) return false;
  if (hand.picked && board?.hasFocus()) hand.tap({ square: board.tabStop() });
  else if (placement.ok && hand.tiles.size > 0 && table.onTurn === table.seat && page.send.turn === undefined)
    page.acts.play(placement);
  else if (hand.tiles.size === 0 && board?.hasFocus()) hand.tap({ square: board.tabStop() });
  else page.scene.sayPrimary();
  return true;
}

/** @param {GamePage} page */
function inputEscape(page) {
  const { hand } = page;
  if (page.pointer.cancel() || page.scene.lowerSheet()) return true;
  if (page.isLooking) {
    if (page.table.phase !== 'ended') page.history.live();
    return true;
  }
  if (hand.picked) hand.picked = undefined;
  else hand.recall();
  page.changed();
  return true;
}

/**
 * Arrows move the cursor, the focus on board and rack, or along the turns.
 *
 * @param {GamePage} page
 * @param {number} dx
 * @param {number} dy
 * @param {KeyboardEvent} event
 * @param {boolean} canLay
 * @returns {boolean}
 */
function inputArrow(page, dx, dy, event, canLay) {
  const { hand, board, table } = page;
  const place = event.target instanceof HTMLElement && event.target.closest('[data-place]');
  if (place instanceof HTMLElement && dx !== 0 && canLay)
    return inputArrowOnRack(page, Number(place.dataset.place), dx, event.shiftKey);
  if (board?.hasFocus() || (hand.cursor && canLay)) {
    if (hand.cursor && canLay) hand.moveCursor(dx, dy);
    const square = hand.cursor && canLay ? hand.cursor.square : squareBeside(table, board?.tabStop() ?? 0, dy, dx);
    if (square !== undefined && board?.hasFocus()) board.focus(square);
    return true;
  }
  if (event.target instanceof Element && event.target.closest('.scroll')) return false;
  if (dx === 0 || !table.isKnown) return false;
  return page.history.step(dx < 0 ? 'previous' : 'next');
}

/**
 * With Shift the tile goes along.
 *
 * @param {GamePage} page
 * @param {number} place
 * @param {number} dx
 * @param {boolean} isMoved
 */
function inputArrowOnRack(page, place, dx, isMoved) {
  const { places } = page.scene.rack;
  const next = place + dx;
  if (next < 0 || next >= places.length) return true;
  if (isMoved) page.hand.take(swapPlaces(page.hand.draft, place, next));
  places[next].focus();
  return true;
}
