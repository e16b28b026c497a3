// Rated games: the request to abort, ratings beside names, and the option for registered players.

import assert from 'node:assert/strict';
import test from 'node:test';
import { plainText } from '../../server/web/src/text/rich.js';
import { errorsEn } from '../../server/web/src/text/errors-en.js';
import { refusedText } from '../../server/web/src/text/words.js';
import { newsOf } from '../../server/web/src/page/gamenews.js';
import { stripOf } from '../../server/web/src/page/gamestrip.js';
import { ratingText } from '../../server/web/src/page/offer.js';
import { Setup } from '../../server/web/src/page/setup.js';
import { emptyTable, takeSnapshot } from '../../server/web/src/model/table.js';
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
  return stripOf({ table, shown: table, send, connection, isLooking: false, isPlayer: true, isNarrow: () => false });
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
  assert.match(refusedText({ code: 'not_rateable', detail: { reason: 'guest' } }), /Register/);
  assert.match(refusedText({ code: 'not_rateable', detail: { reason: 'from_the_future' } }), /rated/);
  assert.equal(typeof errorsEn.codes.no_abort_request, 'string');
});

test('a guest sends no wish for a rated game', () => {
  const connection = { isRegistered: true };
  const settings = { get: () => undefined, set: () => {} };
  const setup = new Setup({ connection }, settings, () => {});
  setup.options = { rule_set: 'classic', seats: 2, rated: true };
  assert.equal(setup.wish.options.rated, true);
  connection.isRegistered = false;
  assert.equal(setup.wish.options.rated, undefined);
});
