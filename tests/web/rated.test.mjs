// Rated games: the request to abort, ratings beside names, and the option for registered players.

import assert from 'node:assert/strict';
import test from 'node:test';
import { plainText } from '../../server/web/src/text/rich.js';
import { pagesEn } from '../../server/web/src/text/pages-en.js';
import { addEnglish, refusedText } from '../../server/web/src/text/words.js';
import { newsOf } from '../../server/web/src/page/gamenews.js';
import * as manners from '../../server/web/src/page/manners.js';
import { stripOf } from '../../server/web/src/page/gamestrip.js';
import { offerOf } from '../../server/web/src/page/offer.js';
import { decisionText } from '../../server/web/src/page/record.js';
import { ratingStepText, ratingText } from '../../server/web/src/view/ratings.js';
import { decisionOf } from '../../server/web/src/model/decision.js';
import { ratingStepOf } from '../../server/web/src/model/ratings.js';
import { Setup } from '../../server/web/src/page/setup.js';
import { emptyTable, takeSnapshot } from '../../server/web/src/model/table.js';
import { fakeConnection } from './fakes.mjs';
import { Story, snapshotOf } from './support.mjs';

const CLOCKS = { main_ms: [1_500_000, 1_500_000], allowance_ms: [0, 0] };

/** A rated game in its first turn. */
function rated() {
  const story = new Story({ options: { rated: true } });
  for (const seat of [0, 1]) story.take({ kind: 'seat_ready', seat });
  story.turn(1, 0);
  return story;
}

/** The strip of a page that shows this table. */
function strip(table, sent = []) {
  const send = { other: undefined, answerAbort: (accept) => sent.push(accept) };
  const connection = { serverNow: () => 0 };
  return stripOf({ manners, table, shown: table, send, connection, isLooking: false, isPlayer: true, isNarrow: () => false });
}

test('the other player’s request waits for an answer and moves with an outage', () => {
  const story = rated();
  const { table } = story;
  story.take({ kind: 'abort_requested', seat: 1, until: 60_000 });
  assert.deepEqual(table.abortRequest, { seat: 1, until: 60_000 });
  assert.match(plainText(newsOf(table, table.said)), /ask/);
  const sent = [];
  const { view, until } = strip(table, sent);
  assert.deepEqual([until, view.acts.map(({ id }) => id)], [60_000, ['abort-yes', 'abort-no']]);
  for (const { act } of view.acts) act();
  assert.deepEqual(sent, [true, false]);
  story.take({ kind: 'clock_credited', stopped_at: 1000, resumed_at: 3000, clocks: CLOCKS });
  assert.equal(table.abortRequest.until, 62_000);
  const again = emptyTable(table.game, table.identity);
  takeSnapshot(again, snapshotOf(table));
  assert.deepEqual(again.abortRequest, table.abortRequest);
  story.take({ kind: 'abort_declined', seat: 1, reason: 'refused' });
  assert.deepEqual(table.seats.map(({ hasAsked }) => hasAsked === true), [false, true], 'each seat asks once');
  assert.equal(table.abortRequest, undefined);
  assert.notEqual(plainText(newsOf(table, table.said)), '');
});

test('the own request has no buttons', () => {
  const story = rated();
  story.take({ kind: 'abort_requested', seat: 0, until: 60_000 });
  assert.deepEqual(strip(story.table).view.acts, []);
});

test('a provisional rating has a question mark', () => {
  assert.equal(ratingText({ value: 1712, deviation: 61 }), '1712');
  assert.equal(ratingText({ value: 1500, deviation: 350, provisional: true }), '1500?');
});

test('a refusal says why a game cannot be rated', () => {
  addEnglish({ pages: pagesEn });
  assert.match(refusedText({ code: 'not_rateable', detail: { reason: 'guest' } }), /Register/);
  assert.match(refusedText({ code: 'not_rateable', detail: { reason: 'from_the_future' } }), /rated/);
  assert.equal(typeof pagesEn.codes.no_abort_request, 'string');
});

test('a rating after a game stands with its change', () => {
  const after = { value: 1512, deviation: 61 };
  assert.equal(ratingStepText({ before: { value: 1500 }, after }), '1512 (+12)');
  assert.equal(ratingStepText({ before: { value: 1530 }, after: { ...after, provisional: true } }), '1512? (−18)');
  const { before, after: sure } = ratingStepOf({ before: 1500, after: 1512, deviation: 110 });
  assert.deepEqual([before.value, sure.value, sure.provisional], [1500, 1512, false]);
  assert.equal(ratingStepOf({ before: 1500, after: 1512, deviation: 111 }).after.provisional, true);
});

test('the push of a changed rating reaches the page, whether it follows the game or not', async () => {
  const { connection, socket } = fakeConnection();
  connection.start();
  await socket.welcome();
  const told = [];
  connection.on('push', (op, body) => told.push([op, body.game]));
  const nothing = () => {};
  connection.attach('g1', { attached: nothing, snapshot: nothing, event: nothing, waiting: nothing, push: nothing, lost: nothing });
  for (const game of ['g1', 'g2']) socket.gets('rating', 0, { game });
  assert.deepEqual(told, [['rating', 'g1'], ['rating', 'g2']]);
});

test('a wish is for a rated game only where that can be', async () => {
  const connection = { isRegistered: true };
  const settings = { get: () => undefined, set: () => {} };
  const setup = new Setup({ connection }, settings, () => {});
  setup.rules = { rule_set: { board: {} } };
  const rated = async (options) => {
    setup.options = { rule_set: 'classic', seats: 2, challenge: {}, clock: { kind: 'delay', initial_ms: 60_000, delay_ms: 0 }, rated: true, ...options };
    return (await setup.wish()).options.rated;
  };
  assert.equal(await rated({}), true);
  for (const options of [{ seats: 3 }, { clock: { kind: 'untimed' } }, { clock: { kind: 'delay', initial_ms: 43_000, delay_ms: 1000 } }, { challenge: { consent: true } }]) {
    assert.equal(await rated(options), undefined, JSON.stringify(options));
  }
  setup.options = { ...setup.options, challenge: {}, clock: { kind: 'delay', initial_ms: 60_000 }, rated: true };
  assert.equal((await setup.wish({ isPrivate: true })).options.rated, undefined, 'a link leads to a private game');
  assert.equal(setup.options.rated, true, 'the next public game is rated');
  setup.rules = { rule_set: { board: { drawn: true } } };
  assert.deepEqual([await rated({}), setup.unrated(setup.options)], [undefined, 'dealt_board']);
  connection.isRegistered = false;
  assert.deepEqual([await rated({}), setup.unrated(setup.options)], [undefined, 'guest']);
});

test('a guest cannot join an offer of a rated game', () => {
  const seek = { seek: 's1', owner: 'ia', options: { seats: 2, rated: true, rule_set: 'classic', clock: { kind: 'untimed' }, challenge: { kind: 'void' } },
    members: [{ identity: 'ia', name: 'anna', rating: { value: 1612, deviation: 50 } }] };
  const offer = (isRegistered, more = {}) => offerOf({ ...seek, options: { ...seek.options, ...more } },
    { identity: 'ib', ruleSetName: String, isBusy: false, isRegistered });
  assert.deepEqual([offer(true).isOff, offer(false).isOff, offer(false, { rated: false }).isOff], [false, true, false]);
  assert.deepEqual(offer(true).names, ['anna (1612)']);
});

/** A finished game of these final scores, with the scores before racks. */
function ended(finals, before, { reason = 'out_play', winners = [0], options = {}, targets } = {}) {
  const { table } = new Story({ options });
  table.setup.targets = targets;
  const results = finals.map((final, seat) => ({
    seat, final_score: final, score: before[seat], rack_points: final - before[seat], time_penalty: 0, rank: winners.includes(seat) ? 1 : 2,
  }));
  table.result = { reason, winners, results };
  return table;
}

test('the rule that decided a game follows from its end', () => {
  assert.equal(decisionOf(ended([400, 390], [395, 395])), undefined, 'the highest score');
  assert.deepEqual(decisionOf(ended([387, 387], [380, 394], { winners: [1] })), { by: 'before', tie: 387, before: [394, 380] });
  assert.deepEqual(decisionOf(ended([387, 387], [387, 387], { winners: [0, 1], options: { ties: 'before_adjustment' } })), { by: 'tied' });
  assert.deepEqual(decisionOf(ended([387, 387], [380, 394], { winners: [0, 1], options: { ties: 'stand' } })), { by: 'equal' });
  assert.deepEqual(decisionOf(ended([300, 310], [300, 310], { targets: [400, 450] })), { by: 'share' });
  assert.deepEqual(decisionOf(ended([0, 90], [0, 90], { reason: 'resignation' })), { by: 'last' });
  assert.equal(decisionOf(ended([0, 90], [0, 90], { reason: 'aborted', winners: [] })), undefined);
  assert.match(decisionText(ended([387, 387], [380, 394], { winners: [1] })), /Tie at 387.*before the rack adjustment.*394–380/);
  const left = ended([0, 90], [0, 90], { reason: 'resignation' });
  assert.equal(decisionText(left), '', 'of two players the reason of the end says it');
  left.seats.push(left.seats[0]);
  assert.equal(decisionText(left), 'Last player remaining wins.');
});
