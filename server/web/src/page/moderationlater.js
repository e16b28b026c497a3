// The way to the script about moderation, and what a player is told of moderators and of waiting times.

import { el } from '../view/dom.js';
import { words } from '../text/words.js';
import { callAsPlayer, plainPage, tryToDo } from './accountparts.js';
import { countReports } from './ownstate.js';

const API_TOOLS = { callAsPlayer, countReports, tryToDo };

/** Loads the script. */
export function loadModeration() {
  return import('./moderation.js');
}

/**
 * Opens the page of moderators.
 *
 * @param {import('./routes.js').PageContext} context
 * @returns {import('./routes.js').Page}
 */
export function openModeration(context) {
  const { lobby, errors } = words();
  const node = el('div', {}, plainPage(lobby.loading, '', []));
  /** @type {import('./routes.js').Page | undefined} */
  let page;
  let isClosed = false;
  const ready = loadModeration().then(({ moderation }) => {
    if (isClosed) return;
    page = moderation.openPage(context, API_TOOLS);
    node.replaceChildren(page.node);
  }, () => node.replaceChildren(plainPage(errors.noScript, errors.noScriptHint, [])));
  return {
    node, ready, close() {
      isClosed = true;
      page?.close();
    },
  };
}

/**
 * Asks what to report of a player, and sends it.
 *
 * @param {Pick<import('./routes.js').PageContext, 'frame' | 'connection' | 'account'>} context
 * @param {{ name: string, player: string }} who `player`: a handle or an identity.
 * @param {{ game?: string, room?: string, line?: number, code?: string }} [matter] What the report is about.
 */
export async function reportLater(context, who, matter) {
  try {
    const { moderation } = await loadModeration();
    await moderation.reportPlayer(context, API_TOOLS, who, matter);
  } catch {
    context.frame.toast(words().errors.noScriptHint);
  }
}

/**
 * An action of a moderator, or of the server itself, about the player, in a sentence.
 *
 * @param {{ kind: string, reason: string, until?: number }} told
 * @returns {string}
 */
export function moderatedText({ kind, reason, until }) {
  const { moderated, moment } = words().accounts;
  const done = moderated.kinds[kind] ?? moderated.other;
  return moderated.sentence(done, until === undefined ? '' : moment(until), reason);
}
