// The streams of games over a scripted WebSocket: every event once, gaps, snapshots, pauses.

import assert from 'node:assert/strict';
import test from 'node:test';
import { clockTo, fakeConnection, fakeObserver, refusal } from './fakes.mjs';

test('a stream takes every event once, and attaches again after a gap', async () => {
  const made = fakeConnection();
  const observer = fakeObserver();
  const stream = made.connection.attach('g', observer, 'secret');
  await made.socket.welcome();
  const attach = () => made.socket.of('attach')[made.socket.of('attach').length - 1];
  const event = (seq) => made.socket.gets('event', 0, { game: 'g', seq, kind: 'passed' });
  assert.deepEqual(attach()[2], { game: 'g', seq: 0, code: 'secret' });
  event(1);
  made.socket.gets('turn_waiting', 0, { game: 'g', until: 5 });
  assert.deepEqual(observer.heard, [], 'nothing counts before the answer');
  made.socket.gets('ok', attach()[1], { game: 'g', epoch: 7, outcome: 'events', head: 3, role: 'player', seat: 0 });
  for (const seq of [1, 2]) event(seq);
  assert.equal(stream.isCurrent, false);
  for (const seq of [2, 3]) event(seq);
  assert.equal(stream.isCurrent, true);
  made.socket.gets('turn_waiting', 0, { game: 'g', until: 5 });
  made.socket.gets('presence', 0, { game: 'g', seat: 1, connected: false });
  assert.deepEqual(observer.heard, [
    'attached events',
    'not waiting',
    'event 1',
    'event 2',
    'event 3',
    'waiting 5',
    'presence',
  ]);
  event(5);
  assert.deepEqual(attach()[2], { game: 'g', epoch: 7, seq: 3, code: 'secret' });
  event(6);
  made.socket.gets('ok', attach()[1], { game: 'g', epoch: 7, outcome: 'events', head: 6 });
  for (const seq of [4, 5, 6]) event(seq);
  assert.deepEqual(observer.heard.slice(7), ['attached events', 'not waiting', 'event 4', 'event 5', 'event 6']);
});

test('a snapshot replaces the position, asked for or not; the old one counts until it has come', async () => {
  const made = fakeConnection();
  const observer = fakeObserver();
  const stream = made.connection.attach('g', observer);
  await made.socket.welcome();
  const attach = () => made.socket.of('attach')[made.socket.of('attach').length - 1];
  const snapshot = (epoch, seq) => made.socket.gets('snapshot', 0, { game: 'g', epoch, seq });
  const event = (seq) => made.socket.gets('event', 0, { game: 'g', seq, kind: 'passed' });
  made.socket.gets('ok', attach()[1], { game: 'g', epoch: 7, outcome: 'snapshot', head: 31 });
  event(31);
  event(32);
  assert.equal(stream.isCurrent, false);
  await clockTo(made, 6000);
  await made.socket.ends(1006);
  await clockTo(made, 0);
  await made.socket.welcome();
  assert.deepEqual(attach()[2], { game: 'g', seq: 0 }, 'no position without the snapshot');
  made.socket.gets('ok', attach()[1], { game: 'g', epoch: 7, outcome: 'snapshot', head: 33 });
  snapshot(7, 33);
  event(33);
  event(34);
  snapshot(8, 12);
  event(13);
  assert.equal(stream.isCurrent, false, 'behind the head of the attach');
  assert.deepEqual(observer.heard, [
    'attached snapshot',
    'not waiting',
    'attached snapshot',
    'not waiting',
    'snapshot 33',
    'event 34',
    'snapshot 12',
    'event 13',
  ]);
  await clockTo(made, 6000);
  await made.socket.ends(1006);
  await clockTo(made, 0);
  await made.socket.welcome();
  assert.deepEqual(attach()[2], { game: 'g', epoch: 8, seq: 13 });
  event(14);
  assert.equal(observer.heard.length, 8);
});

test('streams end, come back after a pause, and are left', async () => {
  const made = fakeConnection();
  const [kept, gone, left] = [fakeObserver(), fakeObserver(), fakeObserver()];
  made.connection.attach('kept', kept);
  made.connection.attach('gone', gone);
  const stream = made.connection.attach('left', left);
  await made.socket.welcome();
  const answer = (game, op, body) => {
    const found = made.socket.of('attach').filter(([, , sent]) => sent.game === game);
    made.socket.gets(op, found[found.length - 1][1], body);
  };
  answer('gone', 'error', refusal('unknown_game'));
  answer('kept', 'error', refusal('busy', { retryable: true, detail: { retry_after_ms: 2000 } }));
  answer('left', 'ok', { outcome: 'events', epoch: 1, head: 0 });
  assert.deepEqual(gone.heard, ['lost unknown_game']);
  await made.clock.pass(2000);
  answer('kept', 'ok', { outcome: 'events', epoch: 1, head: 0 });
  made.socket.gets('detached', 0, { game: 'kept', code: 'storage_paused', message: '' });
  await made.clock.pass(1000);
  assert.equal(made.socket.of('attach').filter(([, , { game }]) => game === 'kept').length, 3);
  made.socket.gets('detached', 0, { game: 'kept', code: 'busy', message: '' });
  answer('kept', 'ok', { outcome: 'events', epoch: 1, head: 0 });
  made.socket.gets('detached', 0, { game: 'kept', code: 'something_new', message: '' });
  assert.equal(kept.heard[kept.heard.length - 1], 'lost something_new');
  stream.detach();
  stream.detach();
  assert.deepEqual(
    made.socket.of('detach').map(([, , body]) => body),
    [{ game: 'left' }],
  );
  made.socket.gets('event', 0, { game: 'left', seq: 1 });
  assert.deepEqual(left.heard, ['attached events', 'not waiting']);
  assert.equal(made.told.filter(([type]) => type === 'push').length, 0);
});
