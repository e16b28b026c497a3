// The account of the player: where one is logged in, the password, the handle, the recovery codes that are left.

import { el, setAttribute } from '../view/dom.js';
import { AccountForm } from '../view/accountform.js';
import { nameNode } from '../view/parts.js';
import { fillSelect } from '../view/choices.js';
import { block } from '../view/lobbylayout.js';
import { sessionRow } from '../view/sessions.js';
import {
  accountPage, callAsPlayer, currentPasswordField, handleField, newHandleField, newPasswordField, plainPage, tryToDo,
} from './accountparts.js';
import { takeInvitationsFrom } from './invitations.js';
import { LetterSettings } from './lettersettings.js';
import { PushSettings } from './pushsettings.js';
import { OwnData } from './owndata.js';
import { loadScript } from './scripts.js';
import { logOut } from './logout.js';
import { BY_MAIL, sendsMail } from './mailcode.js';
import { VacationPart } from './vacation.js';
import { refusedText, words } from '../text/words.js';

/** @typedef {import('./routes.js').PageContext} PageContext */
/** @typedef {import('./routes.js').Page} Page */
/** @typedef {import('../view/sessions.js').SessionView} SessionView */

/**
 * @param {PageContext} context
 * @returns {Page}
 */
export function openAccount(context) {
  const { account, frame } = context;
  const { lobby: { bar }, accounts: { account: texts } } = words();
  frame.setTitle(texts.title);
  if (account.kind === 'guest') {
    const links = /** @type {[string, string][]} */ ([['/register', bar.register], ['/login', bar.logIn]]);
    return { node: plainPage(texts.guest, texts.guestText, links), close() {} };
  }
  if (account.kind === 'site') return { node: plainPage(texts.site, texts.siteText, [['/', bar.play]]), close() {} };
  const page = new AccountPage(context);
  return { node: page.node, isBusy: () => page.forms.some((form) => form.isBusy), close: () => page.close() };
}

/** The account while it is on the screen. */
class AccountPage {
  isClosed = false;
  /** @type {AccountForm[]} */
  forms = [];

  /** @param {PageContext} context */
  constructor(context) {
    this.context = context;
    const { accounts: { account: texts } } = words();
    this.name = el('a', { class: 'name text-link' });
    this.about = el('p', { class: 'small muted' });
    this.conduct = el('p', { class: 'small', hidden: true });
    this.list = el('ul', { class: 'card sessions' });
    this.others = el('div', { class: 'acts-row', hidden: true }, el('button', {
      class: 'btn', type: 'button', text: texts.endOthers,
      onclick: () => void this.#end('/sessions', texts.othersEnded),
    }));
    this.inviters = /** @type {HTMLSelectElement} */ (el('select', {
      class: 'field', onchange: () => void this.#chooseInviters(),
    }));
    this.chat = /** @type {HTMLInputElement} */ (el('input', {
      type: 'checkbox', disabled: true, onchange: () => void this.#switchChat(),
    }));
    this.byMail = el(
      'div', { class: 'form', hidden: true }, el('p', { class: 'small muted', text: texts.byMail }),
      el('button', { class: 'btn', type: 'button', text: texts.byMailAct, onclick: () => void this.#recoverByMail() }),
    );
    const sessions = block('sessions', texts.sessions);
    this.heading = /** @type {HTMLElement} */ (sessions.node.querySelector('h2'));
    setAttribute(this.heading, 'tabindex', -1);
    sessions.node.append(this.list, this.others);
    this.letters = new LetterSettings(context);
    this.forms.push(...this.letters.forms);
    const forms = [this.#passwordPart(), this.#codesPart(), this.#handlePart()];
    this.ownData = new OwnData(context);
    const vacation = new VacationPart(context);
    this.forms.push(this.ownData.form, vacation.form);
    const pushes = new PushSettings(context);
    const settings = [this.#invitationsPart(), this.#chatPart(), this.letters.node, pushes.node, vacation.node];
    const parts = [this.#card(), sessions.node, ...settings, ...forms, ...this.ownData.nodes];
    this.node = accountPage(texts.title, '', el('div', { class: 'stack' }, ...parts));
    this.#showName();
    void this.#load();
  }

  close() {
    this.isClosed = true;
    for (const form of this.forms) form.close();
  }

  /** The player's account, the recovery codes that are left, and the button to log out. */
  #card() {
    const { account } = this.context;
    const { lobby: { bar }, accounts: { codesCard } } = words();
    return el(
      'div', { class: 'card padded form' },
      el(
        'div', { class: 'between' }, this.name,
        el('button', { class: 'btn small', type: 'button', text: bar.logOut, onclick: () => void logOut(this.context) }),
      ),
      this.about,
      this.conduct,
      account.unsaved !== undefined && el(
        'p', { class: 'bad small' }, codesCard.unsaved, ' ',
        el('a', { class: 'text-link', href: '/register', text: codesCard.showThem }),
      ),
    );
  }

  /**
   * The points for games that the player left, and until when the player waits.
   *
   * @param {{ points: number, waiting_until?: number } | undefined} conduct
   */
  #showConduct(conduct) {
    const { account: texts, moment } = words().accounts;
    const until = conduct?.waiting_until;
    const points = conduct?.points ?? 0;
    const waiting = until === undefined ? '' : ` ${texts.waiting(moment(until))}`;
    this.conduct.textContent = `${texts.points(points)}${waiting}`;
    setAttribute(this.conduct, 'hidden', points === 0 && until === undefined);
    this.conduct.classList.toggle('bad', until !== undefined);
  }

  #showName() {
    const { name } = this.context.account;
    this.name.replaceChildren(nameNode(name));
    setAttribute(this.name, 'href', `/players/${encodeURIComponent(name)}`);
  }

  /** Asks for the account and its sessions. */
  async #load() {
    const { accounts: { codesCard, player } } = words();
    try {
      const asked = ['/me', '/sessions'].map((path) => callAsPlayer(this.context, path));
      const [me, told, isMailOn] = await Promise.all([...asked, sendsMail()]);
      if (this.isClosed) return;
      this.about.textContent = `${player.registered(words().accounts.date(me.registered_at))}. `
        + codesCard.left(me.recovery_codes_left, me.mail !== undefined);
      this.about.classList.toggle('bad', me.recovery_codes_left === 0 && me.mail === undefined);
      this.#showConduct(me.conduct);
      this.#showInviters(me.invitations_from);
      this.letters.show(me, isMailOn);
      setAttribute(this.byMail, 'hidden', !isMailOn || me.mail === undefined || me.mail.refused);
      this.chat.checked = me.chat !== false;
      this.chat.disabled = false;
      this.ownData.show(me.erased_at);
      this.#showSessions(told.sessions, told.server_time);
    } catch (refused) {
      if (this.isClosed) return;
      this.about.textContent = refusedText(/** @type {any} */ (refused));
    }
  }

  /**
   * @param {SessionView[]} sessions
   * @param {number} now
   */
  #showSessions(sessions, now) {
    const { account: texts } = words().accounts;
    const newest = [...sessions].sort((a, b) => Number(b.current) - Number(a.current) || b.used_at - a.used_at);
    this.list.replaceChildren(...newest.map((session) => sessionRow(session, now, () => (
      void this.#end(`/sessions/${encodeURIComponent(session.id)}`, texts.ended)))));
    setAttribute(this.others, 'hidden', sessions.length < 2);
  }

  /**
   * Ends sessions. The rows change then, so the focus goes to the heading.
   *
   * @param {string} path
   * @param {string} done
   */
  async #end(path, done) {
    const { frame } = this.context;
    await tryToDo(this.context, async () => {
      await callAsPlayer(this.context, path, { method: 'DELETE' });
      frame.toast(done);
    });
    await this.#load();
    this.heading.focus();
  }

  /** The choice of the players whose invitations the player gets. */
  #invitationsPart() {
    const { invitations: texts } = words().accounts;
    const label = el('label', {}, el('span', { class: 'label', text: texts.fromLabel }), this.inviters);
    const body = el('div', { class: 'form padded' }, el('p', { class: 'small muted', text: texts.fromText }), label);
    return el('details', { class: 'card fold' }, el('summary', { text: texts.from }), body);
  }

  #chooseInviters() {
    return tryToDo(this.context, async () => {
      await takeInvitationsFrom(this.context, this.inviters.value);
      this.context.frame.toast(words().accounts.invitations.saved);
    });
  }

  /** @param {string} chosen */
  #showInviters(chosen) {
    fillSelect(this.inviters, Object.entries(words().accounts.invitations.inviters), chosen);
  }

  /** Whether the player has chat at all. */
  #chatPart() {
    const { chat: texts } = words().accounts;
    const label = el('label', { class: 'check' }, this.chat, el('span', { text: texts.label }));
    const body = el('div', { class: 'form padded' }, el('p', { class: 'small muted', text: texts.text }), label);
    return el('details', { class: 'card fold' }, el('summary', { text: texts.title }), body);
  }

  /** Switches chat on or off, on the server and on this page. */
  #switchChat() {
    const { context, chat } = this;
    const { frame, connection } = context;
    const isOn = chat.checked;
    return tryToDo(context, async () => {
      try {
        await callAsPlayer(context, '/account/chat', { method: 'PUT', body: { enabled: isOn } });
      } catch (refused) {
        chat.checked = !isOn;
        throw refused;
      }
      const { chat: texts } = words().accounts;
      frame.toast(isOn ? texts.isOn : texts.isOff);
      const script = connection.hello?.chat && await loadScript(frame, 'chat');
      if (script) script.chatOf(context).switchTo(isOn);
    });
  }

  #passwordPart() {
    const { account, frame } = this.context;
    const { accounts: { account: texts, field } } = words();
    const owner = handleField(account.name, { isHidden: true });
    const current = currentPasswordField(field.current, 'current');
    const password = newPasswordField(field.newPassword);
    const part = this.#formPart(texts.password, texts.passwordText, {
      fields: [owner, current, password], act: texts.passwordAct,
      send: async () => {
        const body = { current: current.value, new: password.value };
        await account.change(() => callAsPlayer(this.context, '/password', { method: 'POST', body }), (me) => me);
        frame.toast(texts.passwordDone);
        for (const { input } of [current, password]) input.value = '';
        await this.#load();
      },
    });
    part.lastElementChild?.append(this.byMail);
    return part;
  }

  /** To the page for a new password by a code in a letter. A recovery ends this session too, so the player logs out first. */
  async #recoverByMail() {
    const { account, frame } = this.context;
    await logOut(this.context);
    if (account.kind === 'guest') frame.go(`/recover${BY_MAIL}`);
  }

  #codesPart() {
    const { account, frame } = this.context;
    const { accounts: { account: texts, field } } = words();
    const owner = handleField(account.name, { isHidden: true });
    const current = currentPasswordField(field.current, 'current');
    return this.#formPart(texts.renew, texts.renewText, {
      fields: [owner, current], act: texts.renewAct,
      send: async () => {
        const body = { password: current.value };
        const renewed = await callAsPlayer(this.context, '/recovery-codes', { method: 'POST', body });
        account.unsaved = renewed.recovery_codes;
        // That page shows codes until the player says that they are kept.
        frame.go('/register');
      },
    });
  }

  #handlePart() {
    const { account, frame } = this.context;
    const { accounts: { account: texts } } = words();
    const handle = newHandleField(undefined, texts.newHandle);
    return this.#formPart(texts.handle, texts.handleText, {
      fields: [handle], act: texts.handleAct,
      send: async () => {
        const body = { handle: handle.value.trim() };
        const me = await callAsPlayer(this.context, '/handle', { method: 'POST', body });
        account.named(me.handle);
        this.#showName();
        frame.toast(texts.handleDone(me.handle));
        handle.clear();
      },
    });
  }

  /**
   * A form that is open when the player wants it.
   *
   * @param {string} title
   * @param {string} text
   * @param {Pick<import('../view/accountform.js').AccountFormOptions, 'fields' | 'act' | 'send'>} parts
   */
  #formPart(title, text, parts) {
    const { frame } = this.context;
    const { busy } = words().accounts.account;
    const form = new AccountForm({ ...parts, busy, isGo: false, announce: (said) => frame.announce(said) });
    this.forms.push(form);
    const lead = el('p', { class: 'small muted', text });
    const body = el('div', { class: 'form padded' }, lead, form.node);
    return el('details', { class: 'card fold' }, el('summary', { text: title }), body);
  }
}
