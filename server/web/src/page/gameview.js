// The view of a game, computed from the page's state: names, seats, clocks, the primary button, the board.

import { clockOf, clockText, shownDigitChangesIn } from '../model/clock.js';
import { scoreOf } from '../model/table.js';
import { unseenOf } from '../model/unseen.js';
import { startsAcross } from '../play/squares.js';
import { words } from '../text/words.js';
import { ratingStepText, ratingText } from '../view/ratings.js';

/** @typedef {import('../model/table.js').Table} Table */
/** @typedef {import('./game.js').GamePage} GamePage */

const LOW_CLOCK_MS = 60_000;

/**
 * A player in a sentence; the own one is "you".
 *
 * @param {Table} table
 * @param {number} seat
 * @param {boolean} [isInside] Not at the beginning of the sentence.
 * @returns {{ name: string, you: boolean }}
 */
export function whoOf(table, seat, isInside = false) {
  const texts = words().game;
  const you = table.seat === seat;
  return { you, name: you ? (isInside ? texts.youInside : texts.you) : nameOf(table, seat) };
}

/**
 * @param {Table} table
 * @param {number} seat
 */
export function nameOf(table, seat) {
  return table.seats[seat]?.name ?? words().game.seat(seat);
}

/**
 * The seats in the order in which they stand: from the one after the own, the own one last.
 *
 * @param {Table} table
 */
export function seatOrder(table) {
  const { length } = table.seats;
  const last = table.seat ?? length - 1;
  return table.seats.map((_, i) => (last + 1 + i) % length);
}

/**
 * @param {GamePage} page
 * @returns {import('../view/seats.js').SeatView[]}
 */
export function seatViews(page) {
  const texts = words().game;
  const { table, shown, isLooking } = page;
  return shown.seats.map((seat, i) => {
    const isOwn = table.seat === i;
    const about = [];
    const { rating } = table.seats[i];
    const step = page.ratings[i] && ratingStepText(page.ratings[i]);
    const warning = isLooking ? undefined : seatWarning(table, i);
    if (step) about.push(step);
    else if (rating) about.push(ratingText(rating));
    if (isOwn) about.push(texts.yourSeat);
    else if (table.seats[i].bot) about.push(texts.bot);
    const target = table.setup.targets?.[i];
    if (typeof target === 'number') about.push(texts.target(target));
    // A spectator of a delayed game does not see yet who is ready.
    if (table.phase === 'waiting' && delayOf(table) > 0) about.push('');
    else if (table.phase === 'waiting') about.push(seat.ready ? texts.isReady : texts.notReady);
    else if (!isOwn && table.phase !== 'ended') about.push(texts.tiles(seat.rackCount));
    return {
      name: nameOf(table, i),
      href: profileOfSeat(table, i),
      opensTab: page.isPlaying,
      score: isLooking ? seat.score : scoreOf(table, i),
      about: about.filter(Boolean).join(' · '),
      isOwn,
      isOnTurn: shown.onTurn === i && table.phase !== 'ended',
      warning: warning && step ? `${warning} · ${step}` : warning,
      isGone: table.seats[i].retired !== undefined,
    };
  });
}

/**
 * How much later than the players a spectator sees the game, ms; 0 for a player.
 *
 * @param {Table} table
 */
export function delayOf({ seat, setup }) {
  return seat === undefined ? (setup.options.spectators?.delay_ms ?? 0) : 0;
}

/**
 * The path of an opponent's profile. Guests and house bots have none.
 *
 * @param {Table} table
 * @param {number} seat
 */
function profileOfSeat(table, seat) {
  const { kind } = table.setup.seats[seat] ?? {};
  const hasProfile = kind === 'registered' || kind === 'external_bot';
  return hasProfile && seat !== table.seat ? `/players/${encodeURIComponent(nameOf(table, seat))}` : undefined;
}

/** @param {Table} table @param {number} i */
function seatWarning(table, i) {
  const texts = words().game;
  const seat = table.seats[i];
  if (seat.retired !== undefined) return texts.left[seat.retired] ?? texts.left.abandoned;
  if (table.phase === 'ended') return undefined;
  if (seat.turnDebt > 0) return texts.owes(seat.turnDebt);
  return seat.connected || seat.bot || table.phase === 'waiting' ? undefined : texts.away;
}

/**
 * The clocks of all seats, and when the next digit changes.
 *
 * @param {Table} table
 * @param {number} now On the server.
 * @returns {{ clocks: import('../view/seats.js').ClockView[], nextMs: number }}
 */
export function clockViews(table, now) {
  let nextMs = Infinity;
  const clocks = table.seats.map((_, seat) => {
    const clock = clockOf(table, seat, now);
    if (clock.isRunning)
      nextMs = Math.min(
        nextMs,
        shownDigitChangesIn(clock.allowanceMs > 0 && clock.kind === 'delay' ? clock.allowanceMs : clock.shownMs),
      );
    return clockView(table, seat, clock);
  });
  return { clocks, nextMs };
}

/**
 * The clocks of an earlier turn, which stand as they were when it began.
 *
 * @param {Table} table
 */
export function clockViewsOfPast(table) {
  return { ...clockViews(table, table.clocks.running?.since ?? 0), nextMs: Infinity };
}

/**
 * @param {Table} table
 * @param {number} seat
 * @param {import('../model/clock.js').SeatClock} clock
 */
function clockView(table, seat, clock) {
  const { game: texts, lobby: { clockUnits: units } } = words();
  const { kind, isRunning, isOvertime, shownMs, allowanceMs } = clock;
  const isUntimed = kind === 'untimed';
  const isDelay = kind === 'delay' && isRunning && allowanceMs > 0;
  // Time that was used has no tenths.
  const time = isUntimed ? clockText(-Math.abs(shownMs), units).replace('-', '') : clockText(shownMs, units);
  const text = isDelay ? `${time} +${Math.ceil(allowanceMs / 1000)}` : time;
  const isOver = isOvertime && table.phase !== 'ended';
  const shown = isUntimed ? texts.thought(time) : text;
  const label = [nameOf(table, seat), shown, isOver && texts.overtime(clock.overtimePenalty)];
  return {
    text,
    label: label.filter(Boolean).join(', '),
    isRunning,
    isOver,
    isLow: table.phase === 'running' && isLowClock(table, clock),
  };
}

/**
 * Whether little time is left: a minute, or less in a quick game.
 *
 * @param {Table} table
 * @param {import('../model/clock.js').SeatClock} clock
 */
export function isLowClock(table, { kind, leftMs, allowanceMs }) {
  if (kind === 'untimed') return false;
  const { initial_ms: initial, limit_ms: limit, bank_ms: bank } = table.setup.options.clock ?? {};
  const whole = kind === 'per_move' ? (limit ?? 0) + (bank ?? 0) : (initial ?? 0);
  return leftMs + (kind === 'delay' ? 0 : allowanceMs) < Math.min(LOW_CLOCK_MS, whole / 4);
}

/**
 * Whether the player on turn has no time left, by this page's count.
 *
 * @param {Table} table
 * @param {number} now
 */
export function isOutOfTime(table, now) {
  if (table.onTurn === undefined || table.phase !== 'running') return false;
  const { kind, leftMs, allowanceMs } = clockOf(table, table.onTurn, now);
  const capMs = kind === 'overtime' ? (table.setup.options.clock?.cap_ms ?? 0) : 0;
  return kind !== 'untimed' && leftMs + capMs <= 0 && allowanceMs <= 0;
}

/**
 * The primary button: what a press of it does now, or why it does nothing.
 *
 * @param {GamePage} page
 * @returns {import('../view/actions.js').PrimaryView}
 */
export function primaryOf(page) {
  const texts = words().game;
  const { table, hand, placement, send, history } = page;
  if (page.isLooking) return { label: texts.toLive(history.behind), isWait: false, act: () => history.live() };
  if (page.offline) return { label: words().lobby.bar.notConnected, isWait: true };
  if (table.phase === 'waiting') return { label: texts.waitsForReady, isWait: true };
  if (send.turn !== undefined) return { label: table.waitingUntil ? texts.turnWaits : texts.sending, isWait: true };
  if (table.onTurn !== table.seat) {
    if (table.onTurn === undefined)
      return { label: table.phase === 'final' ? texts.judged : texts.waitsForReady, isWait: true };
    return { label: texts.otherPlays(whoOf(table, table.onTurn)), isWait: true };
  }
  if (hand.tiles.size === 0) return { label: texts.pass, act: () => void page.acts.pass() };
  if (!placement.ok)
    return { label: texts.errors[placement.code] ?? texts.errors.no_tiles, isWait: true, isFault: true };
  const word = placement.words[0].text;
  const isSure = page.isSure('play');
  return {
    label: isSure ? texts.playSure : texts.play(word),
    points: placement.score,
    isGo: true,
    title: table.window ? texts.acceptsToo : undefined,
    act: () => page.acts.play(placement),
  };
}

/**
 * @param {GamePage} page
 * @returns {import('../view/board.js').BoardView}
 */
export function boardViewOf(page) {
  const { shown, hand, placement, isLooking, isPlayer } = page;
  const drafts = isLooking || !isPlayer ? new Map() : hand.tiles;
  const isWrong = drafts.size > 0 && !placement.ok;
  const badge =
    drafts.size > 0 && placement.ok
      ? {
          square: placement.across ? (placement.words[0].squares.at(-1) ?? 0) : placement.words[0].squares[0],
          score: placement.score,
          across: placement.across,
        }
      : undefined;
  return {
    setup: shown.setup,
    layout: shown.layout,
    start: shown.start,
    board: shown.board,
    drafts,
    badge,
    lastPlay: lastPlaySquares(shown),
    isOff: shown.lastPlay?.off,
    faults: isWrong && !placement.ok && placement.code === 'occupied' ? placement.squares : [],
    cursor: isLooking ? undefined : hand.cursor,
    picked: hand.picked?.square,
  };
}

/**
 * The squares of the last turn's main word, if it was a play that lies on the board.
 *
 * @param {Table} table
 * @returns {number[]}
 */
function lastPlaySquares({ lastPlay, cols }) {
  if (!lastPlay?.start || lastPlay.off || lastPlay.squares.length === 0) return [];
  const step = startsAcross(lastPlay.start) ? 1 : cols;
  const first = lastPlay.squares[0][0] - step * lastPlay.tiles.findIndex((face) => face !== '.');
  return lastPlay.tiles.map((_, i) => first + i * step);
}

/**
 * The unseen tiles with a line about where they are.
 *
 * @param {Table} table
 */
export function unseenView(table) {
  const texts = words().game;
  const { tiles, all, bag, others, withheld } = unseenOf(table);
  if (others.length === 0 && withheld === 0) return { tiles, about: texts.inBag(bag) };
  const racks = others.map(({ seat, count }) => ({ name: nameOf(table, seat), count }));
  return { tiles, about: texts.unseenCount(all, bag, racks, withheld) };
}

/**
 * The head of the scoresheet.
 *
 * @param {Table} table
 */
export function sheetAbout(table) {
  const texts = words().game;
  if (table.onTurn === undefined) return texts.turns(table.turns.length);
  const number = table.turns.length + 1;
  return table.onTurn === table.seat
    ? texts.turnYours(number)
    : texts.turnNamed(number, nameOf(table, table.onTurn));
}

/**
 * A game in a few words: rules, clock and challenges.
 *
 * @param {Table} table
 * @returns {[string, string]} The name of the rules and the rest.
 */
export function gameAbout(table) {
  const { setup, ruleSets } = words().lobby;
  const { rule_set: rules, options } = table.setup;
  const rest = [options.clock && setup.clock(options.clock), options.challenge && setup.challenge(options.challenge)];
  const { delay_ms: delay, racks } = options.spectators ?? {};
  if (delay) rest.push((racks ? setup.spectatorsRacks : setup.spectators)(words().lobby.duration(delay)));
  if (options.rated) rest.push(setup.rated);
  if (options.hints) rest.push(setup.hints(options.hints));
  if (table.setup.series) rest.push(words().game.inSeries(table.setup.series.number));
  return [ruleSets[options.rule_set] ?? rules.name, rest.filter(Boolean).join(', ')];
}
