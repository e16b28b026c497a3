// Exchanges between players beside the play: a nudge, time for an opponent, calling a rated game off, and hints. A script of its
// own, since most games need none of it.

import { openNudge } from '../model/nudge.js';
import { mannersEn } from '../text/manners-en.js';
import { plainText } from '../text/rich.js';
import { addEnglish, refusedText, words } from '../text/words.js';
import { addMannersStyle } from '../view/mannersstyle.js';
import { showNotification } from '../view/notification.js';
import { adjournOf } from '../model/adjourn.js';
import { adjournStrip, canAdjourn, sendAdjourn } from './adjourn.js';
import { hintInTurn } from './hint.js';
import { nameOf, seatOrder, whoOf } from './gameview.js';

addEnglish({ manners: mannersEn });
addMannersStyle();

/** @typedef {import('./game.js').GamePage} GamePage */
/** @typedef {import('./gamestrip.js').Strip} Strip */

/** The pages whose player was given time and can refuse more. @type {WeakSet<GamePage>} */
const MANNERS_GIVEN = new WeakSet();
/** The time that a player gives at once, in a game without a limit for each move. */
const GIFT_SECONDS = 15;

/** Refusals that say only that the game has gone on. */
const MANNERS_LATE_CODES = new Set(['no_nudge', 'game_over']);

/**
 * The strip while somebody asks something, if anybody does.
 *
 * @param {GamePage} page
 * @returns {Strip | undefined}
 */
export function mannersStrip(page) {
  return adjournStrip(page) ?? stripOfNudge(page) ?? stripOfAbort(page);
}

/**
 * The parts of the strip about hints in the own turn, in a game that has any.
 *
 * @param {GamePage} page
 * @returns {ReturnType<typeof hintInTurn> | undefined}
 */
export function mannersHint(page) {
  return page.table.setup.options.hints ? hintInTurn(page) : undefined;
}

/**
 * Tells the player of a question that has just come, and notes that the player was given time.
 *
 * @param {GamePage} page
 * @param {any} event
 */
export function hearManners(page, event) {
  const { table } = page;
  const isGift = event.kind === 'time_given' && event.seat !== event.target; // Else, an operator gave it.
  if (isGift && event.target === table.seat) MANNERS_GIVEN.add(page);
  if (event.kind === 'time_refused' && event.seat === table.seat) MANNERS_GIVEN.delete(page);
  if (event.kind !== 'nudged' || event.target !== table.seat) return;
  page.sounds.play('turn');
  const text = plainText(nudgeText(table, event));
  showNotification(page.frame.settings, text, () => page.frame.go(`/games/${encodeURIComponent(page.game)}`));
}

/**
 * The player who can be asked whether the player is still there.
 *
 * @param {GamePage} page
 * @returns {number | undefined} The seat.
 */
export function nudgeableSeat({ table }) {
  const { onTurn, phase, seat } = table;
  if (phase !== 'running' || onTurn === undefined || onTurn === seat) return undefined;
  return table.seats[onTurn].bot || openNudge(table) ? undefined : onTurn;
}

/**
 * The seat that the player could claim, now or later.
 *
 * @param {GamePage} page
 * @returns {number | undefined}
 */
export function claimableSeat({ table }) {
  const away = table.seats.findIndex(({ claimAt }, seat) => claimAt !== undefined && seat !== table.seat);
  return away >= 0 ? away : openNudge(table)?.target;
}

/**
 * The player's actions beside playing, as items of a menu.
 *
 * @param {GamePage} page The page of a player in a game that goes on.
 * @returns {{ label: string, act: () => void }[]}
 */
export function mannersItems(page) {
  const texts = words().manners;
  const { table } = page;
  const items = [];
  const silent = nudgeableSeat(page);
  if (silent !== undefined)
    items.push({ label: texts.ask(nameOf(table, silent)), act: () => void sendNudge(page) });
  const seat = receivingSeat(page);
  if (seat !== undefined) {
    const limit = table.setup.options.clock?.kind === 'per_move' ? undefined : GIFT_SECONDS;
    items.push({ label: texts.give(nameOf(table, seat), limit), act: () => void sendTime(page, limit) });
  }
  if (canAdjourn(page)) items.push({ label: texts.adjourn, act: () => void askToAdjourn(page) });
  if (MANNERS_GIVEN.has(page)) items.push({ label: texts.refuse, act: () => void sendRefusal(page) });
  return items;
}

/**
 * The seat that gets time from the player: an opponent on turn, else the next one. House bots need none.
 *
 * @param {GamePage} page
 * @returns {number | undefined} Nothing if no time can be given in this game now.
 */
export function receivingSeat({ table }) {
  const { phase, seat, onTurn, seats } = table;
  const { rated, clock } = table.setup.options;
  if (rated || phase !== 'running' || seat === undefined || (clock?.kind ?? 'untimed') === 'untimed') return undefined;
  if (adjournOf(table).sleep) return undefined;
  const opponents = seatOrder(table).filter((i) => i !== seat && !seats[i].bot && seats[i].retired === undefined);
  return opponents.find((i) => i === onTurn) ?? opponents[0];
}

/**
 * Gives time to an opponent.
 *
 * @param {GamePage} page
 * @param {number | undefined} seconds Nothing for one limit.
 */
export function sendTime(page, seconds) {
  const seat = receivingSeat(page);
  if (seat === undefined) return void page.frame.toast(refusedText({ code: 'cannot_give_time' }));
  const amount = seconds === undefined ? {} : { time_ms: seconds * 1000 };
  return sendManners(page, 'give_time', { seat, ...amount });
}

/** @param {GamePage} page Takes no time from others in this game. */
export function sendRefusal(page) {
  return sendManners(page, 'refuse_time');
}

/** @param {GamePage} page Asks the others to adjourn the game. */
export function askToAdjourn(page) {
  return sendAdjourn(page, 'adjourn');
}

/**
 * Answers such a question.
 *
 * @param {GamePage} page
 * @param {boolean} agree
 */
export function answerAdjourn(page, agree) {
  return sendAdjourn(page, 'answer_adjourn', { agree });
}

/** @param {GamePage} page Says that the player is ready to go on. */
export function resumeGame(page) {
  return sendAdjourn(page, 'resume_game');
}

/** @param {GamePage} page Asks whether the player on turn is still there. */
export function sendNudge(page) {
  return sendManners(page, 'nudge');
}

/** @param {GamePage} page Answers such a question. */
export function sendHere(page) {
  return sendManners(page, 'here');
}

/**
 * @param {GamePage} page
 * @param {'nudge' | 'here' | 'give_time' | 'refuse_time'} op
 * @param {{ seat: number, time_ms?: number }} [body]
 */
async function sendManners(page, op, body) {
  try {
    await page.command(op, body);
  } catch (/** @type {any} */ refused) {
    if (page.isClosed || MANNERS_LATE_CODES.has(refused?.code)) return;
    const until = refused?.code === 'cannot_nudge' ? refused.detail?.until : undefined;
    const texts = words().manners;
    page.frame.toast(
      until === undefined
        ? refusedText(refused ?? {})
        : texts.tooEarly(words().lobby.duration(until - page.connection.serverNow())),
    );
  }
}

/**
 * @param {import('../model/table.js').Table} table
 * @param {{ seat: number, target: number }} nudge
 */
function nudgeText(table, nudge) {
  return words().manners.news.nudged(whoOf(table, nudge.seat), nudge, whoOf(table, nudge.target, true));
}

/**
 * A player is asked whether the player is still there.
 *
 * @param {GamePage} page
 * @returns {Strip | undefined}
 */
function stripOfNudge(page) {
  const { manners: texts, game } = words();
  const { table } = page;
  const nudge = openNudge(table);
  if (!nudge) return undefined;
  const { target, claim_at: until } = nudge;
  const say = nudgeText(table, nudge);
  if (target === table.seat) {
    const acts = [{ id: 'here', label: texts.here, act: () => void sendHere(page) }];
    return { view: { tone: 'window asks', say, more: until === undefined ? '' : texts.hereWhy, acts }, until, isUrgent: true };
  }
  // A player who is also away can be claimed for that.
  if (table.seats[target].claimAt !== undefined) return undefined;
  const isPlaying = table.seat !== undefined && table.seats[table.seat].retired === undefined;
  const isTime = isPlaying && until !== undefined && page.connection.serverNow() >= until;
  const claim = { id: 'claim', label: game.claim, act: () => void page.send.claim(target) };
  const more = until === undefined ? '' : (isTime ? game.claimNow : game.claimIn)(isPlaying);
  return {
    view: { tone: 'window asks', say, more, acts: isTime ? [claim] : [] },
    until: isTime ? undefined : until,
  };
}

/**
 * The other player asks to call a rated game off.
 *
 * @param {GamePage} page
 * @returns {Strip | undefined}
 */
function stripOfAbort({ table, send }) {
  const { manners: texts } = words();
  const { abortRequest: request } = table;
  if (!request || table.seat === undefined || request.seat === table.seat) return undefined;
  const isOff = send.other !== undefined;
  return {
    view: {
      tone: 'window asks',
      say: texts.news.abort_requested(whoOf(table, request.seat)),
      more: texts.abortWhy,
      acts: [
        { id: 'abort-yes', label: texts.abortYes, isOff, act: () => void send.answerAbort(true) },
        { id: 'abort-no', label: texts.abortNo, isFlat: true, isOff, act: () => void send.answerAbort(false) },
      ],
    },
    until: request.until,
  };
}
