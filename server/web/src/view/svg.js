// Makes the parts of drawings.

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {...SVGElement} children
 * @returns {SVGElement}
 */
export function svgNode(tag, attributes, ...children) {
  const node = /** @type {SVGElement} */ (document.createElementNS(SVG_NAMESPACE, tag));
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} anchor `start`, `middle` or `end`.
 * @param {string} text
 */
export function svgText(x, y, anchor, text) {
  const node = svgNode('text', { x, y, 'text-anchor': anchor });
  node.textContent = text;
  return node;
}
