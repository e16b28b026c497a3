// The tiles that nobody has shown yet: every letter of the set in order, those that are gone as quiet letters.

import { el, setAttribute, setText } from './dom.js';
import { sheetHeader } from './sheet.js';
import { shownFace } from '../play/faces.js';
import { words } from '../text/words.js';

/**
 * Makes the card.
 *
 * @param {{ onclose: () => void }} acts
 */
export function createUnseen({ onclose }) {
  const texts = words().game;
  const about = el('span', { class: 'muted num' });
  const list = el('ol', { class: 'letters' });
  const node = el('section', { class: 'card unseen', id: 'unseen' }, sheetHeader(texts.unseen, about, onclose), list);

  return {
    node,
    /** @param {{ face: string, count: number }[]} tiles @param {string} aboutText */
    update(tiles, aboutText) {
      setText(about, aboutText);
      while (list.children.length > tiles.length) list.lastElementChild?.remove();
      while (list.children.length < tiles.length) list.append(el('li', {}, el('b'), el('span')));
      tiles.forEach(({ face, count }, i) => {
        const item = list.children[i];
        const [letter, number] = Array.from(item.children);
        setText(letter, face === '?' ? '?' : shownFace(face));
        setText(number, count ? String(count) : '');
        item.classList.toggle('gone', count === 0);
        setAttribute(item, 'aria-label', texts.unseenTile(face === '?' ? texts.blank : shownFace(face), count));
      });
    },
  };
}
