// Requests over a scripted WebSocket: each is answered exactly once, over as many connections as it takes.

import assert from 'node:assert/strict';
import test from 'node:test';
import { clockTo, fakeConnection, fate, refusal, settled } from './fakes.mjs';

test('requests wait for the welcome and are answered by their id', async () => {
  const made = fakeConnection();
  const [first, second] = [made.connection.request('time'), made.connection.request('list_games', { scope: 'live' })];
  assert.equal(made.socket.sent.length, 0);
  await made.socket.welcome();
  const [[, id1], [, id2]] = made.socket.sent.slice(1);
  made.socket.gets('ok', id2, { games: [] });
  made.socket.gets('error', id1, refusal('internal'));
  assert.deepEqual(await second, { games: [] });
  await assert.rejects(first, (error) => error.code === 'internal' && error.message === 'internal' && !error.retryable);
  made.socket.gets('ok', id2, { games: [1] });
  made.socket.gets('ok', 999, {});
  made.socket.gets('error', 0, refusal('bad_frame'));
});

test('after a loss, unanswered commands go out again under their cmd_id, in their order', async () => {
  const made = fakeConnection();
  await made.socket.welcome();
  const body = { game: 'g', turn_no: 3, start: '8F', tiles: ['A'] };
  const fates = [
    made.connection.command('play', body),
    made.connection.command('seek', { options: {} }),
    made.connection.request('time'),
  ].map(fate);
  body.tiles.push('B');
  const [play, seek, time] = made.socket.sent.slice(1);
  assert.match(play[2].cmd_id, /^[\w-]{12}-1$/);
  made.socket.gets('ok', seek[1], { seek: {} });
  await clockTo(made, 20_000);
  await made.socket.ends(1006);
  await clockTo(made, 0);
  assert.equal(made.sockets.length, 2, 'at once');
  await made.socket.welcome();
  const again = made.socket.sent.slice(1);
  assert.deepEqual(
    again.map(([op, , sent]) => [op, sent]),
    [
      ['play', play[2]],
      ['time', time[2]],
    ],
  );
  assert.notEqual(again[0][1], play[1]);
  made.socket.gets('ok', again[0][1], { game: 'g', seq: 41 });
  made.socket.gets('ok', again[1][1], { server_time: 1 });
  await settled();
  assert.deepEqual(
    fates.map(({ state }) => state),
    ['kept', 'kept', 'kept'],
  );
  assert.deepEqual(fates[0].value, { game: 'g', seq: 41 });
});

test('of each game one command at a time; beside one that ends a turn, one that ends none', async () => {
  const made = fakeConnection();
  await made.socket.welcome();
  const ops = () => made.socket.sent.slice(1).map(([op, , { game }]) => `${op} ${game}`);
  const idOf = (op) => made.socket.of(op)[0][1];
  for (const op of ['accept', 'pass', 'hold', 'release']) made.connection.command(op, { game: 'g' });
  made.connection.command('pass', { game: 'other' });
  assert.deepEqual(ops(), ['accept g', 'pass other']);
  made.socket.gets('ok', idOf('accept'), {});
  assert.deepEqual(ops().slice(2), ['pass g', 'hold g']);
  made.socket.gets('ok', idOf('hold'), {});
  assert.deepEqual(ops().slice(4), ['release g']);
});

test('a refusal that passes is tried again; one that a player must know is told', async () => {
  const made = fakeConnection();
  await made.socket.welcome();
  const last = (op) => made.socket.of(op)[made.socket.of(op).length - 1];
  const busy = fate(made.connection.command('ready', { game: 'g' }));
  made.socket.gets('error', last('ready')[1], refusal('busy', { retryable: true, detail: { retry_after_ms: 3000 } }));
  await made.clock.pass(2999);
  assert.equal(made.socket.of('ready').length, 1);
  await made.clock.pass(1);
  assert.equal(made.socket.of('ready').length, 2);
  assert.deepEqual(last('ready')[2], made.socket.of('ready')[0][2], 'under the same cmd_id');
  made.socket.gets('error', last('ready')[1], refusal('storage_paused', { retryable: true }));
  await made.clock.pass(2000);
  assert.equal(made.socket.of('ready').length, 3);
  made.socket.gets('ok', last('ready')[1], { seq: 2 });
  const held = fate(made.connection.command('pass', { game: 'g' }));
  made.socket.gets('error', last('pass')[1], refusal('held', { retryable: true, detail: { until: 5_060_000 } }));
  const slow = fate(made.connection.request('join_seek', { code: 'x' }));
  made.socket.gets(
    'error',
    last('join_seek')[1],
    refusal('rate_limited', { retryable: true, detail: { retry_after_ms: 60_000 } }),
  );
  const stubborn = fate(made.connection.request('list_games', {}));
  for (let i = 0; i < 8; i++) {
    made.socket.gets('error', last('list_games')[1], refusal('busy', { retryable: true }));
    await made.clock.pass(8000);
  }
  await settled();
  assert.deepEqual(
    [busy.state, held.error.code, slow.error.code, stubborn.error.code],
    ['kept', 'held', 'rate_limited', 'busy'],
  );
  assert.equal(held.error.detail.until, 5_060_000);
});
