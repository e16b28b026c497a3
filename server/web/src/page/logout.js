// Logging out: the session ends on the server, and the browser goes on as the guest that waited.

import { callApi } from '../wire/api.js';
import { endSubscription } from './subscription.js';
import { refusedText, words } from '../text/words.js';

/** The session is over already. */
const NO_SESSION = new Set(['bad_token', 'session_ended', 'not_registered']);

/**
 * Logs the player out, after a question if there are unfinished games.
 *
 * @param {import('./routes.js').PageContext} context
 */
export async function logOut(context) {
  const { account, connection, frame } = context;
  const { lobby: { bar }, accounts: { logOut: texts } } = words();
  // A game can have ended since the page heard of its games.
  const { games } = await connection.request('list_games', { scope: 'mine' }).catch(() => connection);
  if (games.length > 0 && !await frame.confirm(texts.title, texts.gamesText, bar.logOut)) return;
  account.isLeaving = true;
  const { guest, token } = account;
  // First: the other tabs go on as the guest before the server closes their connections.
  const comeBack = account.stepAside();
  try {
    await callApi('/logout', { method: 'POST', token }).catch((refused) => {
      if (!NO_SESSION.has(refused.code)) throw refused;
    });
    // The notifications have ended with the session.
    void endSubscription().catch(() => {});
    await account.leave();
    frame.toast(guest ? texts.asGuest(guest) : texts.asNewGuest);
  } catch (refused) {
    comeBack();
    frame.toast(refusedText(/** @type {any} */ (refused)));
  } finally {
    account.isLeaving = false;
  }
}
