// Where a guest becomes a registered player: the form, and then the recovery codes.

import { el, setAttribute } from '../view/dom.js';
import { AccountForm } from '../view/accountform.js';
import { codesCard } from '../view/codes.js';
import {
  accountPage, beginSession, callAsPlayer, newHandleField, newPasswordField, otherWay, ownLabel, plainPage,
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
      const signedIn = await account.change(async () => {
        const answer = await callAsPlayer(context, '/register', { method: 'POST', body }).catch(knownAlready);
        account.unsaved = answer.recovery_codes;
        return answer;
      }, ({ me }) => me);
      if (account.unsaved === undefined) {
        frame.toast(texts.done(account.name));
        return frame.back('/account');
      }
      show(openCodes(context, signedIn.recovery_codes, texts.done(account.name)).node);
    },
  });
  mail.code.node.before(mail.note);
  mail.code.node.after(mail.again);
  let isUnsure = false;
  /** The answer to an earlier try may be lost, and the guest registered already: then the password opens the account. */
  const knownAlready = async (/** @type {any} */ refused) => {
    if (refused.code === 'unreachable') isUnsure = true;
    else if (isUnsure && password.value) {
      const known = { handle: handle.value.trim(), password: password.value };
      return beginSession('/login', known).catch(() => Promise.reject(refused));
    }
    throw refused;
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
