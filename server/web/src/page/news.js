// What happens in games that the player does not look at: one has begun, or it is the player's turn in one.

import { createSounds } from '../view/sounds.js';
import { showNotification } from '../view/notification.js';
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
      if (op === 'your_turn' && router().route?.game !== body.game) this.yourTurn(body.game);
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
    const path = `/games/${encodeURIComponent(game)}${code}`;
    if (!router.isBusy() && document.visibilityState === 'visible') router.go(path);
    else this.#tell(words().lobby.toast.begun, path);
  }

  /** @param {string} game One in which the player's turn has begun. */
  yourTurn(game) {
    const { connection } = this.options;
    const { toast, list } = words().lobby;
    const seats = connection.games.find((entry) => entry.game === game)?.seats ?? [];
    const names = seats.filter(({ identity }) => identity !== connection.identity).map(({ name }) => name);
    this.#tell(toast.yourTurn(list(names)), `/games/${encodeURIComponent(game)}`);
  }

  /**
   * @param {string} text
   * @param {string} path
   */
  #tell(text, path) {
    const { frame, router } = this.options;
    const run = () => router().go(path);
    this.sounds.play('turn');
    showNotification(frame.settings, text, run);
    frame.toast(text, { label: words().lobby.toast.open, run });
  }
}
