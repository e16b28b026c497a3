// Invitations: the open ones, what arrives, and the form that invites a player.

import { el, setAttribute, setText } from '../view/dom.js';
import { NewGameCard } from '../view/newgame.js';
import { showNotification } from '../view/notification.js';
import { callAsPlayer, tryToDo } from './accountparts.js';
import { optionsText } from './offer.js';
import { blockAfterAsking } from './relation.js';
import { loadScript } from './scripts.js';
import { PRESETS, FEATURED_RULE_SETS, Setup } from './setup.js';
import { refusedText, words } from '../text/words.js';

/** @typedef {import('./routes.js').PageContext} PageContext */
/** @typedef {Protocol.Invitation} Invitation */

/** The invitations of this visit by their ids, and who wants to know of changes. */
const INVITATIONS_OPEN = /** @type {Map<string, Invitation>} */ (new Map());
const INVITATION_NOTICES = /** @type {Map<string, () => void>} */ (new Map());
const INVITATION_LISTENERS = /** @type {Set<() => void>} */ (new Set());
/** Those that the player wants to answer later. */
const INVITATIONS_PUT_OFF = /** @type {Set<string>} */ (new Set());
let hearsOfConnections = false;

/**
 * Calls the listener whenever the open invitations have changed.
 *
 * @param {() => void} listener
 * @returns {() => void} Ends it.
 */
export function onInvitations(listener) {
  INVITATION_LISTENERS.add(listener);
  return () => INVITATION_LISTENERS.delete(listener);
}

/**
 * The open invitations of a player: those that it has received, then those that it has sent.
 *
 * @param {string | undefined} identity
 * @returns {Invitation[]}
 */
export function openInvitations(identity) {
  const all = [...INVITATIONS_OPEN.values()];
  const isSent = (/** @type {Invitation} */ { from }) => from.identity === identity;
  const mine = all.filter(({ from, to }) => from.identity === identity || to.identity === identity);
  return mine.sort((a, b) => Number(isSent(a)) - Number(isSent(b)) || a.created_at - b.created_at);
}

/**
 * Takes what the server says of an invitation.
 *
 * @param {PageContext} context
 * @param {Invitation} told The push `invitation`.
 */
export function takeInvitation(context, told) {
  hearOfConnections(context);
  const { invitation: id, end } = told;
  const isNew = !INVITATIONS_OPEN.has(id);
  const isSent = told.from.identity === context.account.identity;
  if (end) {
    INVITATIONS_OPEN.delete(id);
    INVITATION_NOTICES.get(id)?.();
    const text = isSent && !isNew ? endText(told) : '';
    if (text) context.frame.toast(text);
  } else {
    INVITATIONS_OPEN.set(id, told);
    if (isNew && !isSent) showNotice(context, told);
  }
  tellListeners();
}

function tellListeners() {
  for (const listener of [...INVITATION_LISTENERS]) listener();
}

/**
 * On a new connection the server tells of all open invitations once more, and of no others.
 *
 * @param {PageContext} context
 */
function hearOfConnections({ connection }) {
  if (hearsOfConnections) return;
  hearsOfConnections = true;
  connection.on('welcome', () => {
    INVITATIONS_OPEN.clear();
    for (const close of [...INVITATION_NOTICES.values()]) close();
    tellListeners();
  });
}

/** The sender's message about the end of an invitation. @param {Invitation} told */
function endText({ to, end, reason }) {
  const { invitations: texts } = words().accounts;
  if (end === 'declined') return texts.declined(to.name, reason ?? '');
  return end === 'expired' ? texts.expired(to.name) : '';
}

/**
 * A line at the foot of the page, until the player answers or the invitation ends.
 *
 * @param {PageContext} context
 * @param {Invitation} told
 */
function showNotice(context, told) {
  const { frame } = context;
  const { invitations: texts } = words().accounts;
  if (INVITATIONS_PUT_OFF.has(told.invitation)) return;
  const text = texts.arrived(told.from.name, gameOfInvitation(context, told));
  const close = () => {
    node.remove();
    INVITATION_NOTICES.delete(told.invitation);
  };
  const putOff = () => {
    INVITATIONS_PUT_OFF.add(told.invitation);
    close();
  };
  const later = el('button', { class: 'btn small', type: 'button', text: texts.later, onclick: putOff });
  const node = el('div', { class: 'toast' }, el('div', {}, el('p', { text }), answerButtons(context, told, later)));
  INVITATION_NOTICES.set(told.invitation, close);
  frame.toasts.append(node);
  showNotification(frame.settings, text, () => frame.go('/friends'));
}

/**
 * The buttons of the invited player.
 *
 * @param {PageContext} context
 * @param {Invitation} told
 * @param {...HTMLElement} more Further buttons.
 */
export function answerButtons(context, told, ...more) {
  const { invitations: texts, relations } = words().accounts;
  const { name } = told.from;
  /** @param {string} text @param {string} label @param {() => Promise<void>} act */
  const button = (text, label, act) => el('button', {
    class: 'btn small', type: 'button', text, 'aria-label': label, onclick: () => void tryToDo(context, act),
  });
  const row = el(
    'div', { class: 'acts-row' },
    button(texts.accept, texts.acceptNamed(name), () => acceptInvitation(context, told)),
    button(texts.decline, texts.declineNamed(name), () => declineInvitation(context, told)),
    button(relations.block, texts.blockNamed(name), async () => void await blockAfterAsking(context, name)),
    ...more,
  );
  return el('div', { class: 'form' }, row);
}

/**
 * The button of the player who has invited.
 *
 * @param {PageContext} context
 * @param {Invitation} told
 */
export function cancelInvitationButton(context, told) {
  const { invitations: texts } = words().accounts;
  return el('button', {
    class: 'btn small', type: 'button', text: texts.cancel, 'aria-label': texts.cancelNamed(told.to.name),
    onclick: () => void tryToDo(context, () => answerInvitation(context, told, { accept: false })),
  });
}

/**
 * The rules and options of an invitation in words.
 *
 * @param {PageContext} context
 * @param {Invitation} told
 */
export function gameOfInvitation({ rulebook }, { options }) {
  return `${rulebook.nameOf(options.rule_set)}, ${optionsText(/** @type {any} */ (options))}`;
}

/**
 * @param {PageContext} context
 * @param {Invitation} told
 * @param {Record<string, any>} answer
 */
async function answerInvitation({ connection }, { invitation }, answer) {
  await connection.command('answer_invitation', { invitation, ...answer });
}

/** @param {PageContext} context @param {Invitation} told */
async function acceptInvitation(context, told) {
  const { nonce, nonce_hash } = context.nonces.draw();
  // The game can begin before the answer comes.
  context.nonces.keep(told.invitation, nonce);
  await answerInvitation(context, told, { accept: true, nonce_hash });
}

/**
 * Asks for the reason, and declines.
 *
 * @param {PageContext} context
 * @param {Invitation} told
 */
async function declineInvitation(context, told) {
  const { invitations: texts } = words().accounts;
  const reasons = Object.entries(texts.reasons).map(([value, label]) => ({ label, value }));
  const reason = await context.frame.dialog({
    title: texts.declineTitle(told.from.name), body: texts.declineText, actions: reasons,
  });
  if (reason !== undefined) await answerInvitation(context, told, { accept: false, reason });
}

/**
 * The button that invites a player, and the place in which it opens the form.
 *
 * @param {PageContext} context
 * @param {string} handle
 */
export function invitePart(context, handle) {
  const { invitations: texts } = words().accounts;
  const place = el('div', {});
  const open = () => {
    if (place.firstChild) return close();
    place.append(new InviteForm(context, handle, close).node);
    setAttribute(button, 'aria-expanded', 'true');
    place.querySelector('select')?.focus();
  };
  const close = () => {
    place.replaceChildren();
    setAttribute(button, 'aria-expanded', 'false');
    button.focus();
  };
  const button = el('button', {
    class: 'btn small', type: 'button', text: texts.invite, 'aria-expanded': 'false', onclick: open,
  });
  return { button, place, open };
}

/** The form of a new game for one player. It is that of the lobby. */
class InviteForm {
  isBusy = false;

  /**
   * @param {PageContext} context
   * @param {string} handle
   * @param {() => void} close
   */
  constructor(context, handle, close) {
    this.context = context;
    this.handle = handle;
    this.close = close;
    const { frame, rulebook } = context;
    this.setup = new Setup(rulebook, frame.settings, () => this.#show());
    this.card = new NewGameCard(this.#acts());
    this.problem = el('p', { class: 'bad small', role: 'alert' });
    this.node = el('div', { class: 'stack' }, this.card.node, this.problem);
    // The other player is known: there is no link to send, and no choice of players.
    for (const part of ['.players', '.two .btn'])
      setAttribute(/** @type {HTMLElement} */ (this.card.node.querySelector(part)), 'hidden', true);
    this.#show();
    void this.#try(() => {
      const opened = this.setup.open();
      void this.setup.setSeats(2);
      return opened;
    });
  }

  /** @returns {import('../view/newgame.js').NewGameActs} */
  #acts() {
    const { setup, context: { frame } } = this;
    return {
      rules: (id) => void this.#try(() => setup.choose(id)),
      lexicon: (name) => void this.#try(() => setup.setLexicon(name)),
      preset: (preset) => void setup.setPreset(/** @type {import('./setup.js').Preset} */ (preset)),
      seats() {}, invite() {}, reset: () => void setup.reset(), find: () => void this.#send(),
      more: () => void this.#try(async () => {
        const script = await loadScript(frame, 'pages');
        await setup.settled;
        await script?.pages.askOptions(frame, setup);
      }),
    };
  }

  #show() {
    const { setup, card } = this;
    card.show(newGameView(setup, this.isBusy));
    setText(card.go, words().accounts.invitations.send(this.handle));
  }

  async #send() {
    const { context: { connection, nonces, frame }, handle } = this;
    if (this.isBusy) return;
    this.isBusy = true;
    this.#show();
    const isSent = await this.#try(async () => {
      const { nonce, nonce_hash } = nonces.draw();
      const { invitation } = await connection.command('invite', { ...await this.setup.wish(), handle, nonce_hash });
      nonces.keep(invitation.invitation, nonce);
      frame.toast(words().accounts.invitations.sent(handle));
    });
    this.isBusy = false;
    if (isSent) this.close();
    else this.#show();
  }

  /**
   * @param {() => Promise<unknown>} act
   * @returns {Promise<boolean>} Whether it was done.
   */
  async #try(act) {
    setText(this.problem, '');
    try {
      await act();
      return true;
    } catch (refused) {
      setText(this.problem, refusedText(/** @type {any} */ (refused)));
      return false;
    }
  }
}

/**
 * @param {Setup} setup
 * @param {boolean} isBusy
 * @returns {import('../view/newgame.js').NewGameView}
 */
function newGameView(setup, isBusy) {
  const { rules, options } = setup;
  const limit = options.clock?.kind === 'per_move' ? options.clock.limit_ms : rules?.usual.clock.limit_ms;
  return {
    names: setup.names, featured: FEATURED_RULE_SETS, ruleSet: options.rule_set ?? '', lexica: setup.fittingLexica,
    lexicon: options.lexicon ?? '', presets: PRESETS, preset: setup.preset,
    days: Math.round((limit ?? 3 * 86_400_000) / 86_400_000), seats: 2, minSeats: 2, maxSeats: 2,
    unusual: setup.unusual.length > 0 ? optionsText(/** @type {any} */ (options)) : '', isBusy,
  };
}

/**
 * Sets the players that may invite this player.
 *
 * @param {PageContext} context
 * @param {string} from
 */
export async function takeInvitationsFrom(context, from) {
  await callAsPlayer(context, '/account/invitations', { method: 'PUT', body: { from } });
}
