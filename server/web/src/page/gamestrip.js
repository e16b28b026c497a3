// The text and the buttons of the strip under the board: a challenge window before anything else.

import { clockText, shownMoment } from '../model/clock.js';
import { plainText, rich } from '../text/rich.js';
import { words } from '../text/words.js';
import { mainWord, newsOf } from './gamenews.js';
import { delayOf, isOutOfTime, nameOf, whoOf } from './gameview.js';
import { resultReason, resultTitle } from './gameend.js';

/** @typedef {import('../view/strip.js').StripView} StripView */
/** @typedef {import('../view/strip.js').StripAct} StripAct */
/** @typedef {import('./game.js').GamePage} GamePage */
/** @typedef {import('../model/window.js').ChallengeWindow} ChallengeWindow */
/**
 * With a deadline, on the server's clock. An urgent one stands before the challenge window.
 *
 * @typedef {{ view: StripView, until?: number, wholeMs?: number, isUrgent?: boolean }} Strip
 */

const HOLD_MS = 60_000;
const FINAL_MS = 20_000;

/**
 * The strip as it is now.
 *
 * @param {GamePage} page
 * @returns {Strip}
 */
export function stripOf(page) {
  const texts = words().game;
  const { table } = page;
  if (page.offline) return stripOffline(page.offline);
  if (!table.isKnown) return stripPlain(page.lostText ?? texts.loading);
  if (page.isLooking) return stripOfPast(page);
  if (table.phase === 'ended') return stripOfEnd(page);
  if (table.paused) return { view: { tone: 'window', say: texts.paused, more: texts.pausedWhy, acts: [] } };
  if (table.phase === 'waiting') return stripOfWaiting(page);
  const away = page.manners?.mannersStrip(page) ?? stripOfAway(page);
  if (table.window) {
    const isAsked = canJudge(table, table.window) || table.window.challenger !== undefined;
    return away && (away.isUrgent || !isAsked) ? away : stripOfWindow(page, table.window);
  }
  if (away) return away;
  if (table.waitingUntil !== undefined && table.onTurn !== undefined) {
    const who = whoOf(table, table.onTurn);
    return {
      view: { tone: 'plain', say: texts.turnWaiting(who), more: texts.turnWaitingWhy, acts: [] },
      until: table.waitingUntil,
    };
  }
  return stripOfTurn(page);
}

/**
 * @param {import('../text/rich.js').Part[] | string} say
 * @param {import('../text/rich.js').Part[] | string} [more]
 * @returns {Strip}
 */
function stripPlain(say, more) {
  return { view: { tone: 'plain', say, more, acts: [] } };
}

/**
 * The line about the lost connection stands here, so that nothing under a finger moves.
 *
 * @param {import('../view/frame.js').Line} line
 * @returns {Strip}
 */
function stripOffline({ text, action }) {
  const acts = action ? [{ id: 'connect', label: action.label, act: action.run }] : [];
  return { view: { tone: 'window', say: text, acts } };
}

/**
 * The time that is left, in whole seconds.
 *
 * @param {number} ms
 */
export function stripTime(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return seconds < 3600
    ? `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
    : clockText(seconds * 1000, words().lobby.clockUnits);
}

/** @param {GamePage} page @returns {Strip} */
function stripOfPast(page) {
  const texts = words().game;
  const { history, table } = page;
  const label = table.phase === 'ended' ? texts.replayEnd : texts.toLive(history.behind);
  const [say, more] = pastWords(page);
  return { view: { tone: 'plain', say, more, acts: [{ id: 'live', label, isFlat: true, act: () => history.live() }] } };
}

/**
 * The turn that is looked at.
 *
 * @param {GamePage} page
 * @returns {[import('../text/rich.js').Part[] | string, (import('../text/rich.js').Part[] | string)?]}
 */
function pastWords({ shown, table, history, words: known }) {
  const texts = words().game;
  const turn = shown.turns.at(-1);
  if (!turn) return [texts.atStart];
  const who = whoOf(shown, turn.seat);
  if (turn.kind === 'pass') return [texts.passed(who)];
  if (turn.kind === 'lost') return [texts.lostTurn(who)];
  if (turn.kind === 'exchange') return [texts.exchanged(who, turn.count ?? 0), turn.exchanged?.join(' ')];
  const more = [texts.at(turn.start ?? ''), turn.bonus ? texts.rowBonus(turn.bonus) : '', history.verdictOf(turn)];
  const about = more.filter(Boolean).join(', ');
  const say = texts.played(who, turn.words[0]?.[0] ?? '', turn.score);
  // While a game goes on the server looks up no words.
  return [say, table.phase === 'ended' ? rich`${known.parts(turn)} ${about}` : about];
}

/** @param {GamePage} page @returns {Strip} */
function stripOfEnd(page) {
  const texts = words().game;
  const { table } = page;
  const acts = [{ id: 'link', label: texts.copyLink, isFlat: true, act: () => void page.acts.copyLink() }];
  return {
    view: {
      tone: 'plain',
      // A narrow strip drops a plain space between two parts.
      say: rich`${{ strong: texts.gameOver }}\u00a0${resultTitle(table)}`,
      more: resultReason(table),
      acts,
    },
  };
}

/** @param {GamePage} page @returns {Strip} */
function stripOfWaiting({ table }) {
  const { game: texts, lobby } = words();
  const delayMs = delayOf(table);
  if (delayMs > 0) return stripPlain(texts.delayed, texts.delayedBy(lobby.duration(delayMs)));
  const names = table.seats.flatMap((seat, i) => (seat.ready ? [] : [nameOf(table, i)]));
  return {
    view: { tone: 'plain', say: texts.waiting, more: names.length ? texts.waitingFor(names) : '', acts: [] },
    until: table.readyBy,
  };
}

/**
 * A player who has vanished, and whose game can be claimed.
 *
 * @param {GamePage} page
 * @returns {Strip | undefined}
 */
function stripOfAway(page) {
  const texts = words().game;
  const { table } = page;
  const seat = table.seats.findIndex(({ claimAt }, i) => claimAt !== undefined && i !== table.seat);
  const claimAt = table.seats[seat]?.claimAt;
  if (claimAt === undefined) return undefined;
  const isTime = shownMoment(table, page.connection.serverNow()) >= claimAt;
  const isPlaying = table.seat !== undefined && table.seats[table.seat].retired === undefined;
  const acts = isPlaying && isTime ? [{ id: 'claim', label: texts.claim, act: () => void page.send.claim(seat) }] : [];
  return {
    view: {
      tone: 'window',
      say: texts.vanished(whoOf(table, seat)),
      more: (isTime ? texts.claimNow : texts.claimIn)(isPlaying),
      acts,
    },
    until: isTime ? undefined : claimAt,
  };
}

/**
 * Whether the own seat may still judge the play.
 *
 * @param {import('../model/table.js').Table} table
 * @param {ChallengeWindow} window
 */
export function canJudge({ seat, seats }, window) {
  return (
    seat !== undefined &&
    window.eligible.includes(seat) &&
    !window.accepted.includes(seat) &&
    seats[seat].retired === undefined
  );
}

/**
 * @param {GamePage} page
 * @param {ChallengeWindow} window
 * @returns {Strip}
 */
function stripOfWindow(page, window) {
  const { table } = page;
  if (window.challenger !== undefined) return stripOfConsent(page, window);
  const wholeMs = window.final ? FINAL_MS : table.setup.options.challenge?.window_ms || FINAL_MS;
  const until = window.holder !== undefined ? window.holdUntil : window.closesAt;
  const view = canJudge(table, window) ? stripToJudge(page, window) : stripToWait(page, window);
  return { view, until, wholeMs: window.holder !== undefined ? HOLD_MS : wholeMs };
}

/**
 * @param {GamePage} page
 * @param {ChallengeWindow} window
 * @returns {Strip}
 */
function stripOfConsent({ table, send }, window) {
  const texts = words().game;
  const say = texts.challenges(whoOf(table, window.challenger ?? 0), mainWord(table));
  const until = window.decideBy;
  if (window.author !== table.seat)
    return { view: { tone: 'window', say, more: texts.authorDecides(whoOf(table, window.author)), acts: [] }, until };
  const isOff = send.other !== undefined;
  return {
    view: {
      tone: 'window',
      say,
      more: texts.withdrawWhy,
      acts: [
        { id: 'withdraw', label: texts.withdraw, isOff, act: () => void send.judge('withdraw', window.playId) },
        { id: 'stand', label: texts.stand, isOff, act: () => void send.judge('stand', window.playId) },
      ],
    },
    until,
  };
}

/**
 * The strip of a player who can challenge. A challenge needs a second press.
 *
 * @param {GamePage} page
 * @param {ChallengeWindow} window
 * @returns {StripView}
 */
function stripToJudge(page, window) {
  const texts = words().game;
  const { table, send } = page;
  const { playId } = window;
  const cost = challengeCost(page, window);
  const isSure = page.isSure(`challenge ${playId}`);
  const isHolding = window.holder === table.seat;
  const isOff = send.other !== undefined;
  /** @type {StripAct[]} */
  const acts = [
    {
      id: 'challenge',
      label: isSure ? texts.challengeSure : texts.challenge,
      isSure,
      isOff,
      act: () =>
        page.isSure(`challenge ${playId}`) ? void send.judge('challenge', playId) : page.askSure(`challenge ${playId}`),
    },
  ];
  const canHold = window.holder === undefined && table.seat !== undefined && !window.holdsUsed.includes(table.seat);
  if (isHolding)
    acts.push({ id: 'release', label: texts.release, isOff, act: () => void send.judge('release', playId) });
  else if (canHold) acts.push({ id: 'hold', label: texts.hold, isOff, act: () => void send.judge('hold', playId) });
  acts.push({ id: 'accept', label: texts.accept, isFlat: true, isOff, act: () => void send.judge('accept', playId) });
  if (isSure && page.isNarrow()) acts.length = 1;
  if (isSure) return { tone: 'sure', say: texts.pressAgain[cost] ?? texts.pressAgain.single, acts };
  const holder = window.holder;
  const say =
    holder !== undefined
      ? (page.isNarrow() ? texts.holdsShort : texts.holds)(whoOf(table, holder))
      : page.isNarrow()
        ? texts.playedShort(whoOf(table, window.author), mainWord(table), table.lastPlay?.score ?? 0)
        : texts.played(whoOf(table, window.author), mainWord(table), table.lastPlay?.score ?? 0);
  const perWord = table.setup.options.challenge?.per_word;
  const inFull = perWord ? texts.costWord(texts.costIf[cost]) : texts.costIf[cost];
  const why = page.hasRoomFor(plainText(say).length + (inFull ?? '').length) ? inFull : texts.costShort[cost];
  return { tone: 'window', say, more: why ?? '', acts };
}

/**
 * The cost of a failed challenge, as the key of a text.
 *
 * @param {GamePage} page
 * @param {ChallengeWindow} window
 */
function challengeCost({ table }, window) {
  const kind = table.setup.options.challenge?.kind ?? 'single';
  return window.final && (kind === 'single' || kind === 'double') ? 'final' : kind;
}

/**
 * The strip of everybody else while a play can be challenged.
 *
 * @param {GamePage} page
 * @param {ChallengeWindow} window
 * @returns {StripView}
 */
function stripToWait(page, window) {
  const texts = words().game;
  const { table } = page;
  const played = texts.played(whoOf(table, window.author), mainWord(table), table.lastPlay?.score ?? 0);
  const open = window.eligible.filter((seat) => !window.accepted.includes(seat));
  const about =
    window.holder !== undefined
      ? plainText(texts.holds(whoOf(table, window.holder)))
      : [
          open.length && texts.judging(open.map((seat) => nameOf(table, seat))),
          window.accepted.length && texts.accepted(window.accepted.map((seat) => whoOf(table, seat).name)),
        ]
          .filter(Boolean)
          .join(', ');
  if (table.onTurn !== undefined && table.onTurn === table.seat)
    return { tone: 'plain', say: texts.yourTurn, more: rich`${played}, ${about}`, acts: [] };
  return { tone: 'plain', say: played, more: about, acts: [] };
}

/** @param {GamePage} page @returns {Strip} */
function stripOfTurn(page) {
  const texts = words().game;
  const { table } = page;
  const { onTurn, lastPlay } = table;
  if (onTurn === undefined) return stripPlain(newsOf(table, table.said));
  const isOwn = onTurn === table.seat;
  if (isOutOfTime(table, page.connection.serverNow()))
    return stripPlain(texts.turnOf(whoOf(table, onTurn)), texts.clockZero);
  const say = isOwn ? rich`${{ strong: texts.yourTurn }}` : texts.turnOf(whoOf(table, onTurn));
  const news = newsOf(table, table.said);
  const last = news.length
    ? news
    : lastPlay
      ? texts.played(whoOf(table, lastPlay.seat), mainWord(table), lastPlay.score)
      : [];
  const first = table.board.size === 0 && isOwn ? texts.layFirst : '';
  const hint = isOwn ? page.manners?.mannersHint(page) : undefined;
  return {
    view: {
      tone: 'plain',
      say,
      more: hint?.more ?? (last.length ? last : first || (page.isPlayer ? texts.meanwhile : texts.watching)),
      acts: hint?.acts ?? [],
    },
  };
}
