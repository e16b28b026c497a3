// The rematch of a game that is over: who wants one, and what the player can do about it.

import { seriesOf } from '../model/series.js';
import { plainText } from '../text/rich.js';
import { refusedText, words } from '../text/words.js';
import { showNotification } from '../view/notification.js';
import { nameOf, whoOf } from './gameview.js';

/** How long after the end of a game the button is offered, as servers usually allow. The server decides. */
const REMATCH_MS = 5 * 60_000;
const SLOW_REMATCH_MS = 24 * 60 * 60_000;
const SLOW_LIMIT_MS = 60 * 60_000;

/** @typedef {{ label: string, isGo?: boolean, act: () => void }} Choice */

/** The rematch of one game. */
export class Rematch {
  /** @param {import('./game.js').GamePage} page */
  constructor(page) {
    this.page = page;
    /** The seats that want a rematch. @type {number[]} */
    this.agreed = [];
    /** The last offer's end: why, and the seat that ended it. @type {{ why: string, by?: number } | undefined} */
    this.ended = undefined;
    /** The new game. @type {string | undefined} */
    this.next = undefined;
    this.isUnanswered = false;
    this.isRefused = false;
  }

  /** @param {any} body The push `rematch` about this game. */
  take(body) {
    const wasOffered = this.agreed.length > 0;
    this.agreed = body.agreed ?? [];
    this.ended = body.end && { why: body.end, by: body.by };
    this.next = body.next ?? this.next;
    const { page } = this;
    const text = plainText(this.note);
    if (text) page.frame.announce(text);
    if (this.isAsked && !wasOffered) {
      page.sounds.play('turn');
      showNotification(page.frame.settings, text, () => page.frame.go(`/games/${encodeURIComponent(page.game)}`));
    }
    page.changed();
  }

  /** Whether another player waits for this one's answer. */
  get isAsked() {
    const { seat } = this.page.table;
    return seat !== undefined && this.agreed.length > 0 && !this.agreed.includes(seat);
  }

  /** Whether it is too late for a new offer. */
  get isTooLate() {
    const { history, connection, table } = this.page;
    if (this.isRefused) return true;
    if (this.agreed.length > 0 || history.endedAt === undefined) return false;
    const { clock } = table.setup.options;
    const isSlow = clock?.kind === 'per_move' && (clock.limit_ms ?? 0) >= SLOW_LIMIT_MS;
    return connection.serverNow() - history.endedAt > (isSlow ? SLOW_REMATCH_MS : REMATCH_MS);
  }

  get hasAgreed() {
    const { seat } = this.page.table;
    return seat !== undefined && this.agreed.includes(seat);
  }

  /** The note about the rematch. @returns {import('../text/rich.js').Part[]} */
  get note() {
    const texts = words().record.rematches;
    const { table } = this.page;
    const [first] = this.agreed;
    if (this.hasAgreed) return [texts.waiting(this.#others())];
    if (this.isAsked) return texts.wanted(whoOf(table, first));
    if (this.ended && this.ended.by !== table.seat)
      return this.ended.by === undefined ? [texts.expired] : texts.over(whoOf(table, this.ended.by), this.ended.why);
    return [];
  }

  /** The score of the series, if the game is a rematch. */
  get series() {
    const { table } = this.page;
    const series = seriesOf(table);
    if (!series) return '';
    const scores = series.points.map((points, seat) => `${nameOf(table, seat)} ${pointsText(points)}`);
    return words().record.rematches.series(series.number, scores);
  }

  /** The names of the players who have not agreed. */
  #others() {
    const { table } = this.page;
    const missing = table.seats.flatMap((_, seat) => (this.agreed.includes(seat) ? [] : [nameOf(table, seat)]));
    return words().game.list(missing);
  }

  /** The choices of the player, or of a spectator. @returns {Choice[]} */
  get choices() {
    const { rematches } = words().record;
    const { page, next } = this;
    if (next !== undefined && !page.isPlayer) {
      const code = page.code ? `#code=${encodeURIComponent(page.code)}` : '';
      const path = `/games/${encodeURIComponent(next)}${code}`;
      return [{ label: rematches.watch, isGo: true, act: () => page.frame.go(path) }];
    }
    if (!page.isPlayer || next !== undefined) return [];
    if (this.isTooLate) return [{ label: rematches.playAgain, isGo: true, act: () => void playAgain(page) }];
    if (this.hasAgreed) return [{ label: rematches.takeBack, act: () => void this.decline() }];
    const offer = { label: this.isAsked ? rematches.agree : rematches.offer, isGo: true, act: () => void this.offer() };
    return this.isAsked ? [offer, { label: rematches.decline, act: () => void this.decline() }] : [offer];
  }

  offer() {
    return this.#send(() => this.page.seeking.rematch(this.page.game, this.page.code));
  }

  decline() {
    return this.#send(() => this.page.command('decline_rematch'));
  }

  /** @param {() => Promise<unknown>} act */
  async #send(act) {
    if (this.isUnanswered) return;
    // One that waited for a connection could be sent when the player no longer wants it.
    if (this.page.connection.state.state !== 'open') return void this.page.frame.toast(words().lobby.bar.notConnected);
    this.isUnanswered = true;
    try {
      await act();
    } catch (/** @type {any} */ refused) {
      this.isRefused = refused?.code === 'rematch_too_late' || refused?.code === 'rematch_begun';
      if (!this.page.isClosed && refused?.code !== 'no_rematch') this.page.frame.toast(refusedText(refused ?? {}));
    }
    this.isUnanswered = false;
    this.page.changed();
  }
}

/**
 * Points with a half as players write them.
 *
 * @param {number} points
 */
function pointsText(points) {
  const whole = Math.floor(points);
  if (whole === points) return String(points);
  return whole === 0 ? '½' : `${whole}½`;
}

/**
 * Offers the same game once more, to anybody, or to the same house bots.
 *
 * @param {import('./game.js').GamePage} page
 */
async function playAgain(page) {
  const { setup } = page.table;
  const bots = setup.seats.flatMap((/** @type {any} */ seat) =>
    seat.bot ? [botLevelOf(page, seat.name) ?? ''] : [],
  );
  const level = page.table.seat === undefined ? undefined : setup.seats[page.table.seat].level;
  const wish = { options: setup.options, level };
  try {
    if (bots.length === setup.seats.length - 1 && bots.every(Boolean)) await page.seeking.offer(wish, { bots });
    else {
      await page.seeking.find(wish);
      page.frame.go('/');
    }
  } catch {
    page.frame.go('/');
  }
}

/**
 * The level of a house bot, by its name.
 *
 * @param {import('./game.js').GamePage} page
 * @param {string} name
 * @returns {string | undefined}
 */
function botLevelOf(page, name) {
  const bots = /** @type {string[]} */ (page.connection.hello?.bots ?? []);
  return bots.find((level) => name.toLowerCase().includes(level.toLowerCase()));
}
