// News of games that the player is not looking at: a game has begun, or it is the player's turn.

import { createSounds } from '../view/sounds.js';
import { showNotification } from '../view/notification.js';
import { ratingStepText } from '../view/ratings.js';
import { words } from '../text/words.js';

/**
 * @typedef {{
 *   frame: import('../view/frame.js').Frame, connection: import('../wire/socket.js').Connection,
 *   router: () => import('./routes.js').Router,
 * }} NewsOptions
 */

/** Tells the player about other games. */
export class News {
  /** @param {NewsOptions} options */
  constructor(options) {
    this.options = options;
    const { connection, frame, router } = options;
    this.sounds = createSounds(() => frame.settings.get('sounds'));
    connection.on('push', (/** @type {string} */ op, /** @type {any} */ body) => {
      if (router().route?.game === body.game) return;
      if (op === 'your_turn') this.yourTurn(body.game);
      if (op === 'rating') this.#show(words().lobby.toast.rating(ratingStepText(body)), pathOfGame(body.game));
    });
  }

  /**
   * Opens a game that has begun, unless the player is busy with another one.
   *
   * @param {string} game
   * @param {Record<string, any> | undefined} seek The offer that it came from.
   */
  begun(game, seek) {
    const router = this.options.router();
    const code = seek?.code ? `#code=${encodeURIComponent(seek.code)}` : '';
    const path = pathOfGame(game) + code;
    if (!router.isBusy() && document.visibilityState === 'visible') router.go(path);
    else this.#tell(words().lobby.toast.begun, path);
  }

  /** @param {string} game One in which the player's turn has begun. */
  yourTurn(game) {
    const { connection } = this.options;
    const { toast, list } = words().lobby;
    const seats = connection.games.find((entry) => entry.game === game)?.seats ?? [];
    const names = seats.filter(({ identity }) => identity !== connection.identity).map(({ name }) => name);
    this.#tell(toast.yourTurn(list(names)), pathOfGame(game));
  }

  /**
   * @param {string} text
   * @param {string} path
   */
  #tell(text, path) {
    this.sounds.play('turn');
    showNotification(this.options.frame.settings, text, this.#show(text, path));
  }

  /**
   * @param {string} text
   * @param {string} path
   * @returns {() => void} What opens the game.
   */
  #show(text, path) {
    const { frame, router } = this.options;
    const run = () => router().go(path);
    frame.toast(text, { label: words().lobby.toast.open, run });
    return run;
  }
}

/** @param {string} game */
function pathOfGame(game) {
  return `/games/${encodeURIComponent(game)}`;
}
