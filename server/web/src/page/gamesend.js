// Sends what the player decides in a game, one decision at a time, and says why something was refused.

import { shownWord } from '../text/rich.js';
import { refusedText, words } from '../text/words.js';

/** Refusals that say only that the game has gone on; what has come meanwhile speaks for itself. */
const SEND_LATE_CODES = new Set([
  'wrong_position',
  'not_your_turn',
  'window_closed',
  'already_accepted',
  'already_challenged',
  'not_held',
  'no_challenge_pending',
  'no_abort_request',
  'already_ready',
  'game_over',
  'command_in_flight',
]);

/** The commands of one game. */
export class GameSend {
  /** @param {import('./game.js').GamePage} page */
  constructor(page) {
    this.page = page;
    /** The turn whose command is not answered. */
    this.turn = /** @type {number | undefined} */ (undefined);
    /** The command beside it that is not answered. */
    this.other = /** @type {string | undefined} */ (undefined);
    this.isReadySent = false;
  }

  /** @param {import('../play/placement.js').Placement} placement */
  play({ start, tiles }) {
    return this.#endTurn('play', { start, tiles });
  }

  /** @param {string[]} tiles */
  exchange(tiles) {
    return this.#endTurn('exchange', { tiles });
  }

  pass() {
    return this.#endTurn('pass', {});
  }

  /**
   * A command about the play that can be challenged.
   *
   * @param {'challenge' | 'hold' | 'release' | 'accept' | 'withdraw' | 'stand'} op
   * @param {number} [playId]
   */
  judge(op, playId = this.page.table.window?.playId) {
    return playId === undefined ? undefined : this.#send(op, { play_id: playId });
  }

  /** @param {number} seat */
  claim(seat) {
    return this.#send('claim', { seat });
  }

  resign() {
    return this.#send('resign', {});
  }

  abort() {
    return this.#send('abort', {});
  }

  /** @param {boolean} accept Whether the game ends without a result, as the other player asks. */
  answerAbort(accept) {
    return this.#send('answer_abort', { accept });
  }

  /** Says that the player is there, as soon as the game waits for that. */
  async readyWhenAsked() {
    const { page } = this;
    const { table } = page;
    if (this.isReadySent || table.phase !== 'waiting' || table.seat === undefined || table.seats[table.seat].ready)
      return;
    this.isReadySent = true;
    const nonce = page.nonces.of(page.game);
    const isSent = await this.#send('ready', nonce === undefined ? {} : { nonce });
    // A nonce that does not fit must not cost the game.
    if (!isSent && nonce !== undefined && page.table.phase === 'waiting') await this.#send('ready', {});
  }

  /** @param {string} op @param {Record<string, any>} body */
  async #endTurn(op, body) {
    const { table } = this.page;
    if (this.turn !== undefined) return false;
    this.turn = table.turnNo;
    const isSent = await this.#command(op, { ...body, turn_no: table.turnNo });
    this.turn = undefined;
    this.page.changed();
    return isSent;
  }

  /** @param {string} op @param {Record<string, any>} body */
  async #send(op, body) {
    if (this.other !== undefined) return false;
    this.other = op;
    const isSent = await this.#command(op, body);
    this.other = undefined;
    this.page.changed();
    return isSent;
  }

  /** @param {string} op @param {Record<string, any>} body */
  async #command(op, body) {
    const { page } = this;
    page.changed();
    try {
      await page.command(op, body);
      return true;
    } catch (/** @type {any} */ refused) {
      if (!page.isClosed && !SEND_LATE_CODES.has(refused?.code)) page.frame.toast(this.#why(refused));
      return false;
    }
  }

  /** @param {any} refused */
  #why(refused) {
    const bad = refused?.detail?.words;
    if (refused?.code === 'invalid_words' && Array.isArray(bad)) {
      return words().game.notWords(bad.map(shownWord), this.page.table.setup.lexicon.name);
    }
    return refusedText(refused ?? {});
  }
}
