// The visitor's first view: a sentence, a game in motion, and one button that opens a board.

import { el, setAttribute, setText } from './dom.js';
import { MiniBoard } from './miniboard.js';
import { nameNode } from './parts.js';
import { words } from '../text/words.js';

/** A position to show while no game is played. */
const HERO_EXAMPLE = [
  '.........G.....', '........COYOTE.', '..T......E..R..', '..HECK...SQUAD.', '..U.O.....U.P..', '.INFLUX.HEIRS..',
  '..D.O..WENT....', 'AVE.GAZE..E....', '..RAN..........', '...RED.........', '...I.O.........', '...A.R.........',
  '.....S.........', '.AERIAL........', '....FLAW.......',
].join('');

/** The welcome card. */
export class Hero {
  /** @param {{ bot(): void }} acts */
  constructor(acts) {
    const { welcome } = words().lobby;
    this.board = new MiniBoard({ hasLetters: true });
    this.caption = el('p', { class: 'small muted' });
    this.scores = el('div', { class: 'scores' });
    this.watch = el('a', { class: 'text-link small', text: welcome.watchIt, hidden: true });
    this.bot = el('button', { class: 'btn go tall', type: 'button', text: welcome.bot, onclick: () => acts.bot() });
    this.node = el(
      'section', { class: 'card hero', 'aria-labelledby': 'hero-title' },
      el(
        'div', {}, el('h2', { id: 'hero-title', text: welcome.title }), el('p', { class: 'lead', text: welcome.text }),
        this.bot,
      ),
      el('figure', {}, this.board.node, el('figcaption', {}, this.caption, this.scores, this.watch)),
    );
  }

  /**
   * @param {{ table?: import('../model/table.js').Table, layout?: string[], hasBots: boolean, isBusy: boolean }} view
   */
  show({ table, layout, hasBots, isBusy }) {
    const { welcome } = words().lobby;
    setAttribute(this.bot, 'hidden', !hasBots);
    setAttribute(this.bot, 'disabled', isBusy);
    setText(this.caption, table ? welcome.live : welcome.example);
    setAttribute(this.watch, 'hidden', !table);
    if (table) {
      setAttribute(this.watch, 'href', `/games/${encodeURIComponent(table.game)}`);
      this.board.show(table.layout, table.board, table.lastPlay?.squares.map(([square]) => square));
    } else if (layout) {
      this.board.show(layout, exampleTiles());
    }
    const rows = (table?.seats ?? []).map(({ name, score }, i) => ({ name, score, onTurn: table?.onTurn === i }));
    const key = JSON.stringify(rows);
    if (this.scores.dataset.key === key) return;
    this.scores.dataset.key = key;
    this.scores.replaceChildren(...rows.map(({ name, score, onTurn }) => el(
      'div', { class: onTurn ? 'on' : '' }, nameNode(name), el('span', { class: 'num', text: String(score) }),
    )));
  }
}

/** @returns {Map<number, string>} */
function exampleTiles() {
  const faces = Array.from(HERO_EXAMPLE, (face, square) => /** @type {[number, string]} */ ([square, face]));
  return new Map(faces.filter(([, face]) => face !== '.'));
}
