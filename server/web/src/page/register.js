// Where a guest becomes a registered player: the form, and then the recovery codes.

import { el, setAttribute } from '../view/dom.js';
import { AccountForm } from '../view/accountform.js';
import { codesCard } from '../view/codes.js';
import {
  accountPage, callAsPlayer, newHandleField, newPasswordField, otherWay, ownLabel, plainPage,
} from './accountparts.js';
import { MailCode, sendsMail } from './mailcode.js';
import { words } from '../text/words.js';

/** A name that may be a handle, and that the server has not made up. */
const LIKE_A_HANDLE = /^(?!Guest-)(?=.*\p{L})[\p{L}\p{N}]+(?:[-_][\p{L}\p{N}]+)*$/u;

/** @typedef {import('./routes.js').PageContext} PageContext */
/** @typedef {import('./routes.js').Page} Page */

/**
 * @param {PageContext} context
 * @returns {Page}
 */
export function openRegister(context) {
  const { account, frame } = context;
  const { lobby: { bar }, accounts: { register: texts, logIn } } = words();
  if (account.unsaved) return openCodes(context, account.unsaved);
  frame.setTitle(texts.title);
  if (account.kind !== 'guest') {
    return { node: plainPage(texts.title, logIn.done(account.name), [['/account', bar.account]]), close() {} };
  }
  const guest = account.name;
  const handle = newHandleField(LIKE_A_HANDLE.test(guest) ? guest : undefined);
  const password = newPasswordField();
  const mail = new MailCode(context, 'register', { isOptional: true, label: texts.address, hint: texts.addressHint });
  setAttribute(mail.address.node, 'hidden', true);
  void sendsMail().then((isOn) => setAttribute(mail.address.node, 'hidden', !isOn));
  const form = new AccountForm({
    fields: [handle, password, mail.address, mail.code], act: texts.act, busy: texts.busy, announce: (text) => frame.announce(text),
    async send() {
      const isWithMail = !mail.address.node.hidden && mail.address.value.trim() !== '';
      if (isWithMail && !mail.isAsked) return mail.ask();
      const body = {
        handle: handle.value.trim(), password: password.value, label: ownLabel(),
        ...(isWithMail && { mail: mail.proof }),
      };
      const signedIn = await callAsPlayer(context, '/register', { method: 'POST', body }).catch(knownAlready);
      if (signedIn === undefined) return;
      account.unsaved = signedIn.recovery_codes;
      await account.take(signedIn);
      show(openCodes(context, signedIn.recovery_codes, texts.done(account.name)).node);
    },
  });
  mail.code.node.before(mail.note);
  mail.code.node.after(mail.again);
  /** The answer to an earlier try was lost: the guest is registered, and only this page did not know. */
  const knownAlready = async (/** @type {any} */ refused) => {
    if (refused.code !== 'already_registered') throw refused;
    const { handle: own } = await callAsPlayer(context, '/me');
    account.named(own);
    frame.toast(texts.done(own));
    frame.back('/account');
  };
  const node = el('div', {}, accountPage(
    texts.title, texts.lead(guest),
    el('div', { class: 'card padded' }, form.node),
    otherWay(texts.known, '/login', bar.logIn),
    el('ul', { class: 'gains small' }, ...texts.gains.map((text) => el('li', { text }))),
  ));
  const show = (/** @type {HTMLElement} */ page) => {
    node.replaceChildren(page);
    window.scrollTo(0, 0);
    page.querySelector('h1')?.focus();
  };
  return { node, isBusy: () => form.isBusy || account.unsaved !== undefined, close: () => form.close() };
}

/**
 * The recovery codes, until the player says that they are kept. Until then they stay in memory, and the browser asks
 * before it closes the page.
 *
 * @param {PageContext} context
 * @param {string[]} codes
 * @param {string} [news] What has happened.
 * @returns {Page}
 */
function openCodes({ account, frame }, codes, news = '') {
  const { codesCard: texts } = words().accounts;
  frame.setTitle(texts.title);
  const ask = (/** @type {Event} */ event) => account.unsaved && event.preventDefault();
  window.addEventListener('beforeunload', ask);
  const done = () => {
    account.unsaved = undefined;
    window.removeEventListener('beforeunload', ask);
    frame.back('/account');
  };
  const toast = (/** @type {string} */ text) => void frame.toast(text);
  const card = codesCard({ codes, handle: account.name, host: location.host, toast, done });
  const node = accountPage(texts.title, `${news} ${texts.lead}`.trim(), card);
  node.querySelector('h1')?.setAttribute('tabindex', '-1');
  return { node, isBusy: () => account.unsaved !== undefined, close() {} };
}
