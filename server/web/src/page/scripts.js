// The scripts beside the main one. The page loads them soon after it can be used, or at once where they are needed.

import { el } from '../view/dom.js';
import { words } from '../text/words.js';

/** A line for each script. The German texts are not here: only a browser in German loads them. */
const SCRIPTS = {
  game: () => import('./game.js'),
  pages: () => import('./pages.js'),
  people: () => import('./people.js'),
  record: () => import('./record.js'),
  chat: () => import('./chat.js'),
  manners: () => import('./manners.js'),
};
const SCRIPTS_AFTER_MS = 1500;
/** So long they wait at most for a browser that is never idle. */
const LATEST = { timeout: 2000 };

/** @typedef {import('../view/frame.js').Frame} Frame */
/** @typedef {import('./routes.js').Page} Page */
/** @typedef {import('./routes.js').PageContext} PageContext */
/** @typedef {typeof SCRIPTS} Scripts */
/** @typedef {Pick<PageContext, 'frame' | 'connection' | 'account'>} ChatContext */

/**
 * Loads a script, and returns its exports; `undefined` if it cannot be loaded, and then a line under the bar says so.
 *
 * @template {keyof Scripts} Name
 * @param {Frame} frame
 * @param {Name} name
 * @returns {Promise<Awaited<ReturnType<Scripts[Name]>> | undefined>}
 */
export async function loadScript(frame, name) {
  try {
    const script = await SCRIPTS[name]();
    frame.setLine('script');
    return /** @type {any} */ (script);
  } catch {
    const { errors } = words();
    frame.setLine('script', errors.noScript, { label: errors.tryAgain, run: () => void startAnew(frame) });
    return undefined;
  }
}

/**
 * How to open a page of another script. The page says so if the script cannot be loaded.
 *
 * @template {keyof Scripts} Name
 * @param {Name} name
 * @param {(script: Awaited<ReturnType<Scripts[Name]>>, context: PageContext) => Page} open
 * @returns {(context: PageContext) => Page}
 */
export function openLater(name, open) {
  return (context) => {
    const loading = el('div', { class: 'page' }, el('p', { class: 'lead', text: words().lobby.loading }));
    const node = el('div', {}, loading);
    // A game fills the window: no box stands between them.
    node.style.display = 'contents';
    /** @type {Page | undefined} */
    let page;
    let isClosed = false;
    const show = (/** @type {any} */ script) => {
      if (isClosed) return;
      page = open(script, context);
      node.replaceChildren(page.node);
    };
    return {
      node,
      ready: SCRIPTS[name]().then(show, () => node.replaceChildren(failedPage(context.frame))),
      isBusy: () => page?.isBusy?.() ?? false,
      close() {
        isClosed = true;
        page?.close();
      },
    };
  };
}

/** @param {Frame} frame */
function failedPage(frame) {
  const { errors } = words();
  return el(
    'div', { class: 'page alone', role: 'alert' }, el('h1', { text: errors.noScript }),
    el('p', { class: 'lead', text: errors.noScriptHint }),
    el('button', { class: 'btn go', type: 'button', text: errors.tryAgain, onclick: () => void startAnew(frame) }),
  );
}

/**
 * Starts the page anew, if the server answers: a browser may remember that a script failed, and a new server has other
 * scripts.
 *
 * @param {Frame} frame
 */
async function startAnew(frame) {
  try {
    await fetch('/status', { cache: 'no-store' });
    location.reload();
  } catch {
    frame.toast(words().errors.noScriptHint);
  }
}

/**
 * Loads the scripts: the one of a game at once, as a player soon has a board; the others once the connection has been
 * open for a moment and the browser has nothing else to do. A guest needs those around players only on their pages, and
 * the chat only beside a game or in the room of the lobby.
 *
 * @param {ChatContext} context
 */
export function loadScriptsLater(context) {
  const { connection } = context;
  const idle = window.requestIdleCallback ?? setTimeout;
  const load = () => {
    const { hello, isRegistered } = connection;
    const names = /** @type {const} */ (['pages', 'record', 'people']).slice(0, isRegistered ? 3 : 2);
    for (const name of names) SCRIPTS[name]().then((/** @type {any} */ script) => script.people?.watch(context), () => {});
    if (isRegistered || hello?.chat?.includes('lobby')) void showChat(context);
  };
  connection.on('welcome', () => {
    void SCRIPTS.game().catch(() => {});
    setTimeout(() => idle(load, LATEST), SCRIPTS_AFTER_MS);
  });
}

/**
 * Shows the chat, if the server has one and its script can be loaded: beside a game, or else what there is of it around
 * all pages.
 *
 * @param {ChatContext} context
 * @param {import('./game.js').GamePage} [game]
 */
export async function showChat(context, game) {
  const script = context.connection.hello?.chat && await SCRIPTS.chat().catch(() => {});
  if (script) script.chatOf(context).show(game);
}
