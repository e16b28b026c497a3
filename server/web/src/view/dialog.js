// Dialogs: a card with a title, a body and acts at its foot. Esc and a press beside the card dismiss it.

import { el } from './dom.js';

/**
 * An act at the foot of a dialog. `go` is the filled button and what Enter does, `risk` loses something. If `check` is
 * there and returns false, the dialog stays open.
 *
 * @typedef {{ label: string, value?: any, kind?: 'go' | 'risk' | 'flat', check?: () => boolean }} DialogAction
 */

/**
 * Shows a dialog until one of its acts is pressed or it is dismissed. The focus goes back to where it was.
 *
 * @param {{ title: string, body: Node | string, actions: DialogAction[], wide?: boolean, signal?: AbortSignal }} dialog
 *   `signal` dismisses it from outside.
 * @returns {Promise<any>} The value of the act, or `undefined` if it was dismissed.
 */
export function showDialog({ title, body, actions, wide = false, signal }) {
  const id = `dialog-${Math.random().toString(36).slice(2)}`;
  const buttons = actions.map((action) => el('button', {
    class: `btn ${action.kind ?? ''}`, type: action.kind === 'go' ? 'submit' : 'button', text: action.label,
  }));
  const form = el(
    'form', { novalidate: true },
    el('h2', { id, text: title }), el('div', { class: 'body' }, body), el('div', { class: 'acts' }, ...buttons),
  );
  const attributes = { 'aria-labelledby': id, class: wide ? 'wide' : '' };
  const node = /** @type {HTMLDialogElement} */ (el('dialog', attributes, form));
  return new Promise((resolve) => {
    /** @type {any} */
    let value;
    const press = (/** @type {DialogAction} */ action) => {
      if (action.check && !action.check()) return;
      value = action.value;
      node.close();
    };
    actions.forEach((action, i) => {
      if (action.kind !== 'go') buttons[i].addEventListener('click', () => press(action));
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const go = actions.find(({ kind }) => kind === 'go');
      if (go) press(go);
    });
    node.addEventListener('pointerdown', (event) => {
      if (event.target === node) node.close();
    });
    node.addEventListener('close', () => {
      node.remove();
      resolve(value);
    });
    signal?.addEventListener('abort', () => node.close());
    document.body.append(node);
    node.showModal();
  });
}
