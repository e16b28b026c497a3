// The player's data on the server: the download of all of it, and its erasure.

import { saveText } from '../view/download.js';
import { AccountForm } from '../view/accountform.js';
import { el, setAttribute, setText } from '../view/dom.js';
import { textOfZip } from '../model/zip.js';
import { callAsPlayer, fileAsPlayer, handleField, tryToDo } from './accountparts.js';
import { cancelErasure, showErasure } from './ownstate.js';
import { words } from '../text/words.js';

/** @typedef {import('./routes.js').PageContext} PageContext */

/** The two parts of the account page. */
export class OwnData {
  /** @param {PageContext} context */
  constructor(context) {
    this.context = context;
    const { ownData: texts } = words().accounts;
    this.button = el('button', { class: 'btn', type: 'button', text: texts.export, onclick: () => void this.#export() });
    this.due = el('p', { class: 'bad', hidden: true });
    this.keep = el('button', {
      class: 'btn', type: 'button', text: texts.keep, hidden: true, onclick: () => void this.#takeBack(),
    });
    const { frame } = context;
    const handle = handleField(undefined, { label: texts.confirm, autocomplete: 'off' });
    this.form = new AccountForm({
      fields: [handle], act: texts.erase, busy: texts.busy, isGo: false, announce: (said) => frame.announce(said),
      send: async () => {
        const body = { handle: handle.value.trim() };
        const wish = await callAsPlayer(context, '/account/erasure', { method: 'POST', body });
        handle.clear();
        this.show(wish.erased_at);
        frame.toast(texts.asked(words().accounts.date(wish.erased_at)));
      },
    });
    this.nodes = [
      fold(texts.title, el('p', { class: 'small muted', text: texts.text }), this.button),
      fold(texts.eraseTitle, el('p', { class: 'small muted', text: texts.eraseText }), this.due, this.keep, this.form.node),
    ];
  }

  /**
   * Shows whether the player is to be erased.
   *
   * @param {number | undefined} erasedAt
   */
  show(erasedAt) {
    const { ownData: texts, date } = words().accounts;
    const isAsked = erasedAt !== undefined;
    setText(this.due, isAsked ? texts.due(date(erasedAt)) : '');
    setAttribute(this.due, 'hidden', !isAsked);
    setAttribute(this.keep, 'hidden', !isAsked);
    setAttribute(this.form.node, 'hidden', isAsked);
    showErasure(this.context, erasedAt, () => this.show(undefined));
  }

  async #export() {
    const { frame } = this.context;
    const { ownData: texts } = words().accounts;
    setText(this.button, texts.exporting);
    setAttribute(this.button, 'disabled', true);
    await tryToDo(this.context, async () => {
      const file = await fileAsPlayer(this.context, '/account/export');
      // A file without its list ends early.
      if (await textOfZip(file, 'manifest.json') === undefined) return void frame.toast(texts.failed);
      saveText(file, 'tilewire-player.zip', 'application/zip');
      frame.toast(texts.exported);
    });
    setText(this.button, texts.export);
    setAttribute(this.button, 'disabled', false);
  }

  async #takeBack() {
    if (await cancelErasure(this.context)) this.show(undefined);
  }
}

/** @param {string} title @param {...Node} parts */
function fold(title, ...parts) {
  const body = el('div', { class: 'form padded' }, ...parts);
  return el('details', { class: 'card fold' }, el('summary', { text: title }), body);
}
