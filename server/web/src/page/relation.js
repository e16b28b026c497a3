// The buttons that follow and block the player of a profile. A line beside them tells the present state.

import { el, setAttribute, setText } from '../view/dom.js';
import { callAsPlayer, tryToDo } from './accountparts.js';
import { reportLater } from './moderationlater.js';
import { words } from '../text/words.js';

/** @typedef {import('./routes.js').PageContext} PageContext */
/** @typedef {{ handle: string, followed?: boolean, friend?: boolean, blocked?: boolean }} RelatedPlayer */

/**
 * @param {PageContext} context
 * @param {RelatedPlayer} player
 * @param {HTMLElement} invite The button that invites the player.
 */
export function relationPart(context, player, invite) {
  return new RelationPart(context, player, invite).node;
}

/**
 * Asks before a block, and blocks.
 *
 * @param {Pick<PageContext, 'frame' | 'connection' | 'account'>} context
 * @param {string} handle
 * @returns {Promise<boolean>} Whether the player is blocked now.
 */
export async function blockAfterAsking(context, handle) {
  const { relations: texts } = words().accounts;
  if (!await context.frame.confirm(texts.blockTitle(handle), texts.blockText(handle), texts.block)) return false;
  await callAsPlayer(context, relationPath('blocked', handle), { method: 'PUT' });
  return true;
}

/**
 * The path of a request about another player.
 *
 * @param {'following' | 'blocked'} list
 * @param {string} handle
 */
export function relationPath(list, handle) {
  return `/${list}/${encodeURIComponent(handle)}`;
}

/** The buttons while they are on the screen. */
class RelationPart {
  /**
   * @param {PageContext} context
   * @param {RelatedPlayer} player
   * @param {HTMLElement} invite
   */
  constructor(context, player, invite) {
    this.context = context;
    this.invite = invite;
    this.player = player;
    this.isBusy = false;
    const button = (/** @type {() => Promise<string | undefined>} */ act) => el('button', {
      class: 'btn small', type: 'button', onclick: () => void this.#do(act),
    });
    this.follow = button(() => this.#follow());
    this.block = button(() => this.#block());
    this.status = el('p', { class: 'small muted', role: 'status' });
    const report = el('button', {
      class: 'btn small', type: 'button', text: words().accounts.relations.report,
      onclick: () => void reportLater(context, { name: player.handle, player: player.handle }),
    });
    this.node = el('div', { class: 'relation' }, invite, this.follow, this.block, report, this.status);
    this.#show();
  }

  /** @returns {Promise<string>} What to say. */
  async #follow() {
    const { handle, followed } = this.player;
    const { relations: texts } = words().accounts;
    await callAsPlayer(this.context, relationPath('following', handle), { method: followed ? 'DELETE' : 'PUT' });
    return followed ? texts.unfollowed(handle) : texts.followed(handle);
  }

  /** @returns {Promise<string | undefined>} What to say. */
  async #block() {
    const { handle, blocked } = this.player;
    const { relations: texts } = words().accounts;
    if (!blocked) return await blockAfterAsking(this.context, handle) ? texts.blocked(handle) : undefined;
    await callAsPlayer(this.context, relationPath('blocked', handle), { method: 'DELETE' });
    return texts.unblocked(handle);
  }

  /** @param {() => Promise<string | undefined>} act */
  async #do(act) {
    if (this.isBusy) return;
    this.isBusy = true;
    await tryToDo(this.context, async () => {
      const said = await act();
      if (said === undefined) return;
      this.context.frame.toast(said);
      this.player = await callAsPlayer(this.context, `/players/${encodeURIComponent(this.player.handle)}`);
    });
    this.isBusy = false;
    this.#show();
  }

  #show() {
    const { handle, followed = false, friend = false, blocked = false } = this.player;
    const { relations: texts } = words().accounts;
    setText(this.follow, followed ? texts.unfollow : texts.follow);
    // The focus stays on the page when the button under it goes away.
    if (blocked && document.activeElement === this.follow) this.block.focus();
    setAttribute(this.follow, 'hidden', blocked);
    setAttribute(this.invite, 'hidden', blocked);
    setText(this.block, blocked ? texts.unblock : texts.block);
    const state = blocked ? texts.isBlocked(handle) : friend ? texts.isFriend : followed ? texts.isFollowed(handle) : '';
    setText(this.status, state);
  }
}
