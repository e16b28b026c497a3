// Earlier turns: the steps along them, the racks of all seats, and the scores as lines.

import { el, icon, setAttribute, setText } from './dom.js';
import { nameNode } from './parts.js';
import { createRack } from './rack.js';
import { svgNode, svgText } from './svg.js';
import { words } from '../text/words.js';

/** @typedef {'first' | 'previous' | 'next' | 'last'} Step */

/**
 * Makes the four buttons.
 *
 * @param {(step: Step) => void} onstep
 */
export function createSteps(onstep) {
  const texts = words().game;
  const buttons = /** @type {Step[]} */ (['first', 'previous', 'next', 'last']).map((step) => {
    const button = el(
      'button',
      { type: 'button', class: 'btn sq', 'aria-label': texts[step], title: texts[step] },
      icon(step),
    );
    button.addEventListener('click', () => {
      if (button.getAttribute('aria-disabled') !== 'true') onstep(step);
    });
    return button;
  });
  const count = el('span', { class: 'num' });
  const node = el('div', { class: 'steps', role: 'group', 'aria-label': texts.history }, count, ...buttons);
  return {
    node,
    /** @param {number} turn @param {number} all */
    update(turn, all) {
      setText(count, texts.ofTurns(turn, all));
      buttons.forEach((button, i) => {
        setAttribute(button, 'aria-disabled', (i < 2 ? turn <= 0 : turn >= all) ? 'true' : undefined);
      });
    },
  };
}

/** Makes the racks of all seats. */
export function createHands() {
  const node = el('div', { class: 'hands' });
  /** @type {ReturnType<typeof createRack>[]} */
  let racks = [];
  return {
    node,
    /**
     * @param {any} setup
     * @param {{ name: string, rack: string[], isOnTurn: boolean }[]} hands
     * @param {number} places
     */
    update(setup, hands, places) {
      if (racks.length !== hands.length) {
        racks = hands.map(() => createRack({ isSmall: true }));
        node.replaceChildren(...hands.map(({ name }, i) => el('div', {}, nameNode(name), racks[i].node)));
      }
      hands.forEach(({ name, rack, isOnTurn }, i) => {
        const line = node.children[i];
        if (line.firstElementChild) setText(line.firstElementChild, name);
        line.classList.toggle('on', isOnTurn);
        racks[i].update({
          setup,
          places: Array.from({ length: Math.max(places, rack.length) }, (_, place) => rack[place]),
          label: words().game.rackOf(name),
        });
      });
    },
  };
}

const TRACE_WIDTH = 352;
const TRACE_HEIGHT = 112;

/**
 * Makes the card with the scores by turn; a press on it goes to that turn.
 *
 * @param {(turn: number) => void} onturn
 */
export function createTrace(onturn) {
  const texts = words().game;
  const about = el('span', { class: 'muted' });
  const plot = el('div', { class: 'plot' });
  const node = el('section', { class: 'card trace' }, el('header', {}, el('h2', { text: texts.scores }), about), plot);
  let key = '';
  let all = 0;
  plot.addEventListener('pointerdown', (event) => {
    const box = plot.querySelector('svg')?.getBoundingClientRect();
    if (!box || all === 0) return;
    const part = (((event.clientX - box.left) / box.width) * TRACE_WIDTH - 30) / (TRACE_WIDTH - 44);
    onturn(Math.round(Math.min(1, Math.max(0, part)) * all));
  });
  return {
    node,
    /**
     * @param {number[][]} scores By turn, by seat.
     * @param {string[]} names
     * @param {number} turn
     */
    update(scores, names, turn) {
      const newKey = JSON.stringify([scores.length, scores.at(-1), turn]);
      if (newKey === key) return;
      key = newKey;
      all = scores.length - 1;
      const now = (scores[turn] ?? []).map((score, seat) => `${names[seat]} ${score}`).join(', ');
      setText(about, now);
      plot.replaceChildren(traceSvg(scores, turn, texts.scoresAt(now)));
    },
  };
}

/**
 * @param {number[][]} scores
 * @param {number} turn
 * @param {string} label
 */
function traceSvg(scores, turn, label) {
  const top = Math.max(100, ...scores.flat());
  const last = Math.max(1, scores.length - 1);
  const x = (/** @type {number} */ i) => 30 + (i / last) * (TRACE_WIDTH - 44);
  const y = (/** @type {number} */ score) => TRACE_HEIGHT - 16 - (score / top) * (TRACE_HEIGHT - 24);
  const svg = svgNode('svg', { viewBox: `0 0 ${TRACE_WIDTH} ${TRACE_HEIGHT}`, role: 'img', 'aria-label': label });
  const step = top > 400 ? 200 : 100;
  for (let score = 0; score <= top; score += step) {
    svg.append(svgNode('path', { class: 'rule', d: `M30 ${y(score)}H${TRACE_WIDTH - 14}` }));
    svg.append(svgText(24, y(score) + 4, 'end', String(score)));
  }
  (scores[0] ?? []).forEach((_, seat) => {
    const line = scores.map((at, i) => `${i ? 'L' : 'M'}${x(i).toFixed(1)} ${y(at[seat]).toFixed(1)}`).join('');
    svg.append(svgNode('path', { class: `s${seat}`, d: line }));
  });
  svg.append(svgNode('path', { class: 'here', d: `M${x(turn)} 4V${TRACE_HEIGHT - 16}` }));
  svg.append(svgText(x(turn), TRACE_HEIGHT - 3, 'middle', String(turn)));
  svg.append(svgNode('rect', { width: TRACE_WIDTH, height: TRACE_HEIGHT }));
  return svg;
}
