// Direct messages: a button in the bar with the number of new lines wherever the player is, and a dialog with the
// conversations.

import { el, icon, setAttribute, setText } from '../view/dom.js';
import { ConversationList, messagesDialog } from '../view/messagesdialog.js';
import { words } from '../text/words.js';
import { ChatRoom } from './chatroom.js';
import { lastLine } from '../model/chatroom.js';

/** The conversations with possibly new lines that are read at once. */
const READ_AT_ONCE = 20;

/**
 * @typedef {{
 *   room: ChatRoom, handle: string, at: number, last: number, view?: import('../view/chatview.js').ChatView,
 * }} Conversation
 */

/** The conversations of a registered player. */
export class Messages {
  /** By room. @type {Map<string, Conversation>} */
  conversations = new Map();
  /** Those of friends to whom nobody has written yet, by handle. @type {Map<string, Conversation>} */
  begun = new Map();
  /** @type {ReturnType<typeof messagesDialog> | undefined} */
  dialog = undefined;
  /** @type {Conversation | undefined} */
  shown = undefined;
  isClosed = false;

  /** @param {import('./chat.js').Chat} chat */
  constructor(chat) {
    this.chat = chat;
    this.count = el('span', { class: 'count', hidden: true });
    const attributes = { type: 'button', class: 'tool messages', 'aria-haspopup': 'dialog', onclick: () => this.open() };
    this.button = el('button', attributes, icon('letter'), this.count);
    this.list = new ConversationList((handle) => this.open(handle));
  }

  /** Puts the button into the bar, which is made anew with another language. */
  place() {
    const { toolSlot } = this.chat.frame.bar;
    if (this.button.previousSibling !== toolSlot) toolSlot.after(this.button);
  }

  close() {
    this.isClosed = true;
    this.dialog?.close();
    this.button.remove();
    for (const { room } of this.#all()) room.close();
  }

  #all() {
    return [...this.conversations.values(), ...this.begun.values()];
  }

  /** Follows all conversations, and reads those in which something may be new. */
  async follow() {
    const { chat } = this;
    const { generation } = chat;
    try {
      const { chat: { rooms = [] } } = await chat.connection.request('chat_join', { kind: 'direct' });
      if (this.isClosed) return;
      for (const told of rooms) this.#add(told);
      const isNew = (/** @type {Conversation} */ { room, last }) => last > chat.marks.of(room.id ?? '');
      const news = [...this.conversations.values()].filter(isNew);
      for (const { room } of news.slice(0, READ_AT_ONCE)) void room.join();
    } catch (/** @type {any} */ refused) {
      if (refused.code === 'chat_off' && generation === chat.generation) chat.turnOff();
    }
    this.chat.changed();
  }

  /** @param {Protocol.DirectRoom} told */
  #add({ room: id, with: handle, last, at }) {
    const known = this.conversations.get(id);
    if (known) {
      Object.assign(known, { handle, last, at });
      return known;
    }
    const room = new ChatRoom(this.chat, { kind: 'direct', with: handle }, { id });
    const conversation = { room, handle, at, last };
    this.conversations.set(id, conversation);
    return conversation;
  }

  /**
   * A line of a room that the page does not know: a friend writes for the first time, or the player does on another
   * device (P-CHAT-7).
   *
   * @param {{ room: string, line: Protocol.ChatLine }} told
   */
  heard({ room, line }) {
    if (line.identity === this.chat.connection.identity) return void this.follow();
    const begun = this.begun.get(line.name);
    if (begun) this.#named(begun, room);
    const { room: known } = begun ?? this.#add({ room, with: line.name, last: line.line, at: line.at });
    this.chat.frame.announce(words().chat.heard(line.name));
    known.take(line);
    return undefined;
  }

  /** A conversation that was begun here has a room now. @param {Conversation} conversation @param {string} id */
  #named(conversation, id) {
    const other = this.conversations.get(id);
    if (other) this.chat.rooms.delete(other.room);
    this.begun.delete(conversation.handle);
    conversation.room.id = id;
    this.conversations.set(id, conversation);
  }

  /** Shows the conversations, or one of them. @param {string} [handle] */
  open(handle) {
    if (this.isClosed) return;
    if (!this.dialog) {
      this.dialog = messagesDialog({ back: () => this.#show(undefined), closed: () => this.#closed() });
    }
    this.#show(handle === undefined ? undefined : this.#conversationWith(handle));
  }

  /** @param {string} handle */
  #conversationWith(handle) {
    const found = this.#all().find((conversation) => conversation.handle === handle);
    if (found) return found;
    const conversation = { room: new ChatRoom(this.chat, { kind: 'direct', with: handle }), handle, at: 0, last: 0 };
    this.begun.set(handle, conversation);
    return conversation;
  }

  /** @param {Conversation | undefined} conversation */
  #show(conversation) {
    this.shown = conversation;
    const { dialog } = this;
    if (!dialog) return;
    if (!conversation) dialog.showList(this.list.node);
    else {
      const { handle, room } = conversation;
      conversation.view ??= this.chat.view(room, words().chat.withFriend(handle));
      void room.join();
      dialog.showRoom(handle, conversation.view.node);
      this.update();
      conversation.view.enter();
    }
    this.update();
  }

  #closed() {
    this.dialog = this.shown = undefined;
    // The button can have gone with the page that it was on.
    if (document.activeElement === document.body) this.button.focus();
    this.chat.changed();
  }

  /** @param {ChatRoom} room */
  isSeen(room) {
    return this.shown?.room === room && this.shown.view?.isRead === true;
  }

  update() {
    for (const conversation of this.#all()) this.#refreshed(conversation);
    const { chat: texts } = words();
    const all = [...this.conversations.values()].map(({ room, handle, at }) => (
      { handle, at, unread: this.chat.unread(room) }));
    const unread = all.reduce((sum, one) => sum + one.unread, 0);
    const label = texts.opens(texts.messages, unread);
    setAttribute(this.button, 'aria-label', label);
    setAttribute(this.button, 'title', label);
    setText(this.count, String(unread));
    setAttribute(this.count, 'hidden', unread === 0);
    this.button.classList.toggle('unread', unread > 0);
    if (!this.dialog) return;
    this.list.show(all.sort((a, b) => b.at - a.at));
    if (this.shown?.view) this.chat.paint(this.shown.view, this.shown.room);
  }

  /** Takes over what the room of a conversation knows. @param {Conversation} conversation */
  #refreshed(conversation) {
    const { room } = conversation;
    const last = room.state.lines.at(-1);
    if (last) Object.assign(conversation, { at: last.at, last: Math.max(conversation.last, lastLine(room.state)) });
    if (room.id !== undefined && this.begun.get(conversation.handle) === conversation && last) {
      this.#named(conversation, room.id);
    }
  }
}
