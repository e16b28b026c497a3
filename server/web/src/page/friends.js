// Friends with what they do now, the players that one follows, and those that one blocks.

import { el, setAttribute, setText } from '../view/dom.js';
import { KeyedList } from '../view/keyed.js';
import { block } from '../view/lobbylayout.js';
import { nameNode } from '../view/parts.js';
import { callAsPlayer, plainPage, tryToDo } from './accountparts.js';
import { findPlayer } from './findplayer.js';
import {
  answerButtons, cancelInvitationButton, gameOfInvitation, onInvitations, openInvitations,
} from './invitations.js';
import { loadScript } from './scripts.js';
import { relationPath } from './relation.js';
import { refusedText, words } from '../text/words.js';

/** How often the page asks who is online. */
const FRIENDS_EVERY_MS = 15_000;

/**
 * @typedef {{ identity: string, handle: string, since: number, bot?: boolean, friend?: boolean, online?: boolean,
 *   game?: string }} RelationLine
 */

/**
 * @param {import('./routes.js').PageContext} context
 * @returns {import('./routes.js').Page}
 */
export function openFriends(context) {
  const { account, frame } = context;
  const { lobby: { bar }, accounts: { relations: texts } } = words();
  frame.setTitle(texts.title);
  if (account.kind === 'guest') {
    const links = /** @type {[string, string][]} */ ([['/register', bar.register], ['/login', bar.logIn]]);
    return { node: plainPage(texts.title, texts.guestText, links), close() {} };
  }
  const page = new FriendsPage(context);
  return { node: page.node, ready: page.load(), close: () => page.close() };
}

/** The lists while they are on the screen. */
class FriendsPage {
  isClosed = false;

  /** @param {import('./routes.js').PageContext} context */
  constructor(context) {
    this.context = context;
    const { lobby, accounts: { relations: texts } } = words();
    this.status = el('p', { class: 'small muted', role: 'status', text: lobby.loading });
    this.friends = this.#part('friends', texts.friends, () => friendEntry(context));
    this.followed = this.#part('followed', texts.followedTitle, followedEntry);
    this.blocked = this.#part('blocked', texts.blockedTitle, (line) => this.#blockedEntry(line));
    this.none = el('p', { class: 'card empty muted', hidden: true, text: texts.none });
    this.told = el('div', {}, this.none, this.status);
    const invitations = block('invitations', words().accounts.invitations.open);
    this.invitations = { ...invitations, list: el('ul', { class: 'card sessions' }) };
    invitations.node.append(this.invitations.list);
    this.#showInvitations();
    const parts = [this.invitations, this.friends, this.followed, this.blocked].map(({ node }) => node);
    this.node = el(
      'div', { class: 'page narrow' }, el('h1', { text: texts.title }),
      el('div', { class: 'stack' }, findPlayer(context), this.told, ...parts));
    this.end = onInvitations(() => this.#showInvitations());
    this.timer = setInterval(() => document.visibilityState === 'visible' && void this.load(), FRIENDS_EVERY_MS);
  }

  close() {
    this.isClosed = true;
    this.end();
    clearInterval(this.timer);
  }

  /** The open invitations, received and sent. */
  #showInvitations() {
    const { context } = this;
    const { node, side, list } = this.invitations;
    const { identity } = context.account;
    const open = openInvitations(identity);
    list.replaceChildren(...open.map((told) => {
      const isSent = told.from.identity === identity;
      const { name } = isSent ? told.to : told.from;
      const title = el('a', { class: 'text-link', href: `/players/${encodeURIComponent(name)}` }, nameNode(name));
      const kind = words().accounts.invitations[isSent ? 'isSent' : 'isReceived'];
      const about = el('p', { class: 'small muted about', text: `${kind}: ${gameOfInvitation(context, told)}` });
      const acts = isSent ? cancelInvitationButton(context, told) : answerButtons(context, told);
      return el('li', { class: 'between' }, el('div', {}, title, about), acts);
    }));
    setText(side, String(open.length));
    setAttribute(node, 'hidden', open.length === 0);
  }

  /** Asks for the lists. */
  async load() {
    try {
      const { followed, blocked } = await callAsPlayer(this.context, '/relations');
      if (this.isClosed) return;
      const isFriend = ({ friend = false }) => friend;
      const friends = followed.filter(isFriend);
      friends.sort((/** @type {RelationLine} */ a, /** @type {RelationLine} */ b) => Number(b.online) - Number(a.online));
      this.friends.show(friends);
      this.followed.show(followed.filter((/** @type {RelationLine} */ line) => !isFriend(line)));
      this.blocked.show(blocked);
      setAttribute(this.none, 'hidden', friends.length > 0);
      setText(this.status, '');
      setAttribute(this.told, 'hidden', friends.length > 0);
    } catch (refused) {
      if (this.isClosed) return;
      setAttribute(this.told, 'hidden', false);
      setText(this.status, refusedText(/** @type {any} */ (refused)));
    }
  }

  /**
   * A list with a heading, which is there if it has entries.
   *
   * @param {string} name
   * @param {string} title
   * @param {(line: RelationLine) => import('../view/keyed.js').Entry<RelationLine>} make
   */
  #part(name, title, make) {
    const { node, side } = block(name, title);
    const list = el('ul', { class: 'card sessions' });
    node.append(list);
    setAttribute(node, 'hidden', true);
    const entries = new KeyedList(list, (/** @type {RelationLine} */ line) => line.identity, make);
    return {
      node, show: (/** @type {RelationLine[]} */ lines) => {
        entries.show(lines);
        setText(side, String(lines.length));
        setAttribute(node, 'hidden', lines.length === 0);
      },
    };
  }

  /**
   * @param {RelationLine} line
   * @returns {import('../view/keyed.js').Entry<RelationLine>}
   */
  #blockedEntry({ handle }) {
    const { relations: texts } = words().accounts;
    const button = el('button', {
      class: 'btn small', type: 'button', text: texts.unblock, 'aria-label': texts.unblockNamed(handle),
      onclick: () => void this.#unblock(handle),
    });
    const row = playerRow(button);
    return { node: row.node, update: (line) => row.show(line, texts.since(words().accounts.date(line.since))) };
  }

  /** @param {string} handle */
  async #unblock(handle) {
    await tryToDo(this.context, async () => {
      await callAsPlayer(this.context, relationPath('blocked', handle), { method: 'DELETE' });
      this.context.frame.toast(words().accounts.relations.unblocked(handle));
    });
    await this.load();
  }
}

/**
 * @param {import('./routes.js').PageContext} context
 * @returns {import('../view/keyed.js').Entry<RelationLine>}
 */
function friendEntry(context) {
  const { frame, connection } = context;
  const { relations: texts } = words().accounts;
  let friend = '';
  const write = async () => (await loadScript(frame, 'chat'))?.chatOf(context).write(friend);
  const message = el('button', { class: 'btn small', type: 'button', text: texts.message, onclick: () => void write() });
  const watch = el('a', { class: 'btn small', text: texts.watch });
  const { invitations } = words().accounts;
  const invite = el('a', { class: 'btn small', text: invitations.invite });
  const row = playerRow(el('div', { class: 'form' }, el('div', { class: 'acts-row' }, watch, message, invite)));
  return {
    node: row.node, update: (line) => {
      const { handle, online = false, game } = line;
      const doing = game === undefined ? '' : texts.plays;
      friend = handle;
      const isOffered = connection.hello?.chat?.includes('direct') && frame.settings.get('chat');
      setAttribute(message, 'hidden', !isOffered);
      setAttribute(message, 'aria-label', texts.messageNamed(handle));
      row.show(line, [online ? texts.online : texts.offline, doing].filter(Boolean).join(', '));
      row.node.classList.toggle('online', online);
      setAttribute(watch, 'hidden', game === undefined);
      setAttribute(invite, 'href', `/players/${encodeURIComponent(handle)}#invite`);
      setAttribute(invite, 'aria-label', invitations.inviteNamed(handle));
      setAttribute(watch, 'href', game !== undefined && `/games/${encodeURIComponent(game)}`);
      setAttribute(watch, 'aria-label', texts.watchNamed(handle));
    },
  };
}

/** @returns {import('../view/keyed.js').Entry<RelationLine>} */
function followedEntry() {
  const row = playerRow();
  const { relations: texts, date } = words().accounts;
  return { node: row.node, update: (line) => row.show(line, texts.since(date(line.since))) };
}

/**
 * A player with a line below the name, and something at the right.
 *
 * @param {HTMLElement} [side]
 */
function playerRow(side) {
  const name = el('a', { class: 'text-link' });
  const about = el('p', { class: 'small muted about' });
  return {
    node: el('li', { class: 'between' }, el('div', {}, name, about), side),
    /** @param {RelationLine} line @param {string} text */
    show({ handle, bot = false }, text) {
      // A handle can change.
      if (name.textContent !== handle) name.replaceChildren(nameNode(handle));
      setAttribute(name, 'href', `/players/${encodeURIComponent(handle)}`);
      setText(about, bot ? `${words().accounts.player.bot}, ${text}` : text);
    },
  };
}
