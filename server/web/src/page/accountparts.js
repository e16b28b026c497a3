// The shared parts of the account pages: requests as the player of this browser, the usual fields, the usual page.

import { el } from '../view/dom.js';
import { Field } from '../view/field.js';
import { Refused } from '../wire/requests.js';
import { callApi, fileOfApi } from '../wire/api.js';
import { deviceLabel } from '../text/device.js';
import { refusedText, words } from '../text/words.js';

/** As the server counts them. */
const HANDLE_MAX = 20;
const PASSWORD_MIN = 10;
const PASSWORD_MAX = 128;
/** The time that a first connection gets to bring the token of a guest. */
const TOKEN_WITHIN_MS_OF_API = 10_000;

/** @typedef {import('./routes.js').PageContext} PageContext */

/**
 * Sends a request with the token of the player.
 *
 * @param {Pick<PageContext, 'account' | 'connection'>} context
 * @param {string} path
 * @param {{ method?: string, body?: Record<string, any> }} [request]
 */
export async function callAsPlayer({ account, connection }, path, request = {}) {
  if (account.token === undefined) await tokenOf(connection);
  return callApi(path, { ...request, token: account.token });
}

/**
 * Gets a file with the token of the player.
 *
 * @param {PageContext} context
 * @param {string} path
 */
export async function fileAsPlayer({ account, connection }, path) {
  if (account.token === undefined) await tokenOf(connection);
  return fileOfApi(path, { token: account.token });
}

/**
 * Waits for the token of a new guest.
 *
 * @param {import('../wire/socket.js').Connection} connection
 * @returns {Promise<void>}
 */
function tokenOf(connection) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      end();
      reject(new Refused({ code: 'stopped' }));
    }, TOKEN_WITHIN_MS_OF_API);
    const end = connection.on('welcome', () => {
      clearTimeout(timer);
      end();
      resolve();
    });
  });
}

/**
 * Sends a request that begins a session.
 *
 * @param {string} path
 * @param {Record<string, any>} body
 */
export function beginSession(path, body) {
  return callApi(path, { method: 'POST', body: { ...body, label: ownLabel() } });
}

/** The name of this browser in the list of sessions. */
export function ownLabel() {
  return deviceLabel(navigator.userAgent);
}

/**
 * @param {string} [value]
 * @param {Partial<import('../view/field.js').FieldOptions>} [more]
 */
export function handleField(value, more) {
  const { field } = words().accounts;
  return new Field({ name: 'handle', label: field.handle, autocomplete: 'username', maxlength: 64, value, ...more });
}

/** A wanted handle. @param {string} [value] @param {string} [label] */
export function newHandleField(value, label) {
  const { field, codes } = words().accounts;
  const check = (/** @type {string} */ typed) => (
    charactersOf(typed.trim()) > HANDLE_MAX ? String(codes.handle_too_long) : undefined);
  return handleField(value, { hint: field.handleHint, check, ...(label && { label, autocomplete: 'off' }) });
}

/** @param {string} [label] */
export function newPasswordField(label) {
  const { field, codes } = words().accounts;
  const check = (/** @type {string} */ typed) => {
    const count = charactersOf(typed);
    if (count < PASSWORD_MIN) return String(codes.password_too_short);
    return count > PASSWORD_MAX ? String(codes.password_too_long) : undefined;
  };
  return new Field({
    name: 'password', label: label ?? field.password, autocomplete: 'new-password', hint: field.passwordHint, check,
  });
}

/** @param {string} label @param {string} [name] */
export function currentPasswordField(label, name = 'password') {
  return new Field({ name, label, autocomplete: 'current-password' });
}

/** @param {string} text */
function charactersOf(text) {
  return [...text.normalize('NFKC')].length;
}

/**
 * A page with a title and, at most, a sentence below it.
 *
 * @param {string} title
 * @param {string} lead
 * @param {...(Node | undefined | false)} children
 */
export function accountPage(title, lead, ...children) {
  const head = [el('h1', { text: title }), lead !== '' && el('p', { class: 'lead', text: lead })];
  return el('div', { class: 'page slim' }, ...head, ...children);
}

/**
 * A page that says one thing, with ways to go on.
 *
 * @param {string} title
 * @param {string} text
 * @param {[string, string][]} links Path and text of each.
 */
export function plainPage(title, text, links) {
  return el(
    'div', { class: 'page alone' }, el('h1', { text: title }), el('p', { class: 'lead', text }),
    el('div', { class: 'acts-row' }, ...links.map(([href, label]) => el('a', { class: 'btn', href, text: label }))),
  );
}

/** Which way a person may have wanted instead. @param {string} question @param {string} href @param {string} text */
export function otherWay(question, href, text) {
  return el('p', { class: 'small' }, question, ' ', el('a', { class: 'text-link', href, text }));
}

/**
 * Does something that a press began, and tells the player if it is refused.
 *
 * @param {Pick<PageContext, 'frame'>} context
 * @param {() => Promise<void>} act
 */
export async function tryToDo({ frame }, act) {
  try {
    await act();
  } catch (refused) {
    frame.toast(refusedText(/** @type {any} */ (refused)));
  }
}

/**
 * Puts the focus into a field, where that does not raise a keyboard over half of the page.
 *
 * @param {Field} field
 */
export function focusFirst({ input }) {
  if (matchMedia('(pointer: fine)').matches) requestAnimationFrame(() => input.focus());
}
