// Adjourned games: the request, the answers, and the players who are ready to go on. Part of the script of manners.js.

import { adjournOf, missingSeats } from '../model/adjourn.js';
import { refusedText, words } from '../text/words.js';
import { nameOf, whoOf } from './gameview.js';

/** @typedef {import('./game.js').GamePage} GamePage */
/** @typedef {import('./gamestrip.js').Strip} Strip */

/** Refusals that say only that the game has gone on. */
const ADJOURN_LATE_CODES = new Set(['no_adjourn_request', 'not_adjourned', 'already_ready', 'game_over']);

/**
 * Whether the player can ask to adjourn the game, or agree to it, as far as the page knows.
 *
 * @param {GamePage} page
 * @returns {boolean}
 */
export function canAdjourn({ table }) {
  const { clock } = table.setup.options;
  const isLive = clock && clock.kind !== 'untimed' && !(clock.kind === 'per_move' && (clock.limit_ms ?? 0) >= 3_600_000);
  const { request, sleep } = adjournOf(table);
  return Boolean(isLive) && table.phase === 'running' && !table.window && !sleep && request?.seat !== table.seat;
}

/**
 * @param {GamePage} page
 * @param {'adjourn' | 'answer_adjourn' | 'resume_game'} op
 * @param {object} [fields]
 */
export async function sendAdjourn(page, op, fields = {}) {
  try {
    await page.command(op, fields);
  } catch (/** @type {any} */ refused) {
    if (!page.isClosed && !ADJOURN_LATE_CODES.has(refused?.code)) page.frame.toast(refusedText(refused ?? {}));
  }
}

/**
 * The strip of an adjourned game, or of a request to adjourn it.
 *
 * @param {GamePage} page
 * @returns {Strip | undefined}
 */
export function adjournStrip(page) {
  const { request, sleep } = adjournOf(page.table);
  if (sleep) return stripOfSleep(page, sleep);
  return request && stripOfRequest(page, request);
}

/**
 * @param {GamePage} page
 * @param {import('../model/adjourn.js').AdjournRequest} request
 * @returns {Strip | undefined}
 */
function stripOfRequest(page, request) {
  const { manners: texts } = words();
  const { table } = page;
  if (page.connection.serverNow() >= request.until) return undefined;
  const isAsked =
    table.seat !== undefined &&
    table.seats[table.seat].retired === undefined &&
    ![request.seat, ...request.agreed].includes(table.seat);
  const answer = (/** @type {boolean} */ agree) => () => void sendAdjourn(page, 'answer_adjourn', { agree });
  return {
    view: {
      tone: 'window asks',
      say: texts.news.adjourn_requested(whoOf(table, request.seat)),
      more: isAsked ? texts.adjournWhy : '',
      acts: isAsked
        ? [
            { id: 'adjourn-yes', label: texts.adjournYes, act: answer(true) },
            { id: 'adjourn-no', label: texts.adjournNo, isFlat: true, act: answer(false) },
          ]
        : [],
    },
    until: request.until,
    isUrgent: isAsked,
  };
}

/**
 * @param {GamePage} page
 * @param {import('../model/adjourn.js').Adjournment} sleep
 * @returns {Strip}
 */
function stripOfSleep(page, sleep) {
  const { manners: texts, game } = words();
  const { table } = page;
  const missing = missingSeats(table, sleep);
  const isOver = page.connection.serverNow() >= sleep.until;
  const isReady = table.seat !== undefined && sleep.ready.includes(table.seat);
  const acts = [];
  if (table.seat !== undefined && missing.includes(table.seat))
    acts.push({ id: 'resume', label: texts.resume, act: () => void sendAdjourn(page, 'resume_game') });
  if (isOver && isReady && missing.length)
    acts.push({ id: 'claim', label: game.claim, act: () => void page.send.claim(missing[0]) });
  const names = missing.map((seat) => nameOf(table, seat)).join(', ');
  return {
    view: {
      tone: 'window asks',
      say: isOver ? texts.sleepOver : texts.asleep(new Date(sleep.until)),
      more: missing.length ? texts.waitsFor(names) : '',
      acts,
    },
    until: isOver ? sleep.claim_until : undefined,
    isUrgent: true,
  };
}
