// The chat of a game: players have their own room and, when the game is over, that of the spectators; spectators have
// theirs.

import { ChatPanel } from '../view/chatpanel.js';
import { words } from '../text/words.js';
import { ChatRoom } from './chatroom.js';

/** When a room that has opened with the end of the game is asked for again. */
const AGAIN_AFTER_MS = 2000;

/** @typedef {'players' | 'spectators'} GameRoomKind */

/** The rooms of one game, beside it. */
export class GameChat {
  /** @type {Map<GameRoomKind, { room: ChatRoom, view: import('../view/chatview.js').ChatView }>} */
  rooms = new Map();
  /** The room that is shown. @type {GameRoomKind | undefined} */
  shown = undefined;
  #again = false;

  /**
   * @param {import('./chat.js').Chat} chat
   * @param {import('./game.js').GamePage} page
   */
  constructor(chat, page) {
    this.chat = chat;
    this.page = page;
    this.wasOver = page.table.phase === 'ended';
    /** Whether the chat makes room for the result, when the player has finished a line. */
    this.isInTheWay = false;
    this.panel = new ChatPanel({
      open: (isOpen) => this.#open(isOpen),
      choose: (kind) => this.#choose(/** @type {GameRoomKind} */ (kind)),
    });
    this.panel.node.addEventListener('input', () => this.#makeRoom());
  }

  /** The rooms that the player can be in, the more important one first. @returns {GameRoomKind[]} */
  #kinds() {
    const { table, isPlayer } = this.page;
    if (!isPlayer) return ['spectators'];
    return table.phase === 'ended' ? ['players', 'spectators'] : ['players'];
  }

  /** Shows the chat as it is now. */
  update() {
    const { chat, page } = this;
    if (page.isClosed || !page.table.isKnown || !chat.has('players')) return;
    for (const kind of this.#kinds()) if (chat.has(kind)) this.#add(kind);
    const rooms = [...this.rooms].filter(([kind, { room }]) => this.#isOffered(kind, room));
    if (rooms.length === 0) return this.panel.remove();
    this.panel.place(page.scene.table, page.scene.tools.at(-1));
    if (!rooms.some(([kind]) => kind === this.shown)) this.#choose(rooms[0][0]);
    const { chat: texts } = words();
    const unread = rooms.map(([, { room }]) => chat.unread(room));
    const tabs = rooms.map(([kind], i) => [kind, texts.opens(texts[kind], unread[i])]);
    this.panel.update({
      tabs, shown: this.shown ?? '', isOpen: chat.isPanelOpen, unread: unread.reduce((sum, count) => sum + count, 0),
    });
    for (const [, { room, view }] of rooms) chat.paint(view, room);
    const isOver = page.table.phase === 'ended';
    if (isOver && !this.wasOver) this.isInTheWay = chat.isPanelOpen;
    this.wasOver = isOver;
    this.#makeRoom();
    return undefined;
  }

  /** The result comes first, unless the player is in the middle of a line. */
  #makeRoom() {
    if (!this.isInTheWay || this.#shownView?.isWriting) return;
    this.isInTheWay = false;
    this.#open(false);
  }

  /** @param {GameRoomKind} kind */
  #add(kind) {
    const { chat, page } = this;
    const known = this.rooms.get(kind);
    if (known) {
      if (known.room.refused === undefined) void known.room.join();
      return;
    }
    const room = new ChatRoom(chat, { kind, game: page.game }, { code: page.code, mayJoin: () => page.stream.isAttached });
    const view = chat.view(room, words().chat[kind], {
      isGuest: ({ seat }) => seat !== undefined && !this.#isRegistered(seat), opensTab: () => page.isPlaying,
    });
    this.rooms.set(kind, { room, view });
    void room.join();
  }

  /**
   * Whether a room is on the screen: one that is open to the player, and in which there is somebody to talk to or
   * something to read.
   *
   * @param {GameRoomKind} kind
   * @param {ChatRoom} room
   */
  #isOffered(kind, room) {
    const { table, isPlayer } = this.page;
    const { state, refused } = room;
    if (refused === 'no_such_room' && isPlayer && kind === 'spectators') this.#askAgain(room);
    if (refused !== undefined || !state.isLoaded) return state.lines.length > 0;
    const isAlone = isPlayer && table.seats.every(({ bot }, seat) => bot || seat === table.seat);
    return !isAlone || state.lines.length > 0;
  }

  /** The end of a game can reach its player before it opens the other room. @param {ChatRoom} room */
  #askAgain(room) {
    if (this.#again) return;
    this.#again = true;
    setTimeout(() => void room.join(), AGAIN_AFTER_MS);
  }

  /** @param {number} seat */
  #isRegistered(seat) {
    const { kind } = this.page.table.setup.seats[seat] ?? {};
    return kind === 'registered' || kind === 'external_bot';
  }

  /** @param {boolean} isOpen */
  #open(isOpen) {
    this.chat.isPanelOpen = isOpen;
    this.panel.setOpen(isOpen);
    if (isOpen) this.#shownView?.enter();
    this.chat.changed();
  }

  /** @param {GameRoomKind} kind */
  #choose(kind) {
    this.shown = kind;
    const view = this.#shownView;
    if (view) this.panel.show(view.node);
    view?.toEnd();
    this.chat.changed();
  }

  get #shownView() {
    return this.shown && this.rooms.get(this.shown)?.view;
  }

  /** @param {ChatRoom} room */
  isSeen(room) {
    const shown = this.shown && this.rooms.get(this.shown);
    return shown !== undefined && shown.room === room && shown.view.isRead;
  }

  close() {
    this.panel.remove();
    for (const { room } of this.rooms.values()) room.close();
    this.rooms.clear();
  }
}
