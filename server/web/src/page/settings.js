// The settings of this device, and the identity.

import { el, setAttribute } from '../view/dom.js';
import { segments } from '../view/choices.js';
import { askToNotify } from '../view/notification.js';
import { nameNode } from '../view/parts.js';
import { words } from '../text/words.js';

/**
 * @param {import('./routes.js').PageContext} context
 * @returns {import('./routes.js').Page}
 */
export function openSettings(context) {
  const { frame, connection } = context;
  const { lobby: { bar }, pages: { settings: texts } } = words();
  const { settings } = frame;
  frame.setTitle(texts.title);

  /** @param {any} name @param {string} label @param {string[][]} choices @param {string} [hint] */
  const choice = (name, label, choices, hint = '') => {
    const control = segments(name, (value) => settings.set(name, /** @type {any} */ (value)));
    control.show(choices, settings.get(name));
    return el(
      'fieldset', { class: 'setting' }, el('legend', { text: label }), control.node,
      hint !== '' && el('p', { class: 'small muted', text: hint }),
    );
  };
  const check = (/** @type {any} */ name, /** @type {string} */ label, /** @type {string} */ hint) => el(
    'label', { class: 'check setting' },
    el('input', {
      type: 'checkbox', checked: settings.get(name) === true,
      onchange: (/** @type {any} */ event) => settings.set(name, event.target.checked),
    }),
    el('span', {}, label, el('span', { class: 'small muted', text: hint })),
  );
  const group = (/** @type {string} */ title, /** @type {Node[]} */ ...rows) => el(
    'section', { class: 'block' }, el('h2', { text: title }), el('div', { class: 'card padded form' }, ...rows));

  const name = nameNode('');
  const chat = check('chat', texts.chat, texts.chatHint);
  const server = el('p', { class: 'small muted' });
  const show = () => {
    name.textContent = connection.name ?? '';
    setAttribute(chat, 'hidden', !connection.hello?.chat);
    server.textContent = `${texts.server}: ${connection.hello?.server ?? bar.notConnected}`;
  };
  const off = connection.on('welcome', show);
  show();
  const node = el(
    'div', { class: 'page narrow' }, el('h1', { text: texts.title }),
    el(
      'div', { class: 'stack' },
      group(
        texts.look,
        choice('theme', texts.theme, [['system', texts.system], ['light', texts.light], ['dark', texts.dark]]),
        choice('language', texts.language, [['system', texts.system], ['en', 'English'], ['de', 'Deutsch']]),
        choice('tiles', texts.tiles, [['normal', texts.normal], ['large', texts.large]]),
      ),
      group(
        texts.playing, check('sounds', texts.sounds, texts.soundsHint),
        choice('enter', texts.enter, [['play', texts.enterPlay], ['confirm', texts.enterConfirm]], texts.enterHint),
        check('announce', texts.announce, texts.announceHint), notifySetting(settings),
        chat,
      ),
      group(texts.identity, ...identitySettings(context, name, show)),
      server,
    ),
  );
  return { node, close: off };
}

/**
 * Notifications: the browser is asked by a press only.
 *
 * @param {import('../store/settings.js').Settings} settings
 */
function notifySetting(settings) {
  const { settings: texts } = words().pages;
  const text = el('p', { class: 'small muted', role: 'status' });
  const button = el('button', { class: 'btn small', type: 'button', onclick: async () => {
    settings.set('notify', !settings.get('notify') && await askToNotify());
    show();
  } });
  const show = () => {
    const isOffered = typeof Notification !== 'undefined' && window.isSecureContext;
    const isDenied = isOffered && Notification.permission === 'denied';
    const isOn = settings.get('notify') && isOffered && Notification.permission === 'granted';
    button.textContent = isOn ? texts.notifyOff : texts.notifyAllow;
    setAttribute(button, 'hidden', !isOffered || isDenied);
    text.textContent = !isOffered ? texts.notifyMissing : isDenied ? texts.notifyDenied
      : isOn ? texts.notifyOn : texts.notifyHint;
  };
  show();
  return el('div', { class: 'setting between' }, el('div', {}, el('span', { text: texts.notify }), text), button);
}

/**
 * The name, and a way to begin anew; for registered players the way to the account.
 *
 * @param {import('./routes.js').PageContext} context
 * @param {HTMLElement} name
 * @param {() => void} onName
 * @returns {Node[]}
 */
function identitySettings({ frame, account, rename }, name, onName) {
  const { lobby: { bar }, pages: { settings: texts } } = words();
  const row = (/** @type {HTMLElement} */ act) => (
    el('div', { class: 'setting between' }, el('span', { class: 'cut' }, `${texts.name}: `, name), act));
  if (account.kind !== 'guest') return [row(el('a', { class: 'btn small', href: '/account', text: bar.account }))];
  const change = async () => {
    await rename();
    onName();
  };
  const askForget = async () => {
    if (await frame.confirm(texts.forgetTitle, texts.forgetText, texts.forgetAct)) account.forget();
  };
  return [
    row(el('button', { class: 'btn small', type: 'button', text: texts.change, onclick: () => void change() })),
    el('p', { class: 'small muted', text: texts.identityText }),
    el(
      'div', { class: 'acts-row' }, el('a', { class: 'btn', href: '/register', text: bar.register }),
      el('a', { class: 'btn', href: '/login', text: bar.logIn }),
      el('button', { class: 'btn risk', type: 'button', text: texts.forget, onclick: () => void askForget() }),
    ),
  ];
}
