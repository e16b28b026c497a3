// Clocks: what is left at a moment, how it is written, and when that changes.

import assert from 'node:assert/strict';
import test from 'node:test';
import { clockOf, clockText, shownDigitChangesIn, shownMoment } from '../../server/web/src/model/clock.js';
import { takePush, takeWaiting } from '../../server/web/src/model/table.js';
import { Story } from './support.mjs';

function tableWith(clock, clocks, identity) {
  const { table } = new Story({ options: { clock } }, identity);
  table.clocks = clocks;
  return table;
}

test('a delay is used first: the example of P-CLOCK', () => {
  const running = { seat: 0, since: 1_000_000 };
  const table = tableWith(
    { kind: 'delay', initial_ms: 60_000, delay_ms: 5000 },
    { main_ms: [60_000, 60_000], allowance_ms: [5000, 5000], running },
  );
  const left = (now, seat = 0) => {
    const { allowanceMs, leftMs, isRunning } = clockOf(table, seat, now);
    return [allowanceMs, leftMs, isRunning];
  };
  assert.deepEqual(left(1_000_150), [4850, 60_000, true]);
  assert.deepEqual(left(1_007_150), [0, 57_850, true]);
  assert.deepEqual(left(1_007_150, 1), [5000, 60_000, false]);
  assert.deepEqual(left(999_000), [5000, 60_000, true], 'a moment before it began');
});

test('overtime and its price', () => {
  const table = tableWith(
    { kind: 'overtime', initial_ms: 1, penalty_per_minute: 10 },
    { main_ms: [0, 500], allowance_ms: [0, 0], running: { seat: 0, since: 0 } },
  );
  const price = (ms) => clockOf(table, 0, ms).overtimePenalty;
  assert.deepEqual(
    [0, 1, 60_000, 60_001, 125_000, 600_000].map(price),
    [0, 10, 10, 20, 30, 100],
    'the table of R-CLOCK-4',
  );
  assert.deepEqual(
    [clockOf(table, 0, 0).isOvertime, clockOf(table, 0, 1).isOvertime, clockOf(table, 1, 9).isOvertime],
    [false, true, false],
  );
});

test('with a limit per turn the limit is shown, then the bank', () => {
  const table = tableWith(
    { kind: 'per_move', limit_ms: 1000, bank_ms: 5000 },
    { main_ms: [5000, 5000], allowance_ms: [1000, 0], running: { seat: 0, since: 0 } },
  );
  assert.deepEqual(
    [0, 400, 1000, 3000].map((now) => clockOf(table, 0, now).shownMs),
    [1000, 600, 5000, 3000],
  );
});

test('an untimed game counts up, below zero', () => {
  const table = tableWith(
    { kind: 'untimed' },
    { main_ms: [-5, 0], allowance_ms: [0, 0], running: { seat: 0, since: 100 } },
  );
  const { kind, leftMs, isOvertime } = clockOf(table, 0, 200);
  assert.deepEqual([kind, leftMs, isOvertime], ['untimed', -105, false]);
});

test('the clocks of a turn that waits, of a paused game, of a delayed one', () => {
  const table = tableWith(
    { kind: 'sudden_death' },
    { main_ms: [9000, 9000], allowance_ms: [0, 0], running: { seat: 0, since: 0 } },
  );
  takeWaiting(table, {
    game: 'g1',
    turn_no: 1,
    seat: 0,
    until: 1,
    clocks: { main_ms: [8000, 9000], allowance_ms: [0, 0] },
  });
  assert.deepEqual([clockOf(table, 0, 5000).leftMs, clockOf(table, 0, 5000).isRunning], [8000, false]);
  takeWaiting(table, undefined);
  takePush(table, 'paused', {}, 3000);
  assert.equal(clockOf(table, 0, 5000).leftMs, 6000);
  takePush(table, 'unpaused', {});
  assert.equal(clockOf(table, 0, 5000).leftMs, 4000);
  const watched = new Story({ options: { spectators: { delay_ms: 60_000 } } }, 'nobody').table;
  assert.equal(shownMoment(watched, 100_000), 40_000);
  watched.phase = 'ended';
  assert.equal(shownMoment(watched, 100_000), 100_000);
});

test('how clocks are written', () => {
  const cases = [
    [725_000, '12:05'],
    [725_999, '12:05'],
    [60_000, '1:00'],
    [10_000, '0:10'],
    [9999, '0:09.9'],
    [9400, '0:09.4'],
    [50, '0:00.0'],
    [0, '0:00.0'],
    [-1, '-0:00'],
    [-1000, '-0:01'],
    [-61_500, '-1:01'],
    [3_725_000, '1:02:05'],
    [86_399_999, '23:59:59'],
    [86_400_000, '1 d 0 h'],
    [183_600_000, '2 d 3 h'],
  ];
  for (const [ms, text] of cases) assert.equal(clockText(ms), text);
  assert.equal(clockText(183_600_000, { day: 'T', hour: 'Std.' }), '2 T 3 Std.');
});

test('the text changes exactly when it is said to', () => {
  for (const ms of [
    0, 1, 50, 99, 100, 101, 9999, 10_000, 10_001, 59_999, 60_000, 3_600_000, 86_399_999, 86_400_000, 90_000_123, -1,
    -999, -1000, -65_432,
  ]) {
    const after = shownDigitChangesIn(ms);
    assert.ok(after >= 1, `${ms}`);
    assert.equal(clockText(ms - after + 1), clockText(ms), `${ms} before`);
    if (ms > 100 || ms < 0) assert.notEqual(clockText(ms - after), clockText(ms), `${ms} after`);
  }
});
