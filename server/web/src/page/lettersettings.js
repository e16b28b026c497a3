// The part of the account page about letters: the mail address, and the kinds of letters that the player wants.

import { el, setAttribute, setText } from '../view/dom.js';
import { AccountForm } from '../view/accountform.js';
import { Field } from '../view/field.js';
import { fillSelect } from '../view/choices.js';
import { callAsPlayer, currentPasswordField, tryToDo } from './accountparts.js';
import { words } from '../text/words.js';

/** @typedef {import('./routes.js').PageContext} PageContext */
/**
 * The letters that a player wants, as the API has them.
 *
 * @typedef {{
 *   turn: boolean, update: boolean, reminder: boolean, result: boolean, invitation: boolean, language: string,
 * }} Letters
 */
/** @typedef {{ mail?: { address: string, refused?: boolean }, letters?: Letters }} MailOfMe */

const KINDS = /** @type {const} */ (['turn', 'update', 'reminder', 'result', 'invitation']);

/** The settings of letters, for the account page. */
export class LetterSettings {
  /** The kinds as the server has them. @type {Letters | undefined} */
  #letters = undefined;
  /** What the player has to show besides the code: the answer to the first form. */
  #asked = { ticket: '', password: '' };

  /** @param {PageContext} context */
  constructor(context) {
    this.context = context;
    const { accounts: { letters: texts, field, account } } = words();
    const announce = (/** @type {string} */ said) => context.frame.announce(said);
    this.address = new Field({ name: 'address', label: texts.address, autocomplete: 'email', maxlength: 254 });
    this.password = currentPasswordField(field.current, 'current');
    this.code = new Field({ name: 'code', label: texts.code, autocomplete: 'one-time-code', maxlength: 12 });
    this.askForm = new AccountForm({
      fields: [this.address, this.password], act: texts.ask, busy: account.busy, isGo: false, announce,
      send: () => this.#ask(),
    });
    this.codeForm = new AccountForm({
      fields: [this.code], act: texts.confirm, busy: account.busy, isGo: false, announce, send: () => this.#confirm(),
    });
    this.forms = [this.askForm, this.codeForm];
    this.state = el('p', { class: 'small', role: 'status' });
    this.remove = el('button', {
      class: 'btn small', type: 'button', text: texts.remove, hidden: true, onclick: () => void this.#remove(),
    });
    this.kinds = KINDS.map((kind) => this.#kind(kind));
    this.language = /** @type {HTMLSelectElement} */ (el('select', {
      class: 'field', onchange: () => void this.#choose({ language: this.language.value }),
    }));
    const language = el('label', {}, el('span', { class: 'label', text: texts.language }), this.language);
    const choices = el(
      'fieldset', { class: 'form' }, el('legend', { class: 'label', text: texts.kinds }),
      ...this.kinds.map(({ node }) => node), language,
    );
    setAttribute(this.codeForm.node, 'hidden', true);
    const body = el(
      'div', { class: 'form padded' }, el('p', { class: 'small muted', text: texts.text }), this.state, choices,
      this.askForm.node, this.codeForm.node, this.remove,
    );
    this.node = el('details', { class: 'card fold', hidden: true }, el('summary', { text: texts.title }), body);
  }

  /**
   * Shows what the server has. One that sends no letters says nothing of them.
   *
   * @param {MailOfMe} me
   */
  show({ mail, letters }) {
    const { letters: texts } = words().accounts;
    this.#letters = letters;
    setAttribute(this.node, 'hidden', letters === undefined);
    if (letters === undefined) return;
    const to = mail === undefined ? texts.none : texts.to(mail.address);
    setText(this.state, mail?.refused ? texts.refused(mail.address) : to);
    this.state.classList.toggle('bad', mail?.refused === true);
    setAttribute(this.remove, 'hidden', mail === undefined);
    for (const { kind, input } of this.kinds) input.checked = letters[kind];
    fillSelect(this.language, Object.entries(texts.languages), letters.language);
  }

  /** @param {typeof KINDS[number]} kind */
  #kind(kind) {
    const { letters: texts } = words().accounts;
    const input = /** @type {HTMLInputElement} */ (el('input', {
      type: 'checkbox', onchange: () => void this.#choose({ [kind]: input.checked }),
    }));
    return { kind, input, node: el('label', { class: 'check' }, input, el('span', { text: texts.of[kind] })) };
  }

  /** @param {Partial<Letters>} change */
  #choose(change) {
    const letters = this.#letters;
    if (letters === undefined) return Promise.resolve();
    return tryToDo(this.context, async () => {
      const { frame } = this.context;
      try {
        const body = { ...letters, ...change };
        this.show(await callAsPlayer(this.context, '/account/letters', { method: 'PUT', body }));
        frame.toast(words().accounts.letters.saved);
      } catch (refused) {
        for (const { kind, input } of this.kinds) input.checked = letters[kind];
        this.language.value = letters.language;
        throw refused;
      }
    });
  }

  async #ask() {
    const body = { address: this.address.value.trim(), purpose: 'register' };
    const { ticket } = await callAsPlayer(this.context, '/mail-codes', { method: 'POST', body });
    this.#asked = { ticket, password: this.password.value };
    setAttribute(this.codeForm.node, 'hidden', false);
    const { letters: texts } = words().accounts;
    setText(this.state, texts.sent(body.address));
    this.code.input.focus();
  }

  async #confirm() {
    const { ticket, password } = this.#asked;
    const body = { mail: { ticket, code: this.code.value.trim() }, password };
    const me = await callAsPlayer(this.context, '/account/mail', { method: 'PUT', body });
    this.#asked = { ticket: '', password: '' };
    for (const { input } of [this.address, this.password, this.code]) input.value = '';
    setAttribute(this.codeForm.node, 'hidden', true);
    this.show(me);
    this.context.frame.toast(words().accounts.letters.changed);
  }

  /** Removes the address; the password field of the first form has the proof. */
  #remove() {
    if (!this.password.check()) {
      this.password.input.focus();
      return Promise.resolve();
    }
    return tryToDo(this.context, async () => {
      const body = { password: this.password.value };
      const me = await callAsPlayer(this.context, '/account/mail/remove', { method: 'POST', body });
      this.password.input.value = '';
      this.show(me);
      this.context.frame.toast(words().accounts.letters.removed);
    });
  }
}
