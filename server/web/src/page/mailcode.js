// A code by mail: the one place that asks the server for it, and a form in two steps around it.

import { AccountForm } from '../view/accountform.js';
import { el, setAttribute, setText } from '../view/dom.js';
import { Field } from '../view/field.js';
import { callApi } from '../wire/api.js';
import { focusFirst, tryToDo } from './accountparts.js';
import { words } from '../text/words.js';

/** As the server counts it. */
const MAIL_ADDRESS_MAX = 254;
/** A code has eight digits; there may be blanks between them. */
const MAIL_CODE_MAX = 20;

/** The fragment of an address that chooses the code by mail at once. */
export const BY_MAIL = '#mail';

/** @typedef {import('./routes.js').PageContext} PageContext */
/** @typedef {{ ticket: string, code: string }} MailProof What proves an address to the server. */
/** @typedef {'register' | 'log_in' | 'recover'} MailPurpose */

/**
 * Whether the server sends letters. One that cannot say so now offers nothing that needs them.
 *
 * @param {typeof fetch} [send]
 * @returns {Promise<boolean>}
 */
export async function sendsMail(send = fetch) {
  try {
    const answer = await send('/status', { cache: 'no-store' });
    return (await answer.json()).mail === true;
  } catch {
    return false;
  }
}

/** The two fields, what was sent, and a button that sends another code. */
export class MailCode {
  #asked = { address: '', ticket: '', delayed: false };
  /** Called when the code counts, or counts no more. */
  changed = () => {};

  /**
   * @param {PageContext} context
   * @param {MailPurpose} purpose
   * @param {Partial<import('../view/field.js').FieldOptions>} [more] Of the field for the address.
   */
  constructor(context, purpose, more = {}) {
    this.purpose = purpose;
    const { mailCode: texts } = words().accounts;
    this.address = new Field({
      name: 'address', label: texts.address, autocomplete: 'email', maxlength: MAIL_ADDRESS_MAX, ...more,
    });
    this.code = new Field({
      name: 'code', label: texts.code, autocomplete: 'one-time-code', maxlength: MAIL_CODE_MAX,
    });
    setAttribute(this.address.input, 'inputmode', 'email');
    setAttribute(this.code.input, 'inputmode', 'numeric');
    this.note = el('p', { class: 'small', role: 'status' });
    this.again = el('button', {
      class: 'btn small', type: 'button', text: texts.again, onclick: () => void tryToDo(context, () => this.ask()),
    });
    // A code counts for its address only.
    this.address.input.addEventListener('input', () => this.#show());
    this.#show();
  }

  /** Whether a code was sent to the address that stands in the field. */
  get isAsked() {
    const { address, ticket } = this.#asked;
    return ticket !== '' && this.address.value.trim() === address;
  }

  /** @returns {MailProof} */
  get proof() {
    return { ticket: this.#asked.ticket, code: this.code.value.trim() };
  }

  /** Lets the server send a code to the address in the field. An earlier one still counts until the answer. */
  async ask() {
    const address = this.address.value.trim();
    // The same words are read out once more if they come back.
    setText(this.note, '');
    try {
      const body = { address, purpose: this.purpose, language: document.documentElement.lang };
      const { ticket, delayed = false } = await callApi('/mail-codes', { method: 'POST', body });
      this.#asked = { address, ticket, delayed };
      this.code.clear();
    } finally {
      this.#show();
    }
    this.code.input.focus();
  }

  /** Forgets the code that was sent. */
  forget() {
    this.#asked = { address: '', ticket: '', delayed: false };
    this.code.clear();
    this.#show();
  }

  #show() {
    const { isAsked } = this;
    for (const node of [this.code.node, this.again]) setAttribute(node, 'hidden', !isAsked);
    const { mailCode: texts } = words().accounts;
    // The server tells nobody whether an account has an address.
    const known = this.purpose === 'register' ? texts.sent : texts.sentIfKnown;
    const sent = this.#asked.delayed ? texts.delayed : known;
    setText(this.note, isAsked ? sent(this.#asked.address) : '');
    this.changed();
  }
}

/**
 * `act` and `busy` are on the button of the second step, which also has the fields `withCode`. The others are
 * those of the form.
 *
 * @typedef {{
 *   purpose: MailPurpose, act: string, busy: string, withCode?: Field[], isGo?: boolean,
 *   send: (proof: MailProof) => Promise<void>,
 * }} MailStepsOptions
 */

/** A form in two steps: the address, and then the code. One step is in the document at a time. */
export class MailSteps {
  /**
   * @param {PageContext} context
   * @param {MailStepsOptions} options
   */
  constructor(context, { purpose, act, busy, withCode = [], isGo = true, send }) {
    const { mailCode: texts, codes } = words().accounts;
    const announce = (/** @type {string} */ said) => context.frame.announce(said);
    this.mail = new MailCode(context, purpose);
    const { address, code, note, again } = this.mail;
    this.askForm = new AccountForm({
      fields: [address], act: texts.ask, busy: texts.asking, isGo, announce, send: () => this.mail.ask(),
    });
    this.codeForm = new AccountForm({
      fields: [code, ...withCode], act, busy, isGo, announce, send: () => send(this.mail.proof),
      // The account has lost the address since.
      say: (refused) => (refused.code === 'bad_credentials' ? String(codes.mail_code_invalid) : undefined),
    });
    this.forms = [this.askForm, this.codeForm];
    const other = el('button', {
      class: 'btn small', type: 'button', text: texts.other, onclick: () => {
        this.mail.forget();
        address.input.focus();
      },
    });
    this.second = el('div', { class: 'form' }, this.codeForm.node, el('div', { class: 'acts-row' }, again, other));
    this.place = el('div');
    this.node = el('div', { class: 'form' }, note, this.place);
    this.mail.changed = () => this.#show();
    this.#show();
  }

  get isBusy() {
    return this.forms.some((form) => form.isBusy);
  }

  /** Puts the focus into the step that is shown. */
  focus() {
    focusFirst(this.mail.isAsked ? this.mail.code : this.mail.address);
  }

  /** Begins anew. */
  clear() {
    this.mail.address.clear();
    this.mail.forget();
  }

  close() {
    for (const form of this.forms) form.close();
  }

  #show() {
    const step = this.mail.isAsked ? this.second : this.askForm.node;
    if (this.place.firstChild !== step) this.place.replaceChildren(step);
  }
}
