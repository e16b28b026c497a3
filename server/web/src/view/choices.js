// One of a few: a row of segments, or a list.

import { el } from './dom.js';

/**
 * A row of segments with one chosen: radio buttons.
 *
 * @param {string} name
 * @param {(value: string) => void} choose
 */
export function segments(name, choose) {
  const node = el('div', { class: 'seg', onchange: (/** @type {Event} */ event) => choose(valueOfEvent(event)) });
  const group = `${name}-${Math.random().toString(36).slice(2)}`;
  return {
    node,
    /**
     * @param {string[][]} choices Value and label of each.
     * @param {string} chosen
     */
    show(choices, chosen) {
      const key = JSON.stringify(choices);
      if (node.dataset.key !== key) {
        node.dataset.key = key;
        node.replaceChildren(...choices.map(([value, label]) => el(
          'label', {}, el('input', { type: 'radio', name: group, value }), el('span', { text: label }),
        )));
      }
      for (const input of node.querySelectorAll('input')) input.checked = input.value === chosen;
    },
    /** @param {(value: string) => boolean} isOff */
    disable(isOff) {
      for (const input of node.querySelectorAll('input')) input.disabled = isOff(input.value);
    },
  };
}

/**
 * Shows choices in a list, one of them chosen.
 *
 * @param {HTMLSelectElement} select
 * @param {string[][]} choices Value and label of each.
 * @param {string} chosen
 */
export function fillSelect(select, choices, chosen) {
  const key = JSON.stringify(choices);
  if (select.dataset.key !== key) {
    select.dataset.key = key;
    select.replaceChildren(...choices.map(([value, text]) => el('option', { value, text })));
  }
  select.value = chosen;
}

/**
 * The value of the control that has changed.
 *
 * @param {Event} event
 * @returns {string}
 */
export function valueOfEvent(event) {
  return /** @type {HTMLInputElement} */ (event.target).value;
}
