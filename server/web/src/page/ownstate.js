// Every page tells a player of a pending deletion, and leads a moderator to the reports.

import { callAsPlayer, tryToDo } from './accountparts.js';
import { words } from '../text/words.js';

/** @typedef {import('./routes.js').PageContext} PageContext */

/** How often a moderator's page asks for open reports. */
const OWN_STATE_AGAIN_MS = 60_000;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let ownStateTimer;
const OWN_STATE_WATCHED = new WeakSet();

/**
 * Asks for the account whenever another player begins, once for each page load.
 *
 * @param {Pick<PageContext, 'account' | 'connection' | 'frame'>} context
 */
export function watchOwnState(context) {
  const { account, connection, frame } = context;
  if (OWN_STATE_WATCHED.has(account)) return;
  OWN_STATE_WATCHED.add(account);
  /** @type {string | undefined} */
  let asked;
  const look = async () => {
    const identity = account.kind === 'player' ? connection.identity : undefined;
    if (asked === identity) return;
    asked = identity;
    frame.setLine('erasure');
    frame.bar.setModerator(false);
    clearTimeout(ownStateTimer);
    const me = identity && await callAsPlayer(context, '/me').catch(() => undefined);
    if (!me || asked !== identity) return;
    if (me.roles.includes('moderator')) void countReports(context);
    if (!frame.lines.has('erasure')) showErasure(context, me.erased_at);
  };
  connection.on('welcome', () => void look());
  void look();
}

/**
 * Shows a moderator how many reports are open, and looks again while the page is seen.
 *
 * @param {Pick<PageContext, 'account' | 'connection' | 'frame'>} context
 */
export async function countReports(context) {
  const { account, frame } = context;
  clearTimeout(ownStateTimer);
  const { identity } = account;
  const told = await callAsPlayer(context, '/moderation/reports').catch(() => undefined);
  if (account.identity !== identity) return;
  const reports = /** @type {{ closed?: number }[]} */ (told?.reports ?? []);
  frame.bar.setModerator(true, reports.filter(({ closed }) => closed === undefined).length);
  clearTimeout(ownStateTimer);
  ownStateTimer = setTimeout(() => void countReports(context), OWN_STATE_AGAIN_MS);
}

/**
 * Shows under the bar that the account will be deleted, with a button that cancels that.
 *
 * @param {Pick<PageContext, 'account' | 'connection' | 'frame'>} context
 * @param {number | undefined} erasedAt
 * @param {() => void} [kept] Called when the player has cancelled it.
 */
export function showErasure(context, erasedAt, kept) {
  const { frame } = context;
  const { ownData: texts, date } = words().accounts;
  frame.setLine('erasure');
  if (erasedAt === undefined) return;
  const run = () => void cancelErasure(context).then((isKept) => isKept && kept?.());
  frame.setLine('erasure', texts.due(date(erasedAt)), { label: texts.keep, run });
}

/**
 * @param {Pick<PageContext, 'account' | 'connection' | 'frame'>} context
 * @returns {Promise<boolean>} Whether the account stays.
 */
export async function cancelErasure(context) {
  let isKept = false;
  await tryToDo(context, async () => {
    await callAsPlayer(context, '/account/erasure', { method: 'DELETE' });
    isKept = true;
    context.frame.setLine('erasure');
    context.frame.toast(words().accounts.ownData.kept);
  });
  return isKept;
}
