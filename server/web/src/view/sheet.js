// The scoresheet: one line for each turn, made once and changed where it differs. A press shows the position after it.

import { el, setAttribute, setText } from './dom.js';
import { nameNode, wordNode } from './parts.js';
import { shownWord } from '../text/rich.js';
import { words } from '../text/words.js';

/** @typedef {import('../model/table.js').Turn} Turn */

/**
 * Makes the card.
 *
 * @param {{ onturn: (index: number) => void, onclose: () => void }} acts
 */
export function createSheet(acts) {
  const texts = words().game;
  const about = el('span', { class: 'muted num' });
  const list = el('ol', { class: 'turns' });
  const empty = el('p', { class: 'none muted', text: texts.noTurns });
  const scroll = el('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': texts.sheet }, list, empty);
  const node = el(
    'section',
    { class: 'card sheet', id: 'sheet' },
    sheetHeader(texts.sheet, about, acts.onclose),
    scroll,
  );
  /** @type {string[]} */
  const keys = [];
  let isAtEnd = true;
  let isLooking = false;
  scroll.addEventListener('scroll', () => {
    isAtEnd = scroll.scrollTop + scroll.clientHeight >= scroll.scrollHeight - 8;
  });
  // Sizes that are read while the page changes force a layout; the observer is called after the layout of the frame.
  const observer = new ResizeObserver(() => {
    if (isAtEnd && !isLooking) scroll.scrollTop = scroll.scrollHeight;
  });
  observer.observe(scroll);
  observer.observe(list);
  list.addEventListener('click', (event) => {
    const line = event.target instanceof Element ? event.target.closest('li') : null;
    if (line) acts.onturn(Array.prototype.indexOf.call(list.children, line));
  });

  return {
    node,
    /**
     * @param {Turn[]} turns
     * @param {{ names: string[], about: string, hints: Protocol.UsedHint[], open?: number, now?: number }} view `open`: the index of the turn whose
     *   play can be challenged; `now`: the turn that is looked at.
     */
    update(turns, { names, about: aboutText, hints, open, now }) {
      isLooking = now !== undefined;
      setText(about, aboutText);
      setAttribute(empty, 'hidden', turns.length > 0);
      while (list.children.length > turns.length) {
        list.lastElementChild?.remove();
        keys.pop();
      }
      turns.forEach((turn, i) => {
        const isHinted = hints.some(({ turn_no: no }) => no === turn.no);
        const key = JSON.stringify([turn, names[turn.seat], isHinted]);
        if (keys[i] !== key) {
          const line = sheetLine(turn, i + 1, names, isHinted);
          if (i < list.children.length) list.children[i].replaceWith(line);
          else list.append(line);
          keys[i] = key;
        }
        const line = list.children[i];
        line.classList.toggle('open', i === open);
        line.classList.toggle('now', i === now);
        setAttribute(line.firstElementChild ?? line, 'aria-current', i === now ? 'true' : undefined);
      });
      if (now !== undefined) sheetReveal(scroll, list.children[now]);
    },
    toEnd() {
      isAtEnd = true;
      scroll.scrollTop = scroll.scrollHeight;
    },
  };
}

/**
 * The head of a card that is a sheet on a phone: its title, something about it, and a way to close it.
 *
 * @param {string} title
 * @param {HTMLElement} about
 * @param {() => void} onclose
 */
export function sheetHeader(title, about, onclose) {
  const close = el('button', { type: 'button', class: 'btn sq close', 'aria-label': words().game.close, text: '×' });
  close.addEventListener('click', onclose);
  return el('header', {}, el('h2', { text: title }), about, close);
}

/** @param {HTMLElement} scroll @param {Element | undefined} line */
function sheetReveal(scroll, line) {
  if (!(line instanceof HTMLElement)) return;
  const top = line.offsetTop - scroll.offsetTop;
  if (top < scroll.scrollTop || top + line.offsetHeight > scroll.scrollTop + scroll.clientHeight) {
    scroll.scrollTop = top - scroll.clientHeight / 2 + line.offsetHeight / 2;
  }
}

/**
 * @param {Turn} turn
 * @param {number} number Its place in the list. The server counts turns that nobody made, too.
 * @param {string[]} names
 * @param {boolean} isHinted Whether the player used a hint in it.
 */
function sheetLine(turn, number, names, isHinted) {
  const texts = words().game;
  return el(
    'li',
    {},
    el(
      'button',
      { type: 'button', class: turn.off ? 'turn-row is-off' : 'turn-row', title: texts.rowLabel(names[turn.seat]) },
      el('span', { class: 't', text: String(number) }),
      el('span', { class: 'at', text: turn.start ?? '' }),
      nameNode(names[turn.seat]),
      sheetWords(turn, names, isHinted),
      el('span', { class: 'p', text: turn.kind === 'lost' ? '' : turn.off ? '0' : String(turn.score ?? 0) }),
      el('span', { class: 's', text: String(turn.total ?? '') }),
    ),
  );
}

/** @param {Turn} turn @param {string[]} names @param {boolean} isHinted */
function sheetWords(turn, names, isHinted) {
  const texts = words().game;
  const node = el('span', { class: 'w' });
  if (turn.kind === 'play') {
    const [main, ...cross] = turn.words;
    if (main) node.append(wordNode(main[0]));
    const notes = cross.map(([word]) => wordNode(word));
    if (notes.length) node.append(el('small', {}, ...notes.flatMap((note, i) => (i ? [', ', note] : [note]))));
  } else {
    const text =
      turn.kind === 'pass' ? texts.rowPass : turn.kind === 'lost' ? texts.rowLost : texts.rowExchange(turn.count ?? 0);
    node.append(el('span', { class: 'quiet', text }));
    if (turn.exchanged?.length) node.append(el('small', { text: turn.exchanged.join(' ') }));
  }
  if (isHinted) node.append(el('small', { text: texts.rowHint }));
  const verdict = verdictWords(turn, names);
  if (verdict) node.append(el('small', { class: turn.off ? 'bad' : '', text: verdict }));
  return node;
}

/**
 * The verdict on a challenged play, in words.
 *
 * @param {Turn} turn
 * @param {string[]} names
 */
export function verdictWords(turn, names) {
  const texts = words().game;
  const who = turn.challenger === undefined ? undefined : names[turn.challenger];
  if (turn.verdict === 'withdrawn') return texts.rowWithdrawn;
  if (turn.off) return texts.rowOff(who, turn.badWords.map(shownWord));
  if (who !== undefined) return texts.rowStood(who);
  return '';
}
