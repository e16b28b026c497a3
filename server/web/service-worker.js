// Makes the page installable. The network always comes first for the page; a kept copy is shown only without a
// network. Files in a folder with a hash for its name never change, so they come from the cache.

const CACHE = 'page-2';
/** Where the page keeps the key of its subscription: `src/page/subscription.js`. */
const TOLD_CACHE = 'push';
const HASHED = /^\/assets\/[0-9a-f]+\//;
const KEPT_FILES = 24;

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(start()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  if (request.mode === 'navigate' && !url.pathname.includes('.')) event.respondWith(page(request));
  else if (HASHED.test(url.pathname)) event.respondWith(hashedFile(request));
});

/** Removes the caches of pages of other versions. */
async function start() {
  for (const name of await caches.keys()) {
    if (name !== CACHE && name !== TOLD_CACHE) await caches.delete(name);
  }
  await self.clients.claim();
}

/** The page from the network. All routes serve the same page, so one copy is kept for all of them. */
async function page(request) {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put('/', answer.clone());
    return answer;
  } catch (error) {
    const kept = await cache.match('/');
    if (kept) return kept;
    throw error;
  }
}

/** A file that never changes under its name. The files of old versions go when new ones come. */
async function hashedFile(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) {
    await cache.put(request, answer.clone());
    const old = (await cache.keys()).filter(({ url }) => HASHED.test(new URL(url).pathname)).slice(0, -KEPT_FILES);
    await Promise.all(old.map((file) => cache.delete(file)));
  }
  return answer;
}

self.addEventListener('push', (event) => event.waitUntil(notify(event.data)));
self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event.newSubscription)));
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data?.path));
});

/** Shows what the server has pushed. A browser that is promised a notification for each push wants one for a broken one too. */
async function notify(data) {
  let said = {};
  try {
    said = data?.json() ?? {};
  } catch {
    // Another version of the server, perhaps.
  }
  const { title = 'Tilewire', body = '', path = '/', tag = 'tilewire' } = said;
  await self.registration.showNotification(title, { body, tag, renotify: true, icon: '/icon.svg', data: { path } });
}

/**
 * Asks for a subscription in the place of one that the browser has ended, unless the browser has made one, and tells open pages.
 * Others find it when they open: only a page can tell the server.
 */
async function renew(made) {
  const told = await (await caches.match('/push-told', { cacheName: TOLD_CACHE }))?.json();
  if (told === undefined) return;
  if (!made) await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: told.key });
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  for (const tab of tabs) tab.postMessage('renewed');
}

/** Shows a path of the page: in the tab that has it open, or in a new one. */
async function show(path) {
  const url = new URL(path ?? '/', location.origin);
  if (url.origin !== location.origin) return;
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const open = tabs.find((tab) => new URL(tab.url).pathname === url.pathname);
  await (open ? open.focus() : self.clients.openWindow(url.href));
}
