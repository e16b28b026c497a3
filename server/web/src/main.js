// The start of the page: opens the stores, the connection and the frame, and ties them together.

import { Connection } from './wire/socket.js';
import { Embedding } from './wire/embedding.js';
import { Frame } from './view/frame.js';
import { Settings } from './store/settings.js';
import { IdentityStore, browserStorage } from './store/identity.js';
import { NonceStore } from './store/nonces.js';
import { Rulebook } from './page/rulebook.js';
import { Seeking } from './page/seeking.js';
import { Account } from './page/account.js';
import { Router } from './page/routes.js';
import { News } from './page/news.js';
import { loadScript, loadScriptsLater } from './page/scripts.js';
import { Link } from './page/link.js';
import { chooseLanguage } from './text/words.js';

const MAIN_CLIENT = 'tilewire-web/1';

/** Starts everything. */
async function startPage() {
  const storage = browserStorage();
  const settings = new Settings(storage);
  await applyLanguage(settings);
  const identities = new IdentityStore(storage);
  const embedding = await Embedding.open();
  const siteToken = await embedding?.first;
  if (siteToken !== undefined) identities.useOnly(siteToken);
  const nonces = new NonceStore(storage);
  applySettings(settings);

  const url = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`;
  /** @type {Connection} */
  const connection = new Connection({
    url, client: MAIN_CLIENT, token: identities.kept?.token, instead: () => account.instead(),
    newer: (refused) => account.newer(refused),
  });
  const frame = new Frame({
    settings,
    go: (path) => router.go(path),
    back: (otherwise) => router.back(otherwise),
    onSound: () => settings.set('sounds', !settings.get('sounds')),
    onName: () => void rename(),
    onLogOut: async () => void (await loadScript(frame, 'people'))?.people.logOut(router.context),
  });
  const rename = async () => (await loadScript(frame, 'pages'))?.pages.askForName(frame, connection);
  const account = new Account({ identities, connection, frame, router: () => router });
  const news = new News({ frame, connection, router: () => router });
  const seeking = new Seeking(connection, nonces, (game, seek) => news.begun(game, seek));
  const rulebook = new Rulebook(connection);
  /** @type {Router} */
  const router = new Router({
    frame, connection, account, seeking, rulebook, nonces, rename, yourTurn: (game) => news.yourTurn(game),
  });
  void new Link({ frame, connection, lost: () => account.lost() });
  embedding?.onLater((token) => void account.useOnly(token));
  settings.on(async (name) => {
    applySettings(settings);
    if (name !== 'language') return;
    await applyLanguage(settings);
    frame.relabel();
    router.show({ again: true });
  });
  window.addEventListener('storage', (event) => {
    settings.takeStorageEvent(event);
    const isReplaced = identities.isReplacedBy(event, connection.identity);
    // Other tabs go on as the guest while this one still ends the player's session.
    if (isReplaced && !account.isLeaving) location.reload();
    else account.show();
  });
  connection.on('push', async (/** @type {string} */ op, /** @type {any} */ body) => op === 'invitation'
    && (await loadScript(frame, 'people'))?.people.takeInvitation(router.context, body));
  loadScriptsLater(router.context);
  connection.start();
  router.show();
  registerWorker();
}

/**
 * Applies the settings that concern the whole document.
 *
 * @param {Settings} settings
 */
function applySettings(settings) {
  const root = document.documentElement;
  const theme = settings.get('theme');
  if (theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = theme;
  root.dataset.tiles = settings.get('tiles');
}

/** @param {Settings} settings */
async function applyLanguage(settings) {
  document.documentElement.lang = await chooseLanguage(settings.get('language'), navigator.languages, loadGerman);
}

/** Loads the texts that are no part of this script; German is the only other language. */
async function loadGerman() {
  return (await import('./text/german.js')).german;
}

/** Registers the service worker where the browser allows one: not on plain HTTP in a local network. */
function registerWorker() {
  if (!('serviceWorker' in navigator) || !window.isSecureContext) return;
  const { trustedTypes } = /** @type {any} */ (window);
  const address = '/service-worker.js';
  const policy = trustedTypes?.createPolicy('tilewire', { createScriptURL: () => address });
  navigator.serviceWorker.register(policy?.createScriptURL(address) ?? address).catch(() => {});
}

void startPage();
