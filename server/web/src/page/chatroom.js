// One chat room over as many connections as it takes: joins it again after its last line, and repeats a line that was
// not answered.

import {
  askAfter, beginLine, emptyRoom, hideLines, lineRefused, lineStored, takeJoined, takeLine, unanswered,
} from '../model/chatroom.js';

/** A line that the server does not know where to put goes out again so often. */
const SAY_TRIES = 3;
const REJOIN_AFTER_MS = 1000;

/**
 * @typedef {{ kind: 'players' | 'spectators' | 'direct' | 'lobby', game?: string, with?: string }} RoomAsked
 * @typedef {{ changed(): void, refused(text: string, error: import('../wire/requests.js').Refused): void }} RoomObserver
 *   `refused`: a line was, and its text goes back to the player.
 */

/** A room that the page is in, or wants to be in. */
export class ChatRoom {
  state = emptyRoom();
  isJoined = false;
  isClosed = false;
  /** Whether the page wants to be in it, on every connection. */
  isWanted = false;
  /** Why the server does not let the player in: a code. @type {string | undefined} */
  refused = undefined;
  /** @type {Set<RoomObserver>} */
  observers = new Set();
  #isJoining = false;
  #isSaying = false;
  #tries = 0;

  /**
   * @param {import('./chat.js').Chat} chat
   * @param {RoomAsked} asked
   * @param {{ id?: string, code?: string, mayJoin?: () => boolean }} [more] `id`: that of the room, if it is known; `code`:
   *   that of its private game; `mayJoin`: whether the connection can join it now.
   */
  constructor(chat, asked, { id, code, mayJoin = () => true } = {}) {
    this.chat = chat;
    this.asked = asked;
    this.id = id;
    this.code = code;
    this.mayJoin = mayJoin;
    chat.rooms.add(this);
  }

  /** Joins the room, also after it was refused; does nothing if it is joined. */
  async join() {
    this.isWanted = true;
    if (this.isJoined || this.#isJoining || this.isClosed || !this.mayJoin()) return;
    const { chat } = this;
    const { generation } = chat;
    this.#isJoining = true;
    try {
      const { chat: answer } = await chat.connection.request('chat_join', { ...this.asked, after: askAfter(this.state) });
      // The answer is from the connection that is open now: what one does not answer, the next one is asked.
      Object.assign(this, { id: answer.room, isJoined: true, refused: undefined });
      chat.left.delete(answer.room);
      takeJoined(this.state, answer);
    } catch (/** @type {any} */ error) {
      if (generation === chat.generation) this.#refuse(error.code);
    }
    this.#isJoining = false;
    if (this.isClosed) this.#leave();
    else if (generation !== chat.generation) void this.join();
    this.#changed();
    void this.#sayAgain();
  }

  /** @param {string} code */
  #refuse(code) {
    this.refused = code;
    if (code === 'chat_off') this.chat.turnOff();
  }

  /** The connection is lost, and all rooms with it. */
  lost() {
    this.isJoined = false;
    this.refused = undefined;
  }

  /** Leaves the room for good. */
  close() {
    this.isClosed = true;
    this.chat.rooms.delete(this);
    this.#leave();
  }

  #leave() {
    const { chat, id } = this;
    if (id !== undefined) chat.left.add(id);
    if (this.isJoined && chat.isOpen) chat.connection.request('chat_leave', { room: id }).catch(() => {});
    this.isJoined = false;
  }

  /** The server has put the connection out of the room. @param {string} reason */
  putOut(reason) {
    this.isJoined = false;
    if (reason === 'too_slow') setTimeout(() => void this.join(), REJOIN_AFTER_MS);
    else this.refused = reason;
    this.#changed();
  }

  /**
   * A line was pushed.
   *
   * @param {Protocol.ChatLine} line
   */
  take(line) {
    const isNew = takeLine(this.state, line, this.chat.connection.identity);
    if (isNew) this.#changed();
    return isNew;
  }

  /** A moderator has hidden lines. @param {number[]} lines */
  hide(lines) {
    if (hideLines(this.state, lines)) this.#changed();
  }

  /** @param {string} text */
  say(text) {
    beginLine(this.state, text, this.chat.newCmdId());
    this.#tries = 0;
    this.#changed();
    return this.#sayAgain();
  }

  /** Sends the line that is not answered, if there is one. */
  async #sayAgain() {
    const line = unanswered(this.state);
    if (!line || this.#isSaying || !this.isJoined) return;
    this.#isSaying = true;
    this.#tries += 1;
    try {
      const body = { room: this.id, cmd_id: line.cmdId, text: line.text };
      const { chat: answer } = await this.chat.connection.request('chat_say', body);
      lineStored(this.state, line.cmdId, answer.line);
      this.#isSaying = false;
    } catch (/** @type {any} */ error) {
      this.#isSaying = false;
      // After a loss the line can go out before the room is joined again.
      if (error.code === 'not_in_room' && this.#tries < SAY_TRIES && !this.isClosed) return void this.#sayOrJoin();
      lineRefused(this.state, line.cmdId);
      for (const observer of this.observers) observer.refused(line.text, error);
    }
    this.#changed();
  }

  #sayOrJoin() {
    if (this.isJoined) return this.#sayAgain();
    return this.join();
  }

  #changed() {
    for (const observer of this.observers) observer.changed();
    this.chat.changed();
  }
}
