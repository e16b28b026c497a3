// A chat room on the screen: its lines, and the field for the next one with what is wrong with it beside it.

import { el, setAttribute, setText } from './dom.js';
import { KeyedList } from './keyed.js';
import { chatLine, sendingLine } from './chatlines.js';
import { CHAT_TEXT_MAX, charactersOfLine } from '../model/chatroom.js';
import { words } from '../text/words.js';

/** The number of characters from which the view counts those that are left. */
const COUNTED_FROM = CHAT_TEXT_MAX - 50;
/** A reader so near to the end has read it, px. */
const NEAR_END = 24;

/**
 * @typedef {import('./chatlines.js').LineActs & { say(text: string): void, read(): void }} RoomActs `read`: the reader
 *   sees the last line.
 */

/**
 * `sending`: the text of a line that is on its way; `isWaiting`: the last line was not answered yet; `note` stands in place
 * of the field where the player cannot write.
 *
 * @typedef {{
 *   lines: Protocol.ChatLine[], isLoaded: boolean, sending: string | undefined, isWaiting: boolean,
 *   note: string | undefined,
 * }} RoomShown
 */

/** The view of one room. */
export class ChatView {
  #isAtEnd = true;
  #isMarked = false;
  #last = 0;
  /** @type {Protocol.ChatLine[]} */
  #lines = [];
  #isWaiting = false;
  /** @type {string | undefined} */
  #sending = undefined;

  /**
   * @param {string} name Of the room, for screen readers.
   * @param {RoomActs} acts
   */
  constructor(name, acts) {
    this.acts = acts;
    const { chat: texts } = words();
    this.list = el('div', { class: 'list' });
    this.sending = el('div', {});
    this.empty = el('p', { class: 'muted small none', text: texts.empty });
    const attributes = { role: 'log', 'aria-live': 'polite', 'aria-label': name, 'aria-busy': 'true', tabindex: 0 };
    this.log = el('div', { class: 'lines scroll', ...attributes }, this.empty, this.list, this.sending);
    this.newer = el('button', {
      type: 'button', class: 'btn small go newer', hidden: true, text: texts.newer, onclick: () => this.toEnd(),
    });
    this.input = /** @type {HTMLInputElement} */ (el('input', {
      class: 'field', 'aria-label': texts.write, placeholder: texts.write, autocomplete: 'off', enterkeyhint: 'send',
      oninput: () => this.#typed(),
    }));
    const id = `chat-told-${Math.random().toString(36).slice(2)}`;
    this.told = el('p', { id, class: 'small told', role: 'status' });
    this.input.setAttribute('aria-describedby', id);
    const send = el('button', { class: 'btn', text: texts.send });
    const onsubmit = (/** @type {Event} */ event) => this.#submit(event);
    this.form = el('form', { class: 'with-button', onsubmit }, this.input, send);
    this.note = el('p', { class: 'small muted note', hidden: true });
    this.node = el('div', { class: 'room' }, this.log, this.newer, this.form, this.note, this.told);
    this.entries = new KeyedList(this.list, (/** @type {Protocol.ChatLine} */ line) => String(line.line), chatLine(acts));
    this.log.addEventListener('scroll', () => this.#scrolled());
    // Sizes that are read while the page changes force a layout; the observer is called after the layout of the frame.
    const observer = new ResizeObserver(() => this.#sized());
    for (const node of [this.log, this.list, this.sending]) observer.observe(node);
  }

  /** Whether the reader sees the last line. */
  get isRead() {
    return this.#isAtEnd && document.visibilityState === 'visible' && this.log.checkVisibility();
  }

  /** Whether the reader is in the middle of a line. One that was left stays in its field. */
  get isWriting() {
    return this.input.value !== '' && document.activeElement === this.input;
  }

  /** @param {RoomShown} shown */
  update({ lines, isLoaded, sending, isWaiting, note }) {
    const last = lines.at(-1);
    const isMore = last !== undefined && this.#last > 0 && last.line > this.#last;
    this.#last = last?.line ?? 0;
    this.#isWaiting = isWaiting;
    // A game paints often, and its lines seldom change.
    if (lines !== this.#lines) this.entries.show(lines);
    this.#lines = lines;
    if (isMore && !this.#isAtEnd && !this.acts.isOwn(last)) this.#mark(true);
    if (sending !== this.#sending) this.sending.replaceChildren(...(sending === undefined ? [] : [sendingLine(sending)]));
    this.#sending = sending;
    setAttribute(this.empty, 'hidden', !isLoaded || lines.length > 0 || sending !== undefined);
    // Lines that were there before are no news to a screen reader.
    if (isLoaded && this.log.hasAttribute('aria-busy')) requestAnimationFrame(() => this.log.removeAttribute('aria-busy'));
    setAttribute(this.form, 'hidden', note !== undefined);
    setAttribute(this.note, 'hidden', !note);
    setText(this.note, note ?? '');
    if (this.isRead) this.acts.read();
  }

  /**
   * Gives a text back that was refused, and says why.
   *
   * @param {string} text
   * @param {string} why
   */
  giveBack(text, why) {
    const { value } = this.input;
    this.input.value = value ? `${text} ${value}` : text;
    this.#say(why, true);
  }

  /** Goes to the last line. */
  toEnd() {
    const hadFocus = document.activeElement === this.newer;
    this.#isAtEnd = true;
    this.log.scrollTop = this.log.scrollHeight;
    this.#mark(false);
    if (hadFocus) this.log.focus();
    if (this.isRead) this.acts.read();
  }

  /** The reader comes: shows the end, and puts the focus where it is of use. */
  enter() {
    this.toEnd();
    // A touch keyboard would cover what there is to read.
    const mayWrite = !this.form.hasAttribute('hidden') && matchMedia('(pointer: fine)').matches;
    (mayWrite ? this.input : this.log).focus({ preventScroll: true });
  }

  /** @param {boolean} isMarked Whether there are new lines below. */
  #mark(isMarked) {
    this.#isMarked = isMarked;
    setAttribute(this.newer, 'hidden', !isMarked);
  }

  #scrolled() {
    const { scrollTop, clientHeight, scrollHeight } = this.log;
    if (clientHeight === 0) return;
    this.#isAtEnd = scrollTop + clientHeight >= scrollHeight - NEAR_END;
    if (!this.#isAtEnd) return;
    if (this.#isMarked) this.#mark(false);
    if (this.isRead) this.acts.read();
  }

  #sized() {
    if (this.#isAtEnd) this.log.scrollTop = this.log.scrollHeight;
  }

  /** @param {Event} event */
  #submit(event) {
    event.preventDefault();
    const { chat: texts } = words();
    const text = this.input.value;
    const count = charactersOfLine(text);
    if (count === 0) return this.input.focus();
    if (count > CHAT_TEXT_MAX) return this.#say(texts.tooLong(count), true);
    if (this.#isWaiting) return this.#say(texts.stillSending, false);
    this.input.value = '';
    this.#say('', false);
    this.toEnd();
    this.acts.say(text);
    return this.input.focus();
  }

  #typed() {
    const { chat: texts } = words();
    const count = charactersOfLine(this.input.value);
    const isLong = count > CHAT_TEXT_MAX;
    // The error of a refused text stays until the text changes.
    this.#say(count > COUNTED_FROM ? texts.count(count) : '', isLong);
  }

  /** @param {string} text @param {boolean} isFault */
  #say(text, isFault) {
    setText(this.told, text);
    this.told.classList.toggle('bad', isFault);
    setAttribute(this.input, 'aria-invalid', isFault && 'true');
  }
}
