// Tells screen readers what happens: one region that waits for a pause, one that interrupts.

import { el } from './dom.js';

/**
 * @typedef {{ node: HTMLElement, say(text: string, urgent?: boolean): void }} Announcer
 */

/**
 * Makes both regions. What is said within the same moment is read together.
 *
 * @returns {Announcer}
 */
export function createAnnouncer() {
  const polite = el('p', { 'aria-live': 'polite', 'aria-atomic': 'true' });
  const assertive = el('p', { 'aria-live': 'assertive', 'aria-atomic': 'true' });
  const node = el('div', { class: 'hide' }, polite, assertive);
  /** @type {Map<HTMLElement, string[]>} */
  const waiting = new Map();
  let odd = false;

  /** A space at the end makes a text that is said twice another one. */
  const flush = () => {
    odd = !odd;
    for (const [region, texts] of waiting) region.textContent = texts.join(' ') + (odd ? '\u00a0' : '');
    waiting.clear();
  };
  return {
    node,
    say(text, urgent = false) {
      if (!text) return;
      if (waiting.size === 0) setTimeout(flush, 60);
      const region = urgent ? assertive : polite;
      const texts = waiting.get(region) ?? [];
      texts.push(text);
      waiting.set(region, texts);
    },
  };
}
