// The subscription of this browser to notifications (Web Push), and what the server was told of it. The browser may replace a
// subscription by itself; the service worker then asks for one with the same key (`pushsubscriptionchange`). Only the page has the
// token of the player, so it tells the server: at once if it is open, or else when it opens.

import { callAsPlayer, ownLabel } from './accountparts.js';

/** Where the page keeps what it has told, for the service worker too. */
const TOLD_CACHE = 'push';
const TOLD = '/push-told';

/** @typedef {import('./pushsettings.js').Pushes} Pushes */
/** @typedef {Pick<import('./routes.js').PageContext, 'account' | 'connection'>} PlayerContext */
/** @typedef {{ identity: string | undefined, key: string, endpoint: string }} Told */

let isWatching = false;
/** One at a time: the next one knows what the server was told before. */
let telling = Promise.resolve();

/** Whether this browser can be subscribed at all. */
export function canSubscribe() {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window && window.isSecureContext;
}

/** The subscription of this browser, if there is one. */
export async function ownSubscription() {
  const registration = await navigator.serviceWorker.getRegistration();
  return await registration?.pushManager.getSubscription() ?? undefined;
}

/** @param {string} key The public key of the server, base64url. */
export async function subscribe(key) {
  // Without a registration, `ready` would never come.
  if (await navigator.serviceWorker.getRegistration() === undefined) return undefined;
  const { pushManager } = await navigator.serviceWorker.ready;
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/**
 * Asks the server for notifications in this browser; returns what the server has then.
 *
 * @param {PlayerContext} context
 * @param {PushSubscription} subscription
 * @param {string} key The key with which it was made.
 * @returns {Promise<Pushes>}
 */
export async function tellSubscription(context, subscription, key) {
  const { endpoint, keys } = subscription.toJSON();
  const body = { key, endpoint, keys, label: ownLabel() };
  const pushes = await callAsPlayer(context, '/account/pushes/devices', { method: 'POST', body });
  const told = { identity: context.connection.identity, key, endpoint };
  await (await caches.open(TOLD_CACHE)).put(TOLD, new Response(JSON.stringify(told)));
  return pushes;
}

/** Ends the subscription of this browser: a later one is told after a press only. */
export async function endSubscription() {
  if (!canSubscribe()) return;
  await caches.delete(TOLD_CACHE);
  await (await ownSubscription())?.unsubscribe();
}

/**
 * Tells the server when the browser has replaced the subscription, now and as long as the page is open.
 *
 * @param {PlayerContext} context
 */
export function watchSubscription(context) {
  if (!canSubscribe()) return;
  // Another try may follow a failure: the next connection, or the next visit.
  const tell = () => void (telling = telling.then(() => tellReplaced(context)).catch(() => {}));
  if (!isWatching) navigator.serviceWorker.addEventListener('message', tell);
  isWatching = true;
  tell();
}

/** @param {PlayerContext} context */
async function tellReplaced(context) {
  /** @type {Told | undefined} */
  const told = await (await caches.match(TOLD, { cacheName: TOLD_CACHE }))?.json();
  if (told === undefined || told.identity !== context.connection.identity) return;
  const subscription = await ownSubscription();
  if (subscription === undefined || subscription.endpoint === told.endpoint) return;
  try {
    await tellSubscription(context, subscription, told.key);
  } catch (refused) {
    // With a new key of the server, the player asks again.
    if (/** @type {any} */ (refused).code !== 'push_key_changed') throw refused;
    await endSubscription();
  }
}
