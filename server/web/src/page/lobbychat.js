// The room of the lobby, below its lists.

import { el, setAttribute } from '../view/dom.js';
import { block } from '../view/lobbylayout.js';
import { words } from '../text/words.js';
import { ChatRoom } from './chatroom.js';

/** The room while the lobby is on the screen. */
export class LobbyChat {
  /**
   * @param {import('./chat.js').Chat} chat
   * @param {Element} lobby
   */
  constructor(chat, lobby) {
    this.chat = chat;
    this.lobby = lobby;
    const title = words().chat.lobby;
    this.room = new ChatRoom(chat, { kind: 'lobby' });
    this.view = chat.view(this.room, title);
    const { node } = block('chat', title);
    this.node = node;
    node.append(el('div', { class: 'card lobby-room' }, this.view.node));
    setAttribute(node, 'hidden', true);
    lobby.lastElementChild?.append(node);
    void this.room.join();
  }

  /** Whether this lobby is still on the screen. */
  get isShown() {
    return this.lobby.isConnected;
  }

  /** @param {ChatRoom} room */
  isSeen(room) {
    return room === this.room && this.view.isRead;
  }

  update() {
    setAttribute(this.node, 'hidden', !this.room.state.isLoaded);
    this.chat.paint(this.view, this.room);
  }

  close() {
    this.room.close();
    this.node.remove();
  }
}
