// The vacation of the player: the days that are left, a form to go, a button to come back early.

import { AccountForm } from '../view/accountform.js';
import { el, setAttribute, setText } from '../view/dom.js';
import { Field } from '../view/field.js';
import { callAsPlayer, tryToDo } from './accountparts.js';
import { words } from '../text/words.js';

/** @typedef {import('./routes.js').PageContext} PageContext */
/** @typedef {{ until?: number, days_left: number }} VacationState */

/** The most days of a vacation, as the server counts them. */
const VACATION_MAX_DAYS = 30;

/** The part of the account page. */
export class VacationPart {
  /** @param {PageContext} context */
  constructor(context) {
    this.context = context;
    const { frame } = context;
    const { vacation: texts } = words().accounts;
    this.state = el('p', { class: 'small' });
    this.back = el('button', {
      class: 'btn', type: 'button', text: texts.end, hidden: true, onclick: () => void this.#end(),
    });
    const check = (/** @type {string} */ typed) => {
      const days = Number(typed);
      return Number.isInteger(days) && days >= 1 && days <= VACATION_MAX_DAYS ? undefined : texts.wrong;
    };
    const days = new Field({ name: 'days', label: texts.days, autocomplete: 'off', check });
    this.form = new AccountForm({
      fields: [days], act: texts.take, busy: texts.busy, isGo: false, announce: (said) => frame.announce(said),
      send: async () => {
        const body = { days: Number(days.value) };
        this.show(await callAsPlayer(context, '/account/vacation', { method: 'POST', body }));
        days.clear();
        frame.toast(texts.taken);
      },
    });
    const text = el('p', { class: 'small muted', text: texts.text });
    const body = el('div', { class: 'form padded' }, text, this.state, this.back, this.form.node);
    this.node = el('details', { class: 'card fold', ontoggle: () => void this.#load() },
      el('summary', { text: texts.title }), body);
  }

  /**
   * Shows until when the player is away, and what is left.
   *
   * @param {VacationState} state
   */
  show({ until, days_left: left }) {
    const { vacation: texts, moment } = words().accounts;
    setText(this.state, `${until === undefined ? texts.here : texts.away(moment(until))} ${texts.left(left)}`);
    setAttribute(this.back, 'hidden', until === undefined);
  }

  #load() {
    return tryToDo(this.context, async () => this.show(await callAsPlayer(this.context, '/account/vacation')));
  }

  #end() {
    return tryToDo(this.context, async () => {
      this.show(await callAsPlayer(this.context, '/account/vacation', { method: 'DELETE' }));
      this.context.frame.toast(words().accounts.vacation.ended);
    });
  }
}
