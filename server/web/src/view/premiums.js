// A board with its premium squares and their labels, for the rules.

import { MINI_PREMIUMS } from './miniboard.js';
import { svgNode } from './svg.js';

/**
 * A board with all premium squares and their labels: letter premiums round, word premiums square.
 *
 * @param {{ rows: number, cols: number, start: string, layout: string[] }} board
 * @param {string} label
 * @returns {SVGElement}
 */
export function premiumBoard({ rows, cols, start, layout }, label) {
  const node = svgNode('svg', {
    class: 'premiums', viewBox: `0 0 ${cols * 10} ${rows * 10}`, role: 'img', 'aria-label': label,
  });
  const startCol = start.charCodeAt(0) - 65;
  const startRow = Number(start.slice(1)) - 1;
  node.append(svgNode('rect', { class: 'p-board', width: cols * 10, height: rows * 10 }));
  layout.forEach((line, row) => Array.from(line).forEach((symbol, col) => {
    const [kind, text] = MINI_PREMIUMS[symbol] ?? ['', ''];
    const [x, y] = [col * 10, row * 10];
    const isStart = row === startRow && col === startCol;
    node.append(svgNode('rect', {
      class: kind.startsWith('w') ? `p-${kind}` : 'p-plain', x: x + 0.25, y: y + 0.25, width: 9.5, height: 9.5,
    }));
    if (kind.startsWith('l')) node.append(svgNode('circle', { class: `p-${kind}`, cx: x + 5, cy: y + 5, r: 4.1 }));
    if (isStart) node.append(svgNode('path', { class: 'p-star', d: miniStar(x + 5, y + 5) }));
    else if (text) node.append(miniLabel(text, kind, x + 5, y + 5));
  }));
  return node;
}

/**
 * The kind of a premium: `l2` to `l4` for letters, `w2` to `w4` for words, nothing for a plain square.
 *
 * @param {string} symbol As in a layout.
 * @returns {string}
 */
export function premiumKind(symbol) {
  return MINI_PREMIUMS[symbol]?.[0] ?? '';
}

/**
 * @param {string} text
 * @param {string} kind
 * @param {number} x
 * @param {number} y
 */
function miniLabel(text, kind, x, y) {
  const node = svgNode('text', { class: `t-${kind}`, x, y: y + 1.2 });
  node.textContent = text;
  return node;
}

/**
 * @param {number} x
 * @param {number} y
 */
function miniStar(x, y) {
  const points = Array.from({ length: 10 }, (_, i) => {
    const [angle, radius] = [(i * Math.PI) / 5 - Math.PI / 2, i % 2 ? 1.1 : 2.7];
    return `${(x + radius * Math.cos(angle)).toFixed(2)} ${(y + radius * Math.sin(angle)).toFixed(2)}`;
  });
  return `M${points.join('L')}z`;
}
