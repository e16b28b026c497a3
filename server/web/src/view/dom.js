// Makes and changes elements. Text from outside always becomes a text node.

import { svgNode } from './svg.js';

/**
 * Makes an element. `attributes` whose value is `undefined` or `false` are left out; `true` makes an empty attribute; a
 * function under `on…` listens to that event; `class` and `text` do what they say.
 *
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string | undefined | false)} children
 * @returns {HTMLElement}
 */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (name === 'text') node.textContent = value;
    else if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? '' : String(value));
  }
  node.append(...children.filter((child) => child !== undefined && child !== false).map(asChild));
  return node;
}

/**
 * Replaces an attribute, or removes it with `undefined` or `false`; changes nothing if it is so already.
 *
 * @param {Element} node
 * @param {string} name
 * @param {string | number | boolean | undefined} value
 */
export function setAttribute(node, name, value) {
  if (value === undefined || value === false) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
    return;
  }
  const text = value === true ? '' : String(value);
  if (node.getAttribute(name) !== text) node.setAttribute(name, text);
}

/**
 * Replaces the text of an element, if it differs.
 *
 * @param {Element} node
 * @param {string} text
 */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Makes an icon from the drawings in index.html. It has no name: the control around it has one.
 *
 * @param {string} name The id of the drawing.
 * @returns {SVGElement}
 */
export function icon(name) {
  return svgNode('svg', { class: 'icon', 'aria-hidden': 'true' }, svgNode('use', { href: `#${name}` }));
}

/** @param {Node | string | undefined | false} child */
function asChild(child) {
  return /** @type {Node | string} */ (child);
}
