// Where a registered player logs in, with the password or with a recovery code.

import { el, setAttribute, setText } from '../view/dom.js';
import { AccountForm } from '../view/accountform.js';
import { Field } from '../view/field.js';
import {
  accountPage, beginSession, currentPasswordField, focusFirst, handleField, newPasswordField, otherWay, plainPage,
} from './accountparts.js';
import { logOut } from './logout.js';
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
  return sessionPage(context, texts, {
    fields: [handle, code, password],
    begin: () => beginSession('/recover', {
      handle: handle.value.trim(), code: code.value.trim(), password: password.value,
    }),
    say: ({ code: refusal }) => (refusal === 'bad_credentials' ? texts.wrong : undefined),
    below: [el('p', { class: 'small' }, el('a', { class: 'text-link', href: '/login', text: bar.logIn }))],
  });
}

/**
 * A page with a form that begins a session of this browser.
 *
 * @param {PageContext} context
 * @param {{ title: string, lead?: string, act: string, busy: string, done: (handle: string) => string }} texts
 * @param {{
 *   fields: Field[], begin: () => Promise<any>, below: Node[],
 *   say?: import('../view/accountform.js').AccountFormOptions['say'],
 * }} parts
 * @returns {Page}
 */
function sessionPage(context, texts, { fields, begin, below, say }) {
  const { account, connection, frame } = context;
  const { lobby: { bar }, accounts: { logIn } } = words();
  frame.setTitle(texts.title);
  if (account.kind !== 'guest') return loggedInAlready(context, texts.title);
  const form = new AccountForm({
    fields, act: texts.act, busy: texts.busy, say, announce: (text) => frame.announce(text),
    async send() {
      await account.take(await begin());
      frame.toast(texts.done(account.name));
      frame.go('/');
    },
  });
  const aside = el('p', { class: 'small muted' });
  // The page can be there before the server has said who its guest is.
  const showGuest = () => {
    setText(aside, account.name && logIn.aside(account.name));
    setAttribute(aside, 'hidden', account.name === '');
  };
  const end = connection.on('welcome', showGuest);
  showGuest();
  const node = accountPage(texts.title, texts.lead ?? '', el('div', { class: 'card padded' }, form.node), ...below, aside);
  focusFirst(fields[0]);
  return {
    node,
    isBusy: () => form.isBusy,
    close() {
      end();
      form.close();
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
