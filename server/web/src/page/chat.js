// The chat: the rooms that the page is in, read marks, and what the player can do about the writer of a line. A script of
// its own, since nobody needs it before the first paint.

import { ReadMarks } from '../store/readmarks.js';
import { hideWriter, lastLine, oneLine, unreadLines } from '../model/chatroom.js';
import { chatEn } from '../text/chat-en.js';
import { addEnglish, refusedText, words } from '../text/words.js';
import { ChatView } from '../view/chatview.js';
import { addChatStyle } from '../view/chatstyle.js';
import { GameChat } from './gamechat.js';
import { LobbyChat } from './lobbychat.js';
import { Messages } from './messages.js';
import { loadScript } from './scripts.js';

addEnglish({ chat: chatEn });

/** @typedef {import('./chatroom.js').ChatRoom} ChatRoom */

/** The longest time of a browser's timer. */
const LONGEST_MUTE_TIMER_MS = 2 ** 31 - 1;

/** The chat of this page, once it is open. @type {Chat | undefined} */
let chatOfPage;

/**
 * The chat of this page.
 *
 * @param {import('./scripts.js').ChatContext} context
 * @returns {Chat}
 */
export function chatOf(context) {
  chatOfPage ??= new Chat(context);
  return chatOfPage;
}

/** All rooms of the page. */
export class Chat {
  /** Every connection has another number. */
  generation = 0;
  /** Whether the panel of a game is open: it stays as the player left it, from game to game. */
  isPanelOpen = false;
  /** @type {Set<ChatRoom>} */
  rooms = new Set();
  /** Rooms that the page has left: a line of one may still be on its way. @type {Set<string>} */
  left = new Set();
  /** @type {GameChat | undefined} */
  game = undefined;
  /** @type {LobbyChat | undefined} */
  lobby = undefined;
  /** @type {Messages | undefined} */
  messages = undefined;
  /** The game on the screen, also while it has no chat. @type {import('./game.js').GamePage | undefined} */
  #page = undefined;
  /** Since when the player may not write, as far as the page has heard. @type {{ until?: number, reason?: string } | undefined} */
  #muted = undefined;
  #identity = '';
  /** The friend whose conversation opens after the greeting of the server. @type {string | undefined} */
  #toOpen = undefined;
  #lastId = 0;
  #isRefused = false;
  #isTold = false;
  #idPrefix = `c${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;

  /** @param {import('./scripts.js').ChatContext} context */
  constructor({ frame, connection, account }) {
    // The context can be the page of a game, which does not stay.
    this.frame = frame;
    this.connection = connection;
    this.account = account;
    this.marks = new ReadMarks(frame.settings.storage);
    addChatStyle();
    connection.on('welcome', (/** @type {any} */ { chat_off: isOff }) => this.#welcome(isOff === true));
    connection.on('state', () => this.#state());
    connection.on('push', (/** @type {string} */ op, /** @type {any} */ body) => this.#pushed(op, body));
    frame.settings.on((name) => name === 'chat' && this.#refresh());
    new MutationObserver(() => this.#refresh()).observe(frame.main, { childList: true });
    document.addEventListener('visibilitychange', () => this.changed());
    window.addEventListener('storage', (event) => this.marks.takeStorageEvent(event) && this.changed());
    if (this.isOpen) this.#welcome();
  }

  get isOpen() {
    return this.connection.state.state === 'open';
  }

  /** Whether the player can read and write in rooms of a kind at all. @param {Protocol.ChatKind} kind */
  has(kind) {
    const kinds = this.connection.hello?.chat ?? [];
    return kinds.includes(kind) && this.frame.settings.get('chat') && !this.#isRefused;
  }

  /**
   * Shows the chat of a game as it is now; without one, what is around all pages.
   *
   * @param {import('./game.js').GamePage} [page]
   */
  show(page) {
    if (!page) return this.#refresh();
    this.#page = page;
    this.#showGame();
    return this.game?.update();
  }

  /** Opens the conversation with a friend, as soon as the server has greeted the player. @param {string} handle */
  write(handle) {
    this.#refresh();
    if (this.messages) this.messages.open(handle);
    else if (!this.isOpen) this.#toOpen = handle;
  }

  /** The server says that there is no chat for this player. */
  turnOff() {
    this.#isRefused = true;
    queueMicrotask(() => this.#refresh());
  }

  /** The player has switched chat on or off for the account. @param {boolean} isOn */
  switchTo(isOn) {
    if (!isOn) return this.turnOff();
    this.#isRefused = false;
    return this.#refresh();
  }

  /** Something is new in a room: what shows counts and lines is told, once for all that happens in a moment. */
  changed() {
    if (this.#isTold) return;
    this.#isTold = true;
    queueMicrotask(() => {
      this.#isTold = false;
      this.game?.update();
      this.lobby?.update();
      this.messages?.update();
    });
  }

  /** An id that no other line of the player has. */
  newCmdId() {
    this.#lastId += 1;
    return `${this.#idPrefix}-${this.#lastId}`;
  }

  /** How many lines of a room are new. @param {ChatRoom} room */
  unread({ id, state }) {
    return id === undefined ? 0 : unreadLines(state, this.marks.of(id), this.connection.identity);
  }

  /** The player has read a room to its end. @param {ChatRoom} room */
  read({ id, state }) {
    if (id !== undefined && this.marks.keep(id, lastLine(state))) this.changed();
  }

  /**
   * The view of a room, which follows it until it is closed.
   *
   * @param {ChatRoom} room
   * @param {string} name
   * @param {{ isGuest?: (line: Protocol.ChatLine) => boolean, opensTab?: () => boolean }} [more] `isGuest`: whether the
   *   writer of a line has no profile.
   */
  view(room, name, { isGuest = () => false, opensTab = () => false } = {}) {
    const { connection } = this;
    const profileOf = (/** @type {Protocol.ChatLine} */ line) => `/players/${encodeURIComponent(line.name)}`;
    const view = new ChatView(name, {
      isOwn: ({ identity }) => identity === connection.identity,
      hrefOf: (line) => (isGuest(line) ? undefined : profileOf(line)),
      may: (line) => this.#may(isGuest(line)),
      block: (line) => void this.#block(line),
      report: (line) => void this.#report(room, line),
      opensTab,
      say: (text) => void room.say(text),
      read: () => this.read(room),
    });
    room.observers.add({
      changed() {},
      refused: (text, error) => {
        if (error.code === 'muted') this.#mute(error.detail);
        view.giveBack(oneLine(text), error.code === 'muted' ? '' : chatRefusal(error));
      },
    });
    return view;
  }

  /**
   * Shows a room as it is now.
   *
   * @param {ChatView} view
   * @param {ChatRoom} room
   */
  paint(view, { state, refused, asked }) {
    const { chat: texts } = words();
    const { sending, lines, isLoaded, canSay } = state;
    const isClosed = refused === 'not_friends' || refused === 'no_such_room';
    const muted = this.#mutedText();
    const note = muted !== undefined ? muted : isClosed && asked.kind === 'direct' ? texts.notFriends
      : refused !== undefined ? texts.codes[refused] ?? texts.codes.no_such_room
        : isLoaded && !canSay ? texts.readOnly : undefined;
    const shown = sending && !sending.isSeen ? sending.text : undefined;
    view.update({ lines, isLoaded, note, sending: shown, isWaiting: sending !== undefined });
  }

  /** A moderator has muted the player, or ended that. @param {{ until?: number, reason?: string }} [muted] */
  #mute(muted) {
    this.#muted = muted;
    const leftMs = (muted?.until ?? Infinity) - this.connection.serverNow();
    if (leftMs > 0 && leftMs < LONGEST_MUTE_TIMER_MS) setTimeout(() => this.changed(), leftMs + 1);
    this.changed();
  }

  /** Why the player cannot write, while a moderator does not let it. */
  #mutedText() {
    if (!this.#muted) return undefined;
    const { until, reason } = this.#muted;
    const isOver = until !== undefined && until <= this.connection.serverNow();
    return isOver ? undefined : words().chat.muted(until, reason);
  }

  /** The player's options about the writer of a line. @param {boolean} isGuest */
  #may(isGuest) {
    const { chat: texts } = words();
    const { isRegistered } = this.connection;
    const why = !isRegistered ? texts.registerFirst : isGuest ? texts.guest : '';
    return { block: isRegistered && !isGuest, report: isRegistered, why };
  }

  /** Reports the writer of a line. @param {ChatRoom} room @param {Protocol.ChatLine} line */
  async #report({ id, code, asked: { game } }, { identity, name, line }) {
    const script = await loadScript(this.frame, 'people');
    const matter = { room: id, line, ...(game !== undefined && { game }), ...(code !== undefined && { code }) };
    await script?.people.report(/** @type {any} */ (this), { name, player: identity }, matter);
  }

  /** Blocks the writer of a line, after asking. @param {Protocol.ChatLine} line */
  async #block({ identity, name }) {
    const script = await loadScript(this.frame, 'people');
    try {
      if (!await script?.people.block(/** @type {any} */ (this), name)) return;
    } catch (refused) {
      this.frame.toast(refusedText(/** @type {any} */ (refused)));
      return;
    }
    this.frame.toast(words().accounts.relations.blocked(name));
    for (const { state } of this.rooms) hideWriter(state, identity);
    this.changed();
  }

  #welcome(isOff = false) {
    const { identity = '', isRegistered } = this.connection;
    this.generation += 1;
    this.#isRefused = isOff;
    if (identity !== this.#identity) this.#forget();
    this.#identity = identity;
    if (!isRegistered) this.messages?.close();
    const { messages } = this;
    this.#refresh();
    const handle = this.#toOpen;
    this.#toOpen = undefined;
    if (handle !== undefined) this.messages?.open(handle);
    for (const room of this.rooms) if (room.isWanted) void room.join();
    if (messages && messages === this.messages) void messages.follow();
  }

  #state() {
    if (this.isOpen) return;
    for (const room of this.rooms) room.lost();
    this.changed();
  }

  /** Resets the chats after a change or loss of the identity. */
  #forget() {
    this.#muted = undefined;
    this.game?.close();
    this.lobby?.close();
    this.messages?.close();
    this.game = this.lobby = this.messages = undefined;
  }

  /** Gives the game on the screen its chat, if there is one for this player, and takes the chat of another game away. */
  #showGame() {
    if (this.#page?.isClosed) this.#page = undefined;
    const page = this.has('players') ? this.#page : undefined;
    if (this.game?.page === page) return;
    this.game?.close();
    this.game = page && new GameChat(this, page);
  }

  /** Shows what there is for this player on this page, and takes away what there is not. */
  #refresh() {
    const { frame, connection } = this;
    this.#showGame();
    if (this.lobby && (!this.lobby.isShown || !this.has('lobby'))) {
      this.lobby.close();
      this.lobby = undefined;
    }
    const lobby = frame.main.querySelector(':scope > .lobby');
    if (lobby && !this.lobby && this.has('lobby')) this.lobby = new LobbyChat(this, lobby);
    const hasMessages = this.has('direct') && connection.isRegistered;
    if (!hasMessages) {
      this.messages?.close();
      this.messages = undefined;
    } else if (!this.messages) {
      this.messages = new Messages(this);
      if (this.isOpen) void this.messages.follow();
    }
    this.messages?.place();
    this.changed();
  }

  /** @param {string} op @param {any} body */
  #pushed(op, body) {
    const room = [...this.rooms].find(({ id }) => id === body.room);
    if (op === 'moderation' && body.kind === 'mute') this.#mute(body);
    // Which action ended is not said. If the player is still muted, the next line is refused.
    else if (op === 'moderation' && body.kind === 'undo') this.#mute();
    else if (op === 'chat_closed') {
      if (body.reason === 'chat_off') this.turnOff();
      room?.putOut(body.reason);
    } else if (op === 'chat_hidden') room?.hide(body.lines);
    else if (op === 'chat') {
      if (room?.take(body.line)) this.#announce(room, body.line);
      else if (!room && !this.left.has(body.room)) this.messages?.heard(body);
    }
  }

  /** Tells a screen reader of a line that it does not see. @param {ChatRoom} room @param {Protocol.ChatLine} line */
  #announce(room, { identity, name }) {
    const isSeen = [this.game, this.lobby, this.messages].some((part) => part?.isSeen(room));
    if (identity !== this.connection.identity && !isSeen) this.frame.announce(words().chat.heard(name));
  }
}

/**
 * Why a line was refused, with the wait if there is one.
 *
 * @param {import('../wire/requests.js').Refused} error
 */
function chatRefusal(error) {
  const { chat, errors } = words();
  const { retry_after_ms: waitMs = 0 } = error.detail;
  const sentence = chat.codes[error.code];
  if (!sentence) return refusedText(error);
  return waitMs > 0 ? `${sentence} ${errors.wait(waitMs)}` : sentence;
}
