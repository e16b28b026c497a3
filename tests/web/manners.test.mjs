// Silent players: the nudge on the table, in the strip, in "More" and in the news.

import assert from 'node:assert/strict';
import test from 'node:test';
import { openNudge } from '../../server/web/src/model/nudge.js';
import { emptyTable, takeSnapshot, takeWaiting } from '../../server/web/src/model/table.js';
import * as manners from '../../server/web/src/page/manners.js';
import { newsOf } from '../../server/web/src/page/gamenews.js';
import { stripOf } from '../../server/web/src/page/gamestrip.js';
import { pagesEn } from '../../server/web/src/text/pages-en.js';
import { plainText } from '../../server/web/src/text/rich.js';
import { addEnglish } from '../../server/web/src/text/words.js';
import { Story, snapshotOf } from './support.mjs';

const CLOCKS = { main_ms: [1_500_000, 1_500_000], allowance_ms: [0, 0] };
const CLAIM_AT = 300_000;

/** A game in which `target` is on turn and has just been asked. */
function nudged(target, more = {}) {
  const story = new Story();
  for (const seat of [0, 1]) story.take({ kind: 'seat_ready', seat });
  story.turn(1, target);
  story.take({ kind: 'nudged', seat: 1 - target, target, claim_at: CLAIM_AT, ...more });
  return story;
}

/** A page that shows this table at a time of the server. */
function pageOf(table, now = 0) {
  const sent = [];
  const told = [];
  const connection = { serverNow: () => now };
  const command = async (op, body) => {
    sent.push(op);
    page.bodies.push({ game: table.game, ...body });
    const refusal = connection.refusal;
    if (refusal) throw refusal;
  };
  const send = { other: undefined, claim: (seat) => sent.push(`claim ${seat}`) };
  const frame = { toast: (text) => told.push(text) };
  const page = { manners, command, bodies: [], game: table.game, table, shown: table, send, connection, frame, sent, told, isLooking: false, isPlayer: true, isNarrow: () => false };
  return page;
}

test('the player who is asked has a button, and the time that is left', () => {
  const { table } = nudged(0);
  const page = pageOf(table);
  const { view, until } = stripOf(page);
  assert.match(plainText(view.say), /asks whether you are still there$/);
  assert.deepEqual([until, view.acts.map(({ label }) => label)], [CLAIM_AT, ['I’m here']]);
  view.acts[0].act();
  assert.deepEqual(page.sent, ['here']);
});

test('the player who asks can claim when the time has come', () => {
  const { table } = nudged(1);
  const early = stripOf(pageOf(table, CLAIM_AT - 1));
  assert.match(plainText(early.view.say), /^You ask whether .* is still there$/);
  assert.deepEqual([early.until, early.view.acts], [CLAIM_AT, []]);
  const page = pageOf(table, CLAIM_AT);
  const late = stripOf(page);
  late.view.acts[0].act();
  assert.deepEqual([late.until, page.sent], [undefined, ['claim 1']]);
  assert.equal(manners.claimableSeat(page), 1);
});

test('by correspondence a nudge has no time', () => {
  const { view, until } = stripOf(pageOf(nudged(1, { claim_at: undefined }).table, CLAIM_AT));
  assert.deepEqual([until, view.acts, view.more], [undefined, [], '']);
});

test('a nudge ends with the answer and with the turn, and moves with an outage', () => {
  const ends = (end) => {
    const story = nudged(1);
    story.take({ kind: 'clock_credited', stopped_at: 1000, resumed_at: 3000, clocks: CLOCKS });
    assert.equal(openNudge(story.table).claim_at, CLAIM_AT + 2000);
    const again = emptyTable(story.table.game, story.table.identity);
    takeSnapshot(again, snapshotOf(story.table));
    assert.deepEqual(openNudge(again), openNudge(story.table));
    end(story);
    assert.equal(openNudge(story.table), undefined);
  };
  ends((story) => story.take({ kind: 'nudge_answered', seat: 1 }));
  ends((story) => story.take({ kind: 'passed', turn_no: 1, seat: 1 }));
  ends((story) => story.take({ kind: 'seat_retired', seat: 1, reason: 'abandoned' }));
  ends((story) => story.turn(2, 0));
});

test('only a silent opponent can be asked', () => {
  const story = new Story();
  for (const seat of [0, 1]) story.take({ kind: 'seat_ready', seat });
  const seatOf = () => manners.nudgeableSeat(pageOf(story.table));
  assert.equal(seatOf(), undefined, 'no turn');
  story.turn(1, 0);
  assert.equal(seatOf(), undefined, 'the own turn');
  story.turn(2, 1);
  assert.equal(seatOf(), 1);
  story.take({ kind: 'nudged', seat: 0, target: 1 });
  assert.equal(seatOf(), undefined, 'asked already');
});

test('a refusal says how long to wait', async () => {
  addEnglish({ pages: pagesEn });
  const page = pageOf(nudged(1).table, 100_000);
  const refuse = async (refusal) => {
    page.connection.refusal = refusal;
    await manners.sendNudge(page);
    return page.told.pop();
  };
  assert.match(await refuse({ code: 'cannot_nudge', detail: { until: 230_000 } }), /in 2 min, 10 sec if/);
  assert.equal(await refuse({ code: 'cannot_nudge' }), pagesEn.codes.cannot_nudge);
  assert.equal(await refuse({ code: 'nudges_used' }), pagesEn.codes.nudges_used);
  assert.equal(await refuse({ code: 'no_nudge' }), undefined, 'the game has gone on');
});

test('the news says who asks and who answers', () => {
  const story = nudged(1);
  assert.match(plainText(newsOf(story.table, story.table.said)), /^You ask whether/);
  story.take({ kind: 'nudge_answered', seat: 1 });
  assert.match(plainText(newsOf(story.table, story.table.said)), /is still there$/);
});

/** A game with a clock in which seat 1 is on turn. */
function timed(options) {
  const story = new Story({ options });
  for (const seat of [0, 1]) story.take({ kind: 'seat_ready', seat });
  story.turn(1, 1);
  return story;
}

test('a player gives an opponent time in a casual game with a clock', () => {
  const labels = (options) => manners.mannersItems(pageOf(timed(options).table)).map(({ label }) => label);
  const clock = { kind: 'increment', initial_ms: 600_000, increment_ms: 5000 };
  assert.match(labels({ clock })[1], /^Give .* 15 seconds$/);
  assert.match(labels({ clock: { kind: 'per_move', limit_ms: 60_000 } })[1], /one move’s extra time$/);
  for (const options of [{ clock, rated: true }, { clock: { kind: 'untimed' } }]) assert.ok(!labels(options).some((label) => label.startsWith('Give')));
  const page = pageOf(timed({ clock }).table);
  manners.mannersItems(page)[1].act();
  assert.deepEqual([page.sent, page.bodies], [['give_time'], [{ game: 'g1', seat: 1, time_ms: 15_000 }]]);
});

test('time goes to an opponent on turn, or to the next one', () => {
  const clock = { kind: 'increment', initial_ms: 600_000, increment_ms: 5000 };
  const story = new Story({ seats: ['anna', 'ben', 'carla'], options: { clock } }, 'carla');
  for (const seat of [0, 1, 2]) story.take({ kind: 'seat_ready', seat });
  const page = pageOf(story.table);
  assert.equal(manners.receivingSeat(page), undefined, 'no turn');
  manners.sendTime(page, 15);
  assert.deepEqual([page.sent, page.told.length], [[], 1], 'the page says that it cannot be');
  story.turn(1, 1);
  assert.equal(manners.receivingSeat(page), 1);
  story.turn(2, 2);
  assert.equal(manners.receivingSeat(page), 0);
  story.take({ kind: 'seat_retired', seat: 0, reason: 'resigned' });
  assert.equal(manners.receivingSeat(page), 1);
});

test('a turn that waited is charged without the time that was given', () => {
  const clock = { kind: 'sudden_death', initial_ms: 1_500_000 };
  const story = new Story({ seats: ['anna', 'ben', 'carla'], options: { clock } });
  for (const seat of [0, 1, 2]) story.take({ kind: 'seat_ready', seat });
  story.turn(1, 1);
  const clocks = { main_ms: [1_500_000, 1_515_000, 1_500_000], allowance_ms: [0, 0, 0] };
  story.take({ kind: 'time_given', seat: 2, target: 1, time_ms: 15_000, clocks });
  const main = [1_500_000, 1_514_000, 1_500_000];
  takeWaiting(story.table, { until: 9000, clocks: { ...clocks, main_ms: main } });
  story.take({ kind: 'passed', turn_no: 1, seat: 1 });
  assert.equal(story.table.turns.at(-1).usedMs, 1000);
});

test('a player who was given time can refuse more', () => {
  const story = timed({ clock: { kind: 'increment', initial_ms: 600_000, increment_ms: 5000 } });
  const page = pageOf(story.table);
  const clocks = { ...CLOCKS, main_ms: [615_000, 600_000] };
  const event = story.take({ kind: 'time_given', seat: 1, target: 0, time_ms: 15_000, clocks });
  assert.deepEqual(story.table.clocks, clocks);
  assert.match(plainText(newsOf(story.table, story.table.said)), /gave you 15 sec$/);
  const refusal = () => manners.mannersItems(page).find(({ label }) => label.startsWith('Don’t accept extra time'));
  assert.equal(refusal(), undefined, 'nobody gave time');
  manners.hearManners(page, event);
  refusal().act();
  assert.deepEqual(page.sent, ['refuse_time']);
  manners.hearManners(page, story.take({ kind: 'time_refused', seat: 0 }));
  assert.equal(refusal(), undefined, 'the player takes none');
  assert.match(plainText(newsOf(story.table, story.table.said)), /^You don’t accept extra time/);
});

test('time from an operator, and a pause', () => {
  const story = timed({ clock: { kind: 'increment', initial_ms: 600_000, increment_ms: 5000 } });
  const page = pageOf(story.table);
  const clocks = { ...CLOCKS, main_ms: [660_000, 600_000] };
  const event = story.take({ kind: 'time_given', seat: 0, target: 0, time_ms: 60_000, clocks });
  assert.deepEqual(story.table.clocks, clocks);
  assert.match(plainText(newsOf(story.table, story.table.said)), /^you got .+ from an operator$/i);
  manners.hearManners(page, event);
  const items = manners.mannersItems(page);
  assert.ok(items.every(({ label }) => !label.startsWith('Don’t accept extra time')), 'it is no gift of a player');
  const stopped = { main_ms: [660_000, 600_000], allowance_ms: [0, 0] };
  story.take({ kind: 'paused', until: 9000, clocks: stopped });
  assert.deepEqual(story.table.clocks, stopped);
  assert.match(plainText(newsOf(story.table, story.table.said)), /operator has paused/);
});

test('a vacation, and its early end', () => {
  const story = timed({ clock: { kind: 'per_move', limit_ms: 259_200_000 } });
  const clocks = { ...CLOCKS, allowance_ms: [0, 345_600_000] };
  story.take({ kind: 'vacation', seat: 1, at: 1000, until: 86_401_000, clocks });
  assert.deepEqual(story.table.clocks, clocks);
  assert.match(plainText(newsOf(story.table, story.table.said)), / is on vacation until /);
  story.take({ kind: 'vacation', seat: 0, at: 2000, until: 2000, clocks });
  assert.match(plainText(newsOf(story.table, story.table.said)), /^you are back from vacation$/i);
});
