// Events in words, for the strip, for screen readers and for notifications; and the sound of each event.

import { plainText, rich } from '../text/rich.js';
import { clockOf, clockText } from '../model/clock.js';
import { unseenOf } from '../model/unseen.js';
import { faceName } from '../view/board.js';
import { shownFace } from '../play/faces.js';
import { rackPlaces } from '../play/draft.js';
import { showNotification } from '../view/notification.js';
import { shownWord } from '../text/rich.js';
import { words } from '../text/words.js';
import { nameOf, whoOf } from './gameview.js';
import { resultTitle } from './gameend.js';

/** @typedef {import('../model/table.js').Table} Table */
/** @typedef {import('../text/rich.js').Part} Part */

/** @type {Record<string, import('../view/sounds.js').SoundName>} */
const NEWS_SOUNDS = {
  play_made: 'play',
  exchanged: 'play',
  challenge_opened: 'challenge',
  challenge_decided: 'challenge',
  ended: 'over',
};

/**
 * An event in a sentence; nothing if there is nothing to say.
 *
 * @param {Table} table After the event.
 * @param {any} event
 * @returns {Part[]}
 */
export function newsOf(table, event) {
  const texts = words().game;
  const who = event?.seat === undefined ? { name: '', you: false } : whoOf(table, event.seat);
  switch (event?.kind) {
    case 'order_drawn':
      return texts.drewFirst(whoOf(table, event.first));
    case 'play_made':
      return texts.played(who, event.words[0]?.[0] ?? '', event.score);
    case 'exchanged':
      return texts.exchanged(who, event.count);
    case 'passed':
      return texts.passed(who);
    case 'turn_lost':
      return newsOfLostTurn(table, who, event.seat);
    case 'hold_started':
      return texts.holds(who);
    case 'challenge_opened':
      return texts.challenges(who, mainWord(table));
    case 'challenge_decided':
      return newsOfVerdict(table, event);
    case 'seat_vanished':
      return texts.vanished(who);
    case 'seat_returned':
      // The player who is back knows it.
      return who.you ? [] : texts.returned(who);
    case 'seat_retired':
      return texts.retired[event.reason]?.(who) ?? texts.retired.abandoned(who);
    case 'ended':
      return rich`${resultTitle(table)}`;
    default:
      return words().manners?.news[event?.kind]?.(who, event, whoOf(table, event.target ?? 0, true)) ?? [];
  }
}

/**
 * The main word of the last play.
 *
 * @param {Table} table
 */
export function mainWord(table) {
  return table.lastPlay?.words[0]?.[0] ?? '';
}

/**
 * A turn that was lost, with the reason if that has just been said.
 *
 * @param {Table} table
 * @param {ReturnType<typeof whoOf>} who
 * @param {number} seat
 * @returns {Part[]}
 */
function newsOfLostTurn(table, who, seat) {
  const texts = words().game;
  const before = table.turns.at(-2);
  const isReason = before?.verdict === 'stands' && before.challenger === seat;
  return isReason
    ? rich`${texts.stands(mainWord(table))}, ${texts.lostTurn(whoOf(table, seat, true))}`
    : texts.lostTurn(who);
}

/**
 * @param {Table} table
 * @param {any} event
 * @returns {Part[]}
 */
function newsOfVerdict(table, event) {
  const texts = words().game;
  const challenger = whoOf(table, event.seat, true);
  if (event.withdrawn) return texts.withdrawn(whoOf(table, table.lastPlay?.seat ?? 0), mainWord(table));
  if (event.upheld) return [texts.upheld(event.bad_words.map(shownWord))];
  const cost =
    event.turn_debt > 0
      ? texts.standsTurn(challenger)
      : event.points?.[0]
        ? texts.standsPoints(whoOf(table, event.points[0].seat, true), event.points[0].points)
        : undefined;
  return cost ? rich`${texts.stands(mainWord(table))}, ${cost}` : texts.stands(mainWord(table));
}

/** Tells what happens, beside what is shown. */
export class GameNews {
  /** @param {import('./game.js').GamePage} page */
  constructor(page) {
    this.page = page;
    /** The thresholds of the own clock that were told. */
    this.told = new Set();
  }

  /** @param {any} event Something that has just happened. */
  take(event) {
    const { page } = this;
    const { table } = page;
    const isOwnPlay = event.kind === 'play_made' && event.seat === table.seat;
    if (NEWS_SOUNDS[event.kind]) page.sounds.play(NEWS_SOUNDS[event.kind]);
    const text = plainText(newsOf(table, event));
    const isWanted = page.frame.settings.get('announce') || event.kind !== 'play_made';
    if (text && isWanted && !isOwnPlay) page.frame.announce(text);
    if (event.kind === 'challenge_opened' && table.window?.author === table.seat)
      page.frame.announce(words().game.withdrawWhy, true);
    if (event.kind === 'turn_started' && event.seat === table.seat) this.#yourTurn();
  }

  #yourTurn() {
    const { page } = this;
    const texts = words().game;
    page.sounds.play('turn');
    page.frame.announce(texts.yourTurn);
    const others = page.table.seats.map((_, seat) => seat).filter((seat) => seat !== page.table.seat);
    showNotification(page.frame.settings, texts.titleYour(texts.list(others.map((seat) => nameOf(page.table, seat)))));
  }

  /**
   * Warns of the own clock at a minute, half a minute and ten seconds.
   *
   * @param {number} now
   */
  clock(now) {
    const { page } = this;
    const { table } = page;
    if (table.seat === undefined || table.phase !== 'running') return;
    const clock = clockOf(table, table.seat, now);
    if (!clock.isRunning || clock.kind === 'untimed') return;
    const left = clock.leftMs + clock.allowanceMs;
    if (left > 61_000) this.told.clear();
    for (const seconds of [10, 30, 60]) {
      if (left > seconds * 1000 || left < (seconds - 3) * 1000 || this.told.has(seconds)) continue;
      this.told.add(seconds);
      page.frame.announce(plainText(words().game.clockLow(whoOf(table, table.seat), seconds)), true);
    }
  }

  /**
   * Reads something out.
   *
   * @param {string} what
   */
  read(what) {
    const text = this.#reading(what);
    if (text) this.page.frame.announce(text, true);
  }

  /** @param {string} what */
  #reading(what) {
    const { table } = this.page;
    if (!table.isKnown) return '';
    if (what === 'clock') return this.#clocks();
    if (what === 'last') return this.#lastPlay();
    if (what === 'rack') return this.#rack();
    if (what === 'pool') return this.#pool();
    return this.page.readStrip();
  }

  #clocks() {
    const { table, connection } = this.page;
    const now = connection.serverNow();
    const all = table.seats.map((_, seat) => {
      const { shownMs, isRunning } = clockOf(table, seat, now);
      return plainText(words().game.clockRead(whoOf(table, seat), clockText(Math.abs(shownMs), words().lobby.clockUnits), isRunning));
    });
    return all.join('. ');
  }

  #lastPlay() {
    const { table } = this.page;
    const { lastPlay } = table;
    if (!lastPlay) return words().game.noPlay;
    const play = words().game.played(whoOf(table, lastPlay.seat), mainWord(table), lastPlay.score);
    return `${plainText(play)}, ${lastPlay.start}`;
  }

  #rack() {
    const { table, hand } = this.page;
    const faces = rackPlaces(hand.draft).flatMap((face) => (face ? [faceName(table.setup, face)] : []));
    return words().game.rackRead(faces.join('; '));
  }

  #pool() {
    const texts = words().game;
    const { table } = this.page;
    const left = unseenOf(table).tiles.filter(({ count }) => count > 0);
    const list = left.map(({ face, count }) => `${face === '?' ? texts.blank : shownFace(face)} ${count}`);
    return texts.poolRead(table.bag, list.join(', '));
  }
}
