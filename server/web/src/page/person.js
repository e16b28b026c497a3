// The player's actions about another player, wherever the name appears: see the profile, block, report.

import { el, setAttribute } from '../view/dom.js';
import { words } from '../text/words.js';
import { callAsPlayer, tryToDo } from './accountparts.js';
import { reportLater } from './moderationlater.js';
import { blockAfterAsking } from './relation.js';

/** Names that open the dialog: those of the open offers in the lobby. */
const NAMES_OF_OFFERS = '.lobby .rows-list bdi.name';

/** Whether the names of offers open the dialog: every connection asks for it. */
let isWatchingNames = false;

/**
 * A player. `kind` as in games; without it the server is asked whether the name is a handle. `identity`: without it the name
 * is one.
 *
 * @typedef {{ name: string, identity?: string, kind?: string }} Person
 * @typedef {Pick<import('./routes.js').PageContext, 'frame' | 'connection' | 'account'>} PersonContext
 * @typedef {{ game?: string, room?: string, line?: number, code?: string }} ReportedMatter
 */

/**
 * Shows what the player can do about another one, and does what the player chooses.
 *
 * @param {PersonContext} context
 * @param {Person} person
 * @param {ReportedMatter} [matter] What a report is about.
 */
export async function askAbout(context, person, matter) {
  const { frame, connection } = context;
  const { name, identity } = person;
  const { game, accounts: { person: texts, relations } } = words();
  const isGuest = await isOfGuest(context, person);
  const mayAct = connection.isRegistered;
  /** @type {[string, () => void][]} */
  const items = [];
  const profile = `/players/${encodeURIComponent(name)}`;
  // A player stays in the game.
  const open = () => (matter?.game === undefined ? frame.go(profile) : void window.open(profile, '_blank'));
  if (!isGuest) items.push([texts.profile, open]);
  if (mayAct && !isGuest) items.push([relations.block, () => void blockNamed(context, name)]);
  if (mayAct && (identity !== undefined || !isGuest)) {
    const player = identity ?? name;
    items.push([relations.report, () => void reportLater(context, { name, player }, matter)]);
  }
  const why = !mayAct ? texts.registerFirst : isGuest ? texts.guest : '';
  await chosen(frame, name, why, items, game.close);
}

/**
 * @param {import('../view/frame.js').Frame} frame
 * @param {string} title
 * @param {string} why Why something is not offered.
 * @param {[string, () => void][]} items
 * @param {string} close
 */
async function chosen(frame, title, why, items, close) {
  const over = new AbortController();
  let act = () => {};
  const buttons = items.map(([text, chosenAct]) => el('button', {
    type: 'button', class: 'btn wide', text, onclick: () => {
      act = chosenAct;
      over.abort();
    },
  }));
  const body = el('div', { class: 'more-list' }, why !== '' && el('p', { class: 'small muted', text: why }), ...buttons);
  await frame.dialog({ title, body, actions: [{ label: close, kind: 'flat' }], signal: over.signal });
  act();
}

/**
 * Whether a player has no account.
 *
 * @param {PersonContext} context
 * @param {Person} person
 */
async function isOfGuest(context, { name, kind }) {
  if (kind !== undefined) return kind === 'guest';
  try {
    await callAsPlayer(context, `/players/${encodeURIComponent(name)}`);
    return false;
  } catch (/** @type {any} */ refused) {
    return refused.code === 'unknown_player';
  }
}

/** @param {PersonContext} context @param {string} name */
async function blockNamed(context, name) {
  const { frame } = context;
  await tryToDo(/** @type {any} */ (context), async () => {
    if (await blockAfterAsking(context, name)) frame.toast(words().accounts.relations.blocked(name));
  });
}

/**
 * Makes the names of open offers open the dialog, by press and by key.
 *
 * @param {PersonContext} context
 */
export function watchNames(context) {
  if (isWatchingNames) return;
  isWatchingNames = true;
  const { main } = context.frame;
  const mark = () => {
    for (const name of main.querySelectorAll(NAMES_OF_OFFERS)) {
      if (!name.hasAttribute('role')) markName(/** @type {HTMLElement} */ (name));
    }
  };
  const open = (/** @type {Event} */ event) => {
    const name = /** @type {Element} */ (event.target).closest(NAMES_OF_OFFERS);
    if (!name) return;
    if (event instanceof KeyboardEvent && event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    void askAboutMembers(context, /** @type {any} */ (name).members);
  };
  main.addEventListener('click', open);
  main.addEventListener('keydown', open);
  new MutationObserver(mark).observe(main, { childList: true, subtree: true });
  mark();
}

/** @param {HTMLElement} name */
function markName(name) {
  for (const [attribute, value] of [['role', 'button'], ['tabindex', 0], ['aria-haspopup', 'dialog']]) {
    setAttribute(name, String(attribute), value);
  }
  name.style.cursor = 'pointer';
}

/** @param {PersonContext} context @param {Person[]} members Of an offer, as on the wire. */
async function askAboutMembers(context, members) {
  if (members.length === 1) return askAbout(context, members[0]);
  const { game, accounts: { person: texts } } = words();
  /** @type {[string, () => void][]} */
  const items = members.map((member) => [member.name, () => void askAbout(context, member)]);
  return chosen(context.frame, texts.players, '', items, game.close);
}
