// A field of a form: label, hint, error, and for passwords a button that shows what was typed. Password managers find
// their way by `name` and `autocomplete`.

import { el, setAttribute, setText } from './dom.js';
import { words } from '../text/words.js';

/**
 * `check` says what is wrong with a value before it is sent. A hidden field tells a password manager whose password it
 * is. An optional one may be empty.
 *
 * @typedef {{
 *   name: string, label: string, autocomplete: string, hint?: string, value?: string, isHidden?: boolean,
 *   isOptional?: boolean, maxlength?: number, check?: (value: string) => string | undefined,
 * }} FieldOptions
 */

let fieldsMade = 0;

/** One field with what belongs to it. */
export class Field {
  /** @param {FieldOptions} options */
  constructor(options) {
    const { name, label, autocomplete, hint = '', value, isHidden = false, isOptional = false, maxlength } = options;
    this.options = options;
    this.name = name;
    const id = `field-${++fieldsMade}`;
    const isPassword = autocomplete.endsWith('password');
    this.input = /** @type {HTMLInputElement} */ (el('input', {
      id, name: autocomplete === 'username' ? 'username' : name, class: 'field', type: isPassword ? 'password' : 'text',
      autocomplete, value, maxlength, autocapitalize: 'none', autocorrect: 'off', spellcheck: 'false',
      'aria-required': !isOptional && 'true', 'aria-describedby': `${id}-error ${id}-hint`, readonly: isHidden,
      tabindex: isHidden ? -1 : undefined,
      passwordrules: autocomplete === 'new-password' ? 'minlength: 10; maxlength: 128;' : undefined,
    }));
    this.error = el('p', { id: `${id}-error`, class: 'bad small' });
    this.hint = el('p', { id: `${id}-hint`, class: 'small muted', text: hint });
    this.node = el(
      'div', { class: isHidden ? 'hide' : 'setting', 'aria-hidden': isHidden && 'true' },
      el('label', { class: 'label', for: id, text: label }),
      isPassword ? el('div', { class: 'with-button' }, this.input, this.#shower()) : this.input, this.error, this.hint,
    );
    this.input.addEventListener('input', () => this.setError(''));
  }

  get value() {
    return this.input.value;
  }

  /** Says what is wrong with the value, if the field can tell; returns whether it is fine. One that is not shown is. */
  check() {
    const { check, isOptional = false } = this.options;
    if (this.node.hidden) return true;
    const missing = isOptional ? '' : words().accounts.field.missing;
    const text = this.value.trim() === '' ? missing : check?.(this.value) ?? '';
    this.setError(text);
    return text === '';
  }

  /** @param {string} text What is wrong; empty if nothing is. */
  setError(text) {
    setText(this.error, text);
    setAttribute(this.input, 'aria-invalid', text !== '' && 'true');
  }

  /** Forgets what was typed. */
  clear() {
    this.input.value = '';
    this.setError('');
  }

  #shower() {
    const { field } = words().accounts;
    const button = el('button', { class: 'btn', type: 'button', onclick: () => show(this.input.type === 'password') });
    const show = (/** @type {boolean} */ isShown) => {
      this.input.type = isShown ? 'text' : 'password';
      setText(button, isShown ? field.hide : field.show);
      setAttribute(button, 'aria-label', isShown ? field.hideWhat : field.showWhat);
    };
    show(false);
    return button;
  }
}
