// The strip under the board. It is always there; only what it says and its buttons change.

import { el, setAttribute, setText } from './dom.js';
import { setParts } from './parts.js';

/**
 * A button of the strip. What it does is settled when it is pressed down.
 *
 * @typedef {{
 *   id: string, label: string, isFlat?: boolean, isSure?: boolean, isOff?: boolean, title?: string, act: () => void,
 * }} StripAct
 *
 * @typedef {object} StripView
 * @property {'plain' | 'window' | 'window asks' | 'sure'} tone The classes; `asks`: mannersstyle.js.
 * @property {import('../text/rich.js').Part[] | string} say
 * @property {import('../text/rich.js').Part[] | string} [more] The second, quieter part.
 * @property {string} [left] The time that is left.
 * @property {number} [run] The same as a part of one.
 * @property {StripAct[]} acts
 * @property {HTMLElement} [end] Anything else behind the buttons.
 */

/** Makes an empty strip. */
export function createStrip() {
  const say = el('span', { class: 'main' });
  const more = el('span', { class: 'more' });
  const left = el('span', { class: 'left num' });
  const run = el('i', { class: 'run', 'aria-hidden': 'true' });
  const acts = el('div', { class: 'acts' });
  const node = el('section', { class: 'strip' }, el('p', { class: 'say' }, say, more, left), acts, run);
  /** @type {Map<string, { button: HTMLButtonElement, act: StripAct }>} */
  const buttons = new Map();

  return {
    node,
    /** @param {StripView} view */
    update(view) {
      node.className = `strip ${view.tone}`;
      setParts(say, view.say);
      setParts(more, view.more);
      stripButtons(acts, buttons, view.acts);
      if (view.end && view.end.parentNode !== acts) acts.append(view.end);
      for (const child of Array.from(acts.children)) {
        if (child !== view.end && !(child instanceof HTMLButtonElement && child.dataset.act)) child.remove();
      }
      this.updateTime(view.left, view.run);
    },
    /** @param {string | undefined} text @param {number | undefined} part */
    updateTime(text, part) {
      setText(left, text ?? '');
      setAttribute(left, 'hidden', !text);
      setAttribute(run, 'hidden', part === undefined);
      if (part !== undefined) run.style.setProperty('--run', part.toFixed(4));
    },
  };
}

/**
 * Keeps the buttons that stay, so that none changes under a finger.
 *
 * @param {HTMLElement} node
 * @param {Map<string, { button: HTMLButtonElement, act: StripAct }>} buttons
 * @param {StripAct[]} acts
 */
function stripButtons(node, buttons, acts) {
  for (const [id, { button }] of buttons) {
    if (acts.some((act) => act.id === id)) continue;
    button.remove();
    buttons.delete(id);
  }
  acts.forEach((act, i) => {
    let entry = buttons.get(act.id);
    if (!entry) {
      const button = /** @type {HTMLButtonElement} */ (
        el('button', { type: 'button', class: 'btn', 'data-act': act.id })
      );
      const made = { button, act };
      pressButton(button, () => (made.act.isOff ? undefined : made.act.act));
      buttons.set(act.id, made);
      entry = made;
    }
    entry.act = act;
    const { button } = entry;
    button.className = `btn${act.isFlat ? ' flat' : ''}${act.isSure ? ' sure' : ''}`;
    setText(button, act.label);
    setAttribute(button, 'aria-disabled', act.isOff ? 'true' : undefined);
    setAttribute(button, 'title', act.title);
    if (node.children[i] !== button) node.insertBefore(button, node.children[i] ?? null);
  });
}

/**
 * Presses of a button do what it meant when it went down, whatever happens until it comes up.
 *
 * @param {HTMLElement} button
 * @param {() => (() => void) | undefined} actOf What the button does now; nothing while it is off.
 */
export function pressButton(button, actOf) {
  /** @type {(() => void) | undefined} */
  let bound;
  let isDown = false;
  button.addEventListener('pointerdown', () => {
    bound = actOf();
    isDown = true;
  });
  button.addEventListener('pointercancel', () => {
    isDown = false;
  });
  button.addEventListener('click', (event) => {
    const act = isDown && event.detail > 0 ? bound : actOf();
    isDown = false;
    bound = undefined;
    act?.();
  });
}
