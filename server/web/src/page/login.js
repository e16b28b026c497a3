// Where a registered player logs in: with the password, with a recovery code, or with a code in a letter.

import { el, setAttribute, setText } from '../view/dom.js';
import { AccountForm } from '../view/accountform.js';
import { Field } from '../view/field.js';
import {
  accountPage, beginSession, currentPasswordField, focusFirst, handleField, newPasswordField, otherWay, plainPage,
} from './accountparts.js';
import { logOut } from './logout.js';
import { BY_MAIL, MailSteps, sendsMail } from './mailcode.js';
import { words } from '../text/words.js';

/** @typedef {import('./routes.js').PageContext} PageContext */
/** @typedef {import('./routes.js').Page} Page */

/**
 * @param {PageContext} context
 * @returns {Page}
 */
export function openLogIn(context) {
  const { lobby: { bar }, accounts: { logIn: texts, field } } = words();
  const handle = handleField();
  const password = currentPasswordField(field.password);
  return sessionPage(context, texts, {
    fields: [handle, password],
    begin: () => beginSession('/login', { handle: handle.value.trim(), password: password.value }),
    byMail: { purpose: 'log_in', withCode: [], begin: (mail) => beginSession('/login/code', { mail }) },
    below: [
      el('p', { class: 'small' }, el('a', { class: 'text-link', href: '/recover', text: texts.forgot })),
      otherWay(texts.unknown, '/register', bar.register),
    ],
  });
}

/**
 * @param {PageContext} context
 * @returns {Page}
 */
export function openRecover(context) {
  const { lobby: { bar }, accounts: { recover: texts, field } } = words();
  const handle = handleField();
  const code = new Field({ name: 'code', label: texts.code, autocomplete: 'off', hint: texts.codeHint });
  const password = newPasswordField(field.newPassword);
  const byMail = newPasswordField(field.newPassword);
  return sessionPage(context, texts, {
    fields: [handle, code, password],
    begin: () => beginSession('/recover', {
      handle: handle.value.trim(), code: code.value.trim(), password: password.value,
    }),
    byMail: {
      purpose: 'recover', withCode: [byMail],
      begin: (mail) => beginSession('/recover/code', { mail, password: byMail.value }),
    },
    say: ({ code: refusal }) => (refusal === 'bad_credentials' ? texts.wrong : undefined),
    below: [el('p', { class: 'small' }, el('a', { class: 'text-link', href: '/login', text: bar.logIn }))],
  });
}

/**
 * A page with a form that begins a session of this browser, and another one with a code by mail in its place if the server
 * sends letters.
 *
 * @param {PageContext} context
 * @param {{
 *   title: string, lead?: string, leadByMail?: string, act: string, busy: string, byMail: string, notByMail: string,
 *   done: (handle: string) => string,
 * }} texts
 * @param {{
 *   fields: Field[], begin: () => Promise<any>, below: Node[],
 *   say?: import('../view/accountform.js').AccountFormOptions['say'],
 *   byMail: {
 *     purpose: import('./mailcode.js').MailPurpose, withCode: Field[],
 *     begin: (mail: import('./mailcode.js').MailProof) => Promise<any>,
 *   },
 * }} parts
 * @returns {Page}
 */
function sessionPage(context, texts, { fields, begin, below, say, byMail }) {
  const { account, connection, frame } = context;
  const { accounts: { logIn } } = words();
  frame.setTitle(texts.title);
  if (account.kind !== 'guest') return loggedInAlready(context, texts.title);
  const { act, busy, lead: leadText = '', leadByMail = leadText } = texts;
  const enter = async (/** @type {any} */ signedIn) => {
    await account.take(signedIn);
    frame.toast(texts.done(account.name));
    frame.back('/');
  };
  const form = new AccountForm({
    fields, act, busy, say, announce: (text) => frame.announce(text), send: async () => enter(await begin()),
  });
  const { purpose, withCode } = byMail;
  const steps = new MailSteps(context, {
    purpose, act, busy, withCode, send: async (mail) => enter(await byMail.begin(mail)),
  });
  const aside = el('p', { class: 'small muted' });
  // The page can be there before the server has said who its guest is.
  const showGuest = () => {
    setText(aside, account.name && logIn.aside(account.name));
    setAttribute(aside, 'hidden', account.name === '');
  };
  const end = connection.on('welcome', showGuest);
  showGuest();
  const card = el('div', { class: 'card padded' }, form.node);
  const lead = el('p', { class: 'lead', text: leadText, hidden: leadText === '' });
  const swap = () => {
    const isByMail = card.firstChild === form.node;
    card.replaceChildren(isByMail ? steps.node : form.node);
    setText(lead, isByMail ? leadByMail : leadText);
    setText(way, isByMail ? texts.notByMail : texts.byMail);
    if (isByMail) steps.focus();
    else focusFirst(fields[0]);
  };
  const way = el('button', { class: 'text-link small', type: 'button', text: texts.byMail, hidden: true, onclick: swap });
  void sendsMail().then((isOn) => {
    setAttribute(way, 'hidden', !isOn);
    if (isOn && location.hash === BY_MAIL) swap();
  });
  const node = accountPage(texts.title, '', lead, card, way, ...below, aside);
  focusFirst(fields[0]);
  return {
    node,
    isBusy: () => form.isBusy || steps.isBusy,
    close() {
      end();
      form.close();
      steps.close();
    },
  };
}

/**
 * @param {PageContext} context
 * @param {string} title
 * @returns {Page}
 */
function loggedInAlready(context, title) {
  const { lobby: { bar }, accounts: { logIn } } = words();
  const { account } = context;
  const node = plainPage(title, logIn.done(account.name), [['/account', bar.account]]);
  if (account.kind === 'player') {
    node.lastElementChild?.append(
      el('button', { class: 'btn', type: 'button', text: bar.logOut, onclick: () => void logOut(context) }),
    );
  }
  return { node, close() {} };
}
