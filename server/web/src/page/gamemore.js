// The player's actions in a game beside playing: everything without a button of its own, and commands as text.

import { parsePlay } from '../play/notation.js';
import { draftTiles } from '../play/draft.js';
import { typedFaces } from '../play/faces.js';
import { askCommand, askMore } from '../view/moredialogs.js';
import { askToNotify } from '../view/notification.js';
import { words } from '../text/words.js';
import { gameAbout } from './gameview.js';
import { withVanish } from './options.js';
import { loadScript } from './scripts.js';

/** @typedef {import('./game.js').GamePage} GamePage */

const MORE_JUDGEMENTS = ['challenge', 'hold', 'release', 'accept', 'withdraw', 'stand'];

/**
 * Shows everything that has no button of its own.
 *
 * @param {GamePage} page
 */
export function showMore(page) {
  const { game, pages: { more: texts } } = words();
  const { table, acts } = page;
  const isPlaying =
    page.isPlayer &&
    table.phase !== 'ended' &&
    table.seat !== undefined &&
    table.seats[table.seat].retired === undefined;
  const isEarly = table.seats.some((_, seat) => !table.turns.some((turn) => turn.seat === seat));
  const items = [];
  if (isPlaying) items.push({ label: `${texts.command}  /`, act: () => void askForCommand(page) });
  if (table.turns.length) items.push({ label: game.history, act: () => page.history.step('previous') });
  if (table.phase === 'ended')
    for (const kind of ['gcg', 'jsonl'])
      items.push({ label: game.download(kind), act: () => void acts.download(kind) });
  items.push({ label: game.copyLink, act: () => void acts.copyLink() });
  if (isPlaying && !page.frame.settings.get('notify'))
    items.push({ label: texts.notify, act: () => void notifyOfTurns(page) });
  if (isPlaying) items.push(...(page.manners?.mannersItems(page) ?? []));
  table.seats.forEach((seat, number) => {
    if (number === table.seat || seat.bot) return;
    items.push({ label: texts.about(seat.name), act: () => void askAboutSeat(page, number) });
  });
  items.push({ label: game.toLobby, act: () => page.frame.go('/') });
  const abort = isAbortAsked(page) ? texts.abortRated : texts.abort;
  if (isPlaying && isEarly && !hasAskedInVain(page)) items.push({ label: abort, isRisk: true, act: () => void askToAbort(page) });
  if (isPlaying) items.push({ label: texts.resign, isRisk: true, act: () => void askToResign(page) });
  void askMore(page.frame, items, withVanish(gameAbout(table).join(', '), table.setup.options));
}

/**
 * Shows what the player can do about another player of the game.
 *
 * @param {GamePage} page
 * @param {number} seat
 */
async function askAboutSeat(page, seat) {
  const { name, identity, kind } = page.table.setup.seats[seat];
  const script = await loadScript(page.frame, 'people');
  await script?.people.askAbout(page, { name, identity, kind }, { game: page.game });
}

/** @param {GamePage} page Asks for a command, and carries it out. */
export async function askForCommand(page) {
  const text = await askCommand(page.frame, (typed) => runCommand(page, typed, true));
  if (text !== undefined) runCommand(page, text, false);
}

/** @param {GamePage} page */
async function askToResign(page) {
  const { more: texts } = words().pages;
  const text = page.table.seats.length > 2 ? texts.resignMany : texts.resignText;
  if (await page.frame.confirm(texts.resignAsk, text, texts.resign)) await page.send.resign();
}

/** @param {GamePage} page Whether the other player has to agree. */
function isAbortAsked({ table }) {
  return table.setup.options.rated === true && table.phase !== 'waiting';
}

/** @param {GamePage} page Whether the player has asked before, and no request waits. */
function hasAskedInVain({ table }) {
  return table.seat !== undefined && table.seats[table.seat].hasAsked === true && !table.abortRequest;
}

/** @param {GamePage} page */
async function askToAbort(page) {
  const { more: texts } = words().pages;
  if (isAbortAsked(page)) {
    const isSure = await page.frame.confirm(texts.abortRatedAsk, texts.abortRatedText, texts.abortRated);
    if (isSure) await page.send.abort();
    return;
  }
  if (await page.frame.confirm(texts.abortAsk, texts.abortText, texts.abort)) await page.send.abort();
}

/** @param {GamePage} page */
async function notifyOfTurns({ frame }) {
  const { more: texts } = words().pages;
  const isAllowed = await askToNotify();
  if (isAllowed) frame.settings.set('notify', true);
  frame.toast(isAllowed ? texts.notifying : texts.notNotifying);
}

/**
 * Carries out a command as in the terminal client.
 *
 * @param {GamePage} page
 * @param {string} text
 * @param {boolean} onlyCheck
 * @returns {string | undefined} What is wrong with it.
 */
function runCommand(page, text, onlyCheck) {
  const { more: texts } = words().pages;
  const [, verb = '', rest = ''] = /^\s*(\S+)\s*(.*?)\s*$/.exec(text) ?? [];
  const answer = ['abort', 'adjourn'].includes(verb.toLowerCase()) && rest ? ` ${rest.toLowerCase()}` : '';
  const name = verb.toLowerCase() + answer;
  /** @type {Record<string, () => unknown>} */
  const plain = {
    pass: () => page.send.pass(),
    resign: () => askToResign(page),
    abort: () => askToAbort(page),
    'abort yes': () => page.send.answerAbort(true),
    'abort no': () => page.send.answerAbort(false),
    shuffle: () => page.hand.shuffle(),
    nudge: () => page.manners?.sendNudge(page),
    here: () => page.manners?.sendHere(page),
    adjourn: () => page.manners?.askToAdjourn(page),
    'adjourn yes': () => page.manners?.answerAdjourn(page, true),
    'adjourn no': () => page.manners?.answerAdjourn(page, false),
    resume: () => page.manners?.resumeGame(page),
    refuse: () => page.manners?.sendRefusal(page),
    claim: () => page.send.claim(page.manners?.claimableSeat(page) ?? (page.table.seat === 0 ? 1 : 0)),
  };
  if (MORE_JUDGEMENTS.includes(name)) plain[name] = () => page.send.judge(/** @type {'hold'} */ (name));
  if (plain[name] && (!rest || answer)) {
    if (!onlyCheck) plain[name]();
    return undefined;
  }
  if (name === 'give') {
    const isLimit = !rest && page.table.setup.options.clock?.kind === 'per_move';
    const seconds = Number(rest);
    if (!isLimit && !(Number.isInteger(seconds) && seconds >= 5 && seconds <= 60)) return texts.commandSeconds;
    if (!onlyCheck) void page.manners?.sendTime(page, isLimit ? undefined : seconds);
    return undefined;
  }
  const own = page.hand.draft.places.flatMap((tile) => (tile ? [tile.tile] : []));
  if (name === 'exchange' || name === 'x') {
    const tiles = typedFaces(own, rest);
    if (!tiles?.length) return texts.commandTiles;
    if (!onlyCheck) void page.send.exchange(tiles);
    return undefined;
  }
  return runPlayCommand(page, text.trim(), own, onlyCheck);
}

/**
 * @param {GamePage} page
 * @param {string} text
 * @param {string[]} own
 * @param {boolean} onlyCheck
 */
function runPlayCommand(page, text, own, onlyCheck) {
  const { game, pages: { more: texts } } = words();
  const tiles = parsePlay(page.table, own, text);
  if (!(tiles instanceof Map)) {
    return game.errors[tiles.code] ?? (tiles.code === 'tile_not_in_rack' ? texts.commandTiles : texts.commandBad);
  }
  if (onlyCheck) return undefined;
  page.hand.layAll(tiles);
  const { placement } = page;
  const isWhole = draftTiles(page.hand.draft).size === tiles.size;
  if (isWhole && placement.ok && page.table.onTurn === page.table.seat) void page.send.play(placement);
  return undefined;
}
