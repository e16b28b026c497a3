// A form around an account: fields, one button, what is wrong, and the wait after too many wrong tries.

import { el, setAttribute, setText } from './dom.js';
import { refusedText, words } from '../text/words.js';

/** @typedef {import('./field.js').Field} Field */
/** @typedef {Parameters<typeof refusedText>[0]} Refusal */

/**
 * `send` does what the form is for; a refusal is shown. `say` has another text for a refusal. `announce` tells screen
 * readers.
 *
 * @typedef {{
 *   fields: Field[], act: string, busy: string, send: () => Promise<void>, isGo?: boolean,
 *   say?: (refused: Refusal) => string | undefined, announce: (text: string) => void,
 * }} AccountFormOptions
 */

const COUNT_EVERY_MS = 250;

/** The form. */
export class AccountForm {
  isBusy = false;
  #waitUntil = 0;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer = undefined;

  /** @param {AccountFormOptions} options */
  constructor(options) {
    const { fields, isGo = true } = options;
    this.options = options;
    this.isGo = isGo;
    this.problem = el('p', { class: 'bad', role: 'alert' });
    this.countdown = el('p', { class: 'num', role: 'timer' });
    this.button = el('button', { class: 'btn wide tall' });
    this.node = /** @type {HTMLFormElement} */ (el(
      'form', { class: 'form', method: 'post', novalidate: true, onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        void this.#submit();
      } },
      ...fields.map(({ node }) => node), this.problem, this.countdown, this.button,
    ));
    this.#showButton();
  }

  /** Ends the countdown. */
  close() {
    clearInterval(this.#timer);
  }

  async #submit() {
    const { fields, send } = this.options;
    if (this.isBusy || this.#left() > 0) return;
    this.#say('');
    const wrong = fields.filter((field) => !field.check());
    if (wrong.length > 0) return wrong[0].input.focus();
    this.isBusy = true;
    this.#showButton();
    try {
      await send();
    } catch (error) {
      const refused = /** @type {any} */ (error);
      if (typeof refused.code !== 'string') throw error;
      this.#refused(refused);
    } finally {
      this.isBusy = false;
      this.#showButton();
    }
  }

  /** @param {Refusal} refused */
  #refused(refused) {
    const { fields, say } = this.options;
    const wait_ms = refused.detail?.retry_after_ms ?? 0;
    const isWait = wait_ms > 0;
    const { code, message, retryable, detail } = refused;
    // The countdown says the wait.
    const text = say?.(refused) ?? refusedText({ code, message, retryable, detail: isWait ? {} : detail });
    const place = placeOf(refused);
    const field = fields.find(({ name }) => name === place);
    if (field) {
      field.setError(text);
      field.input.focus();
    } else this.#say(text);
    if (isWait) this.#wait(wait_ms);
  }

  /** @param {string} text */
  #say(text) {
    setText(this.problem, text);
    setText(this.countdown, '');
  }

  /** @param {number} ms */
  #wait(ms) {
    const { announce } = this.options;
    const { accounts } = words();
    this.#waitUntil = performance.now() + ms;
    clearInterval(this.#timer);
    const tick = () => {
      const left = this.#left();
      setText(this.countdown, left > 0 ? accounts.wait(countdownText(left)) : accounts.again);
      if (left > 0) return;
      clearInterval(this.#timer);
      this.#showButton();
      announce(accounts.again);
    };
    this.#timer = setInterval(tick, COUNT_EVERY_MS);
    // Each step of a timer is not read; its beginning is.
    announce(accounts.wait(countdownText(ms)));
    tick();
  }

  #left() {
    return Math.max(0, this.#waitUntil - performance.now());
  }

  #showButton() {
    const { act, busy } = this.options;
    const isReady = !this.isBusy && this.#left() === 0;
    setText(this.button, this.isBusy ? busy : act);
    setAttribute(this.button, 'aria-disabled', !isReady && 'true');
    this.button.classList.toggle('go', this.isGo && isReady);
  }
}

/**
 * The field that a refusal is about, by the names that the API gives them.
 *
 * @param {Refusal} refused
 * @returns {string | undefined}
 */
export function placeOf({ code, detail }) {
  if (code === 'wrong_proof') return 'current';
  if (code === 'mail_taken') return 'address';
  if (code.startsWith('mail_code_')) return 'code';
  if (code === 'no_change' || code.startsWith('handle_')) return 'handle';
  return code.startsWith('password_') ? 'password' : detail?.field;
}

/**
 * A time that is left, as in "0:05" or "1:02:00".
 *
 * @param {number} ms
 * @returns {string}
 */
export function countdownText(ms) {
  const seconds = Math.ceil(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [first, ...rest] = parts[0] > 0 ? parts : parts.slice(1);
  return [first, ...rest.map((part) => String(part).padStart(2, '0'))].join(':');
}
