// The end of a game: the result in words, the arithmetic, what to do next; and the proof of the bag with the records.

import { el, icon, setAttribute, setText } from './dom.js';
import { nameNode, setParts } from './parts.js';
import { words } from '../text/words.js';

/**
 * @typedef {object} EndView
 * @property {import('../text/rich.js').Part[] | string} title
 * @property {import('../text/rich.js').Part[]} why
 * @property {{ name: string, score: number, tiles: number, time: number, total: number }[]} lines Best first; none if
 *   there is no result.
 * @property {string} series The score of the series, if the game is a rematch.
 * @property {import('../text/rich.js').Part[]} note What is said about a rematch.
 * @property {{ label: string, isGo?: boolean, act: () => void }[]} choices
 * @property {string} proof The proof in a few words, for where its card has no room.
 * @property {boolean} isGuest Whether the player may want to register.
 */

/** Makes the card of the result. */
export function createEndCard() {
  const texts = words().game;
  const title = el('h1', { tabindex: -1 });
  const why = el('p');
  const body = el('tbody');
  const head = [texts.endPlayer, texts.endScore, texts.endTiles, texts.endTime, texts.endTotal];
  const table = el(
    'table',
    { class: 'final' },
    el('thead', {}, el('tr', {}, ...head.map((text) => el('th', { scope: 'col', text })))),
    body,
  );
  const proved = el('p', { class: 'proved' });
  const register = el('a', { class: 'text-link small', href: '/register', text: texts.register });
  const series = el('p', { class: 'series' });
  const note = el('p', { class: 'note' });
  const choices = el('div', { class: 'choices' });
  const parts = [title, why, table, series, proved, register, note, choices];
  const node = el('section', { class: 'card result', 'aria-label': texts.ended }, ...parts);
  let key = '';

  return {
    node,
    title,
    /** @param {EndView} view */
    update(view) {
      setParts(title, view.title);
      setParts(why, view.why);
      // A low panel has no room for everything then.
      node.classList.toggle('full', view.series !== '' || view.note.length > 0);
      setText(series, view.series);
      setAttribute(series, 'hidden', !view.series);
      setParts(note, view.note);
      setAttribute(note, 'hidden', view.note.length === 0);
      setText(proved, view.proof);
      setAttribute(proved, 'hidden', !view.proof);
      setAttribute(register, 'hidden', !view.isGuest);
      const newKey = JSON.stringify([view.lines, view.choices.map(({ label }) => label)]);
      if (newKey === key) return;
      key = newKey;
      setAttribute(table, 'hidden', view.lines.length === 0);
      const hasTime = view.lines.some(({ time }) => time !== 0);
      table.querySelectorAll('th')[3].hidden = !hasTime;
      body.replaceChildren(...view.lines.map((line) => endLine(line, hasTime)));
      choices.replaceChildren(
        ...view.choices.map(({ label, isGo, act }) =>
          el('button', { type: 'button', class: isGo ? 'btn go' : 'btn', text: label, onclick: act }),
        ),
      );
    },
  };
}

/** @param {EndView['lines'][number]} line @param {boolean} hasTime */
function endLine({ name, score, tiles, time, total }, hasTime) {
  const { signed } = words().game;
  return el(
    'tr',
    {},
    el('td', {}, nameNode(name)),
    el('td', { text: String(score) }),
    el('td', { text: signed(tiles) }),
    hasTime && el('td', { text: signed(time) }),
    el('td', { class: 'total', text: String(total) }),
  );
}

/**
 * Makes the card of the proof.
 *
 * @param {(kind: string) => void} ondownload
 */
export function createProofCard(ondownload) {
  const texts = words().game;
  const drawing = el('span', {}, icon('check'));
  const title = el('b');
  const more = el('p', { class: 'num' });
  const files = el(
    'p',
    { class: 'files' },
    ...['gcg', 'jsonl'].map((kind) =>
      el('button', { type: 'button', class: 'text-link', text: texts.download(kind), onclick: () => ondownload(kind) }),
    ),
  );
  const node = el('section', { class: 'card proof' }, drawing, title, more, files);
  return {
    node,
    /** @param {{ title: string, more: string, isBad: boolean }} view */
    update(view) {
      setText(title, view.title);
      setText(more, view.more);
      setAttribute(more, 'hidden', !view.more);
      if (node.classList.toggle('bad', view.isBad)) drawing.replaceChildren(icon('close'));
    },
  };
}
