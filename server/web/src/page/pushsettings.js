// The part of the account page about notifications that come while the page is closed (Web Push): whether this browser gets
// them, the kinds that the player wants, and all browsers that get them.

import { el, setAttribute, setText } from '../view/dom.js';
import { callAsPlayer, tryToDo } from './accountparts.js';
import { canSubscribe, endSubscription, ownSubscription, subscribe, tellSubscription } from './subscription.js';
import { words } from '../text/words.js';

/** @typedef {import('./routes.js').PageContext} PageContext */
/** @typedef {{ turn: boolean, reminder: boolean, result: boolean, invitation: boolean }} PushKinds */
/** @typedef {{ id: string, label: string, created_at: number, used_at?: number, current: boolean }} PushDevice */
/** @typedef {{ key: string, kinds: PushKinds, devices: PushDevice[], server_time: number }} Pushes */

const PUSH_KINDS = /** @type {const} */ (['turn', 'reminder', 'result', 'invitation']);
const PUSHES = '/account/pushes';

/** The settings of notifications, for the account page. */
export class PushSettings {
  /** The server's settings of pushes. @type {Pushes | undefined} */
  #pushes = undefined;
  /** Whether this browser has a subscription that belongs to the session. */
  #isHere = false;

  /** @param {PageContext} context */
  constructor(context) {
    this.context = context;
    const { pushes: texts } = words().accounts;
    this.state = el('p', { class: 'small', role: 'status' });
    this.button = el('button', { class: 'btn', type: 'button', hidden: true, onclick: () => void this.#switch() });
    this.kinds = PUSH_KINDS.map((kind) => this.#kind(kind));
    this.list = el('ul', { class: 'card sessions' });
    this.choices = el(
      'fieldset', { class: 'form', hidden: true }, el('legend', { class: 'label', text: texts.kinds }),
      ...this.kinds.map(({ node }) => node),
    );
    this.devices = el('div', { hidden: true }, el('p', { class: 'label', text: texts.devices }), this.list);
    setAttribute(this.devices, 'tabindex', -1);
    const body = el(
      'div', { class: 'form padded' }, el('p', { class: 'small muted', text: texts.text }), this.state, this.button,
      this.choices, this.devices,
    );
    this.node = el('details', { class: 'card fold', ontoggle: () => void this.#load() },
      el('summary', { text: texts.title }), body);
  }

  #load() {
    if (!(/** @type {HTMLDetailsElement} */ (this.node)).open) return Promise.resolve();
    return tryToDo(this.context, async () => {
      try {
        await this.#show(await callAsPlayer(this.context, PUSHES));
      } catch (refused) {
        if (/** @type {any} */ (refused).code !== 'push_off') throw refused;
        setText(this.state, words().accounts.pushes.off);
      }
    });
  }

  /**
   * Shows what the server has, and whether this browser has a part in it.
   *
   * @param {Pushes} pushes
   */
  async #show(pushes) {
    const { pushes: texts } = words().accounts;
    this.#pushes = pushes;
    const isSession = pushes.devices.some(({ current }) => current);
    this.#isHere = isSession && isAllowed() && await ownSubscription() !== undefined;
    const [isPossible, isDenied] = [canSubscribe(), canSubscribe() && Notification.permission === 'denied'];
    setText(this.state, !isPossible ? texts.missing : isDenied ? texts.denied : this.#isHere ? texts.here : texts.notHere);
    setText(this.button, this.#isHere ? texts.stop : texts.start);
    setAttribute(this.button, 'hidden', !isPossible || isDenied);
    setAttribute(this.choices, 'hidden', false);
    for (const { kind, input } of this.kinds) input.checked = pushes.kinds[kind];
    setAttribute(this.devices, 'hidden', pushes.devices.length === 0);
    this.list.replaceChildren(...pushes.devices.map((device) => this.#device(device, pushes.server_time)));
  }

  /**
   * @param {PushDevice} device
   * @param {number} now
   */
  #device({ id, label, created_at: createdAt, used_at: usedAt, current }, now) {
    const { pushes: texts, account, ago, date } = words().accounts;
    const name = label.trim() || account.unnamed;
    const used = usedAt === undefined ? texts.unused : texts.used(ago(now - usedAt));
    const about = el('p', { class: 'small muted', text: `${used}, ${account.since(date(createdAt))}` });
    const button = el('button', {
      class: 'btn small', type: 'button', text: texts.remove, 'aria-label': texts.removeNamed(name),
      onclick: () => void this.#remove(id, current),
    });
    return el('li', { class: 'between' }, el('div', {}, el('b', { text: name }), about), button);
  }

  /** @param {typeof PUSH_KINDS[number]} kind */
  #kind(kind) {
    const { letters: texts } = words().accounts;
    const input = /** @type {HTMLInputElement} */ (el('input', {
      type: 'checkbox', onchange: () => void this.#choose({ [kind]: input.checked }),
    }));
    return { kind, input, node: el('label', { class: 'check' }, input, el('span', { text: texts.of[kind] })) };
  }

  /** @param {Partial<PushKinds>} change */
  #choose(change) {
    const pushes = this.#pushes;
    if (pushes === undefined) return Promise.resolve();
    return tryToDo(this.context, async () => {
      try {
        const body = { ...pushes.kinds, ...change };
        await this.#show(await callAsPlayer(this.context, PUSHES, { method: 'PUT', body }));
        this.context.frame.toast(words().accounts.letters.saved);
      } catch (refused) {
        for (const { kind, input } of this.kinds) input.checked = pushes.kinds[kind];
        throw refused;
      }
    });
  }

  #switch() {
    const own = this.#pushes?.devices.find(({ current }) => current);
    return this.#isHere && own ? this.#remove(own.id, true) : this.#start();
  }

  /** Asks the browser, which asks the player: it does so after a press only. */
  #start() {
    return tryToDo(this.context, async () => {
      const { pushes: texts } = words().accounts;
      const { frame } = this.context;
      const pushes = this.#pushes;
      if (pushes === undefined) return;
      if (await Notification.requestPermission() !== 'granted') return void await this.#show(pushes);
      // One that was made with another key, or for another player.
      await endSubscription();
      const subscription = await subscribe(pushes.key).catch(() => undefined);
      if (subscription === undefined) return void frame.toast(texts.failed);
      try {
        await this.#show(await tellSubscription(this.context, subscription, pushes.key));
        frame.toast(texts.started);
      } catch (refused) {
        await subscription.unsubscribe();
        throw refused;
      }
    });
  }

  /**
   * Ends the notifications of a browser. Its row goes away then, so the focus goes to the list.
   *
   * @param {string} id
   * @param {boolean} isOwn
   */
  #remove(id, isOwn) {
    return tryToDo(this.context, async () => {
      await callAsPlayer(this.context, `${PUSHES}/devices/${encodeURIComponent(id)}`, { method: 'DELETE' });
      if (isOwn) await endSubscription();
      this.context.frame.toast(words().accounts.pushes.stopped);
      await this.#show(await callAsPlayer(this.context, PUSHES));
      (this.#pushes?.devices.length ? this.devices : this.button).focus();
    });
  }
}

function isAllowed() {
  return canSubscribe() && Notification.permission === 'granted';
}
