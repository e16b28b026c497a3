// The part of the account page about letters: the mail address, and the kinds of letters that the player wants.

import { el, setAttribute, setText } from '../view/dom.js';
import { AccountForm } from '../view/accountform.js';
import { fillSelect } from '../view/choices.js';
import { callAsPlayer, currentPasswordField, tryToDo } from './accountparts.js';
import { MailSteps } from './mailcode.js';
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
  #isOn = false;

  /** @param {PageContext} context */
  constructor(context) {
    this.context = context;
    const { accounts: { letters: texts, field, account } } = words();
    this.password = currentPasswordField(field.current, 'current');
    this.steps = new MailSteps(context, {
      purpose: 'register', act: texts.confirm, busy: account.busy, isGo: false, withCode: [this.password],
      send: (mail) => this.#confirm(mail),
    });
    this.removal = currentPasswordField(field.current, 'current');
    this.removeForm = new AccountForm({
      fields: [this.removal], act: texts.remove, busy: account.busy, isGo: false, send: () => this.#remove(),
      announce: (said) => context.frame.announce(said),
    });
    this.forms = [...this.steps.forms, this.removeForm];
    this.state = el('p', { class: 'small', role: 'status' });
    this.kinds = KINDS.map((kind) => this.#kind(kind));
    this.language = /** @type {HTMLSelectElement} */ (el('select', {
      class: 'field', onchange: () => void this.#choose({ language: this.language.value }),
    }));
    const language = el('label', {}, el('span', { class: 'label', text: texts.language }), this.language);
    const choices = el(
      'fieldset', { class: 'form' }, el('legend', { class: 'label', text: texts.kinds }),
      ...this.kinds.map(({ node }) => node), language,
    );
    // Without an address there is nothing to remove, and without a mail server nothing to confirm.
    for (const { node } of [this.steps, this.removeForm]) setAttribute(node, 'hidden', true);
    const body = el(
      'div', { class: 'form padded' }, el('p', { class: 'small muted', text: texts.text }), this.state, choices,
      this.steps.node, this.removeForm.node,
    );
    this.node = el('details', { class: 'card fold', hidden: true }, el('summary', { text: texts.title }), body);
  }

  /**
   * Shows what the server has.
   *
   * @param {MailOfMe} me
   * @param {boolean} isOn Whether the server sends letters.
   */
  show({ mail, letters }, isOn = this.#isOn) {
    const { letters: texts } = words().accounts;
    this.#letters = letters;
    this.#isOn = isOn;
    setAttribute(this.node, 'hidden', letters === undefined);
    if (letters === undefined) return;
    const to = mail === undefined ? texts.none : texts.to(mail.address);
    const said = mail?.refused ? texts.refused(mail.address) : to;
    setText(this.state, isOn ? said : String(words().accounts.codes.mail_off));
    this.state.classList.toggle('bad', mail?.refused === true);
    setAttribute(this.steps.node, 'hidden', !isOn);
    setAttribute(this.removeForm.node, 'hidden', mail === undefined);
    // An account that has an address may have no password.
    for (const { hint } of [this.password, this.removal]) setText(hint, mail === undefined ? '' : texts.noPassword);
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

  /** @param {import('./mailcode.js').MailProof} mail */
  async #confirm(mail) {
    const body = { mail, password: this.password.value };
    const me = await callAsPlayer(this.context, '/account/mail', { method: 'PUT', body });
    this.password.clear();
    this.steps.clear();
    this.show(me);
    this.context.frame.toast(words().accounts.letters.changed);
  }

  async #remove() {
    const body = { password: this.removal.value };
    const me = await callAsPlayer(this.context, '/account/mail/remove', { method: 'POST', body });
    this.removal.clear();
    this.show(me);
    this.context.frame.toast(words().accounts.letters.removed);
  }
}
