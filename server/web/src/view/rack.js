// The rack: one button for each place, also for those whose tile lies on the board.

import { el, setAttribute, setText } from './dom.js';
import { faceName } from './board.js';
import { isBlankFace, shownFace, valueOf } from '../play/faces.js';
import { words } from '../text/words.js';

/**
 * @typedef {object} RackView
 * @property {any} setup
 * @property {(string | undefined)[]} places The tile on each place.
 * @property {number} [picked] The place whose tile is picked up.
 * @property {string} [label]
 */

/**
 * Makes a rack. Each place has `data-place`, so that the pointer finds it; `onpress` gets presses by key.
 *
 * @param {{ isSmall?: boolean, onpress?: (place: number) => void }} [options] A small rack only shows tiles.
 */
export function createRack({ isSmall = false, onpress } = {}) {
  const node = el('div', { class: isSmall ? 'rack small' : 'rack', role: 'group', 'aria-label': words().game.rack });
  /** @type {HTMLElement[]} */
  const places = [];

  /** @param {number} count */
  const resize = (count) => {
    while (places.length < count) places.push(rackPlace(places.length, isSmall, onpress));
    places.length = count;
    node.replaceChildren(...places);
    node.style.setProperty('--places', String(count));
  };
  return {
    node,
    places,
    /** @param {RackView} view */
    update(view) {
      if (places.length !== view.places.length) resize(view.places.length);
      if (view.label) setAttribute(node, 'aria-label', view.label);
      places.forEach((place, i) => rackUpdatePlace(place, view.places[i], view, view.picked === i, isSmall));
    },
  };
}

/**
 * @param {number} place
 * @param {boolean} isSmall
 * @param {((place: number) => void) | undefined} onpress
 */
function rackPlace(place, isSmall, onpress) {
  // The name of a tile says what is seen, in words.
  const shown = /** @type {const} */ (['i', 'sub']).map((tag) => el(tag, { 'aria-hidden': 'true' }));
  if (isSmall) return el('span', { class: 'slot', role: 'img' }, ...shown);
  const node = el('button', { type: 'button', class: 'slot', 'data-place': place }, ...shown);
  // A press of a pointer is the pointer's business; a click without one comes from a key or a screen reader.
  node.addEventListener('click', (event) => {
    if (event.detail === 0) onpress?.(place);
  });
  return node;
}

/**
 * @param {HTMLElement} node
 * @param {string | undefined} face
 * @param {RackView} view
 * @param {boolean} isPicked
 * @param {boolean} isSmall
 */
function rackUpdatePlace(node, face, view, isPicked, isSmall) {
  const texts = words().game;
  const [letter, value] = /** @type {[HTMLElement, HTMLElement]} */ (/** @type {unknown} */ (node.children));
  const classes = [face === undefined ? 'slot' : 'tile'];
  if (face !== undefined && isBlankFace(face)) classes.push('blank');
  if (face !== undefined && shownFace(face).length > 1) classes.push('long');
  if (isPicked) classes.push('picked');
  node.className = classes.join(' ');
  setText(letter, face === undefined || face === '?' ? '' : shownFace(face));
  setText(value, face === undefined || isBlankFace(face) ? '' : String(valueOf(view.setup, face)));
  setAttribute(node, 'aria-label', face === undefined ? texts.place : faceName(view.setup, face));
  if (!isSmall) setAttribute(node, 'aria-pressed', String(isPicked));
}
