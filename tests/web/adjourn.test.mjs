// Adjourned games: what the table knows, the strip, and "More".

import assert from 'node:assert/strict';
import test from 'node:test';
import { adjournOf, missingSeats } from '../../server/web/src/model/adjourn.js';
import { emptyTable, takeSnapshot } from '../../server/web/src/model/table.js';
import { canAdjourn } from '../../server/web/src/page/adjourn.js';
import * as manners from '../../server/web/src/page/manners.js';
import { withVanish } from '../../server/web/src/page/options.js';
import { newsOf } from '../../server/web/src/page/gamenews.js';
import { isOwnTurn } from '../../server/web/src/view/gamecards.js';
import { stripOf } from '../../server/web/src/page/gamestrip.js';
import { pagesEn } from '../../server/web/src/text/pages-en.js';
import { plainText } from '../../server/web/src/text/rich.js';
import { addEnglish } from '../../server/web/src/text/words.js';
import { Story, snapshotOf } from './support.mjs';

const CLOCKS = { main_ms: [1_500_000, 1_500_000], allowance_ms: [0, 0] };
const UNTIL = 300_000;

/** A game in its first turn, seat 0 on turn and at the page. */
function started() {
  const story = new Story();
  for (const seat of [0, 1]) story.take({ kind: 'seat_ready', seat });
  story.turn(1, 0);
  return story;
}

/** The same game, adjourned. */
function adjourned() {
  const story = started();
  story.take({ kind: 'adjourned', until: UNTIL, claim_until: UNTIL + 1000, clocks: CLOCKS });
  return story;
}

/** A page that shows this table at a time of the server. */
function pageOf(table, now = 0) {
  const sent = [];
  const connection = { serverNow: () => now };
  const command = async (op, { agree }) => void sent.push(agree === undefined ? op : `${op} ${agree}`);
  const send = { other: undefined, claim: (seat) => sent.push(`claim ${seat}`) };
  return { manners, command, table, shown: table, send, connection, frame: {}, sent, isLooking: false, isPlayer: true, isNarrow: () => false };
}

test('an adjourned game is nobody’s turn in the lobby', () => {
  const { table } = started();
  const summary = { seats: table.seats.map(({ identity, name }) => ({ identity, name, score: 0 })) };
  const { identity } = table.seats[0];
  assert.equal(isOwnTurn({ summary, table, identity }), true);
  assert.equal(isOwnTurn({ summary, table: adjourned().table, identity }), false);
});

const labelsOf = (page) => stripOf(page).view.acts.map(({ label }) => label);

test('a request is answered in the strip, and ends with every answer', () => {
  const story = started();
  story.take({ kind: 'adjourn_requested', seat: 1, until: UNTIL });
  const page = pageOf(story.table);
  assert.match(plainText(stripOf(page).view.say), /asks to adjourn the game$/);
  assert.deepEqual(labelsOf(page), ['Adjourn', 'Play on']);
  for (const { act } of stripOf(page).view.acts) act();
  assert.deepEqual(page.sent, ['answer_adjourn true', 'answer_adjourn false']);
  assert.equal(labelsOf(pageOf(story.table, UNTIL)).includes('Adjourn'), false);
  story.take({ kind: 'adjourn_declined', seat: 1, reason: 'refused' });
  assert.deepEqual(adjournOf(story.table), { request: undefined, sleep: undefined });
});

test('the player who asks has no buttons', () => {
  const story = started();
  story.take({ kind: 'adjourn_requested', seat: 0, until: UNTIL });
  assert.deepEqual(labelsOf(pageOf(story.table)), []);
  assert.equal(canAdjourn(pageOf(story.table)), false);
});

test('an adjourned game waits for the players who are not ready', () => {
  const story = adjourned();
  const { table } = story;
  const page = pageOf(table);
  assert.match(plainText(stripOf(page).view.say), /^Adjourned – resume by /);
  assert.deepEqual(labelsOf(page), ['I’m ready']);
  stripOf(page).view.acts[0].act();
  assert.deepEqual(page.sent, ['resume_game']);
  assert.deepEqual(missingSeats(table, adjournOf(table).sleep), [0, 1]);
  story.take({ kind: 'ready_to_resume', seat: 0 });
  assert.deepEqual(labelsOf(pageOf(table)), []);
  assert.deepEqual(missingSeats(table, adjournOf(table).sleep), [1]);
  story.take({ kind: 'not_ready_to_resume', seat: 0 });
  assert.deepEqual(labelsOf(pageOf(table)), ['I’m ready']);
  story.take({ kind: 'resumed', clocks: CLOCKS });
  assert.equal(adjournOf(table).sleep, undefined);
});

test('a game that is put to sleep asks nothing else, and forgets who was away', () => {
  const story = started();
  story.take({ kind: 'seat_vanished', seat: 1, claim_at: 1000 });
  story.take({ kind: 'nudged', seat: 1, target: 0, claim_at: 1000 });
  story.take({ kind: 'abort_requested', seat: 1, until: 1000 });
  story.take({ kind: 'adjourned', until: UNTIL, claim_until: UNTIL + 1000, vanished: 1, clocks: CLOCKS });
  const { table } = story;
  assert.deepEqual([table.abortRequest, table.nudge], [undefined, undefined]);
  assert.equal(table.seats[1].claimAt, undefined);
  assert.equal(table.seats[1].connected, false);
});

test('drawing the strip changes nothing', () => {
  const { table } = adjourned();
  table.seats[1].claimAt = 1000;
  const before = structuredClone(table);
  stripOf(pageOf(table));
  assert.deepEqual(table, before);
});

test('a player who is ready claims when the adjournment is over', () => {
  const story = adjourned();
  story.take({ kind: 'ready_to_resume', seat: 0 });
  assert.deepEqual(labelsOf(pageOf(story.table, UNTIL - 1)), []);
  const page = pageOf(story.table, UNTIL);
  assert.deepEqual(labelsOf(page), ['Claim the win']);
  stripOf(page).view.acts[0].act();
  assert.deepEqual(page.sent, ['claim 1']);
});

test('a snapshot has the request and the adjournment', () => {
  const { table: known } = started();
  const sleep = { until: UNTIL, claim_until: UNTIL + 1000, ready: [1] };
  const table = emptyTable('g1', 'me');
  takeSnapshot(table, { ...snapshotOf(known), adjourned: sleep });
  assert.deepEqual(adjournOf(table).sleep, sleep);
  takeSnapshot(table, { ...snapshotOf(known), adjourn_request: { seat: 1, until: UNTIL, agreed: [] } });
  assert.equal(adjournOf(table).request?.seat, 1);
  assert.equal(adjournOf(table).sleep, undefined);
});

test('the news tell what has happened', () => {
  const { table } = started();
  const told = (event) => plainText(newsOf(table, event));
  assert.match(told({ kind: 'adjourned' }), /is adjourned$/);
  assert.match(told({ kind: 'ready_to_resume', seat: 1 }), /is ready to resume$/);
  assert.match(told({ kind: 'adjourn_declined', seat: 0, reason: 'expired' }), /didn’t answer$/);
});

test('the rules of a game say what follows when a player stays away, unless it is the usual claim', () => {
  addEnglish({ pages: pagesEn });
  const check = (vanish, said) => assert.equal(withVanish('Classic', { vanish }), said);
  check(undefined, 'Classic');
  check('of_a_later_version', 'Classic');
  check('adjourn', 'Classic. If a player disconnects: The game is adjourned (once).');
  check('play_on', 'Classic. If a player disconnects: The clock decides.');
});
