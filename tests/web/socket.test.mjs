// The connection against a scripted WebSocket: answers exactly once, streams without gaps, close codes, clock, heartbeat.

import assert from 'node:assert/strict';
import test from 'node:test';
import { fakeConnection, fakeObserver, settled } from './fakes.mjs';

/** What became of a promise so far. */
function fate(promise) {
  const result = { state: 'open' };
  promise.then((value) => Object.assign(result, { state: 'kept', value }), (error) => Object.assign(result, { state: 'failed', error }));
  return result;
}

const refusal = (code, more = {}) => ({ code, message: code, retryable: false, ...more });

test('says who it is, and tells what it learns', async () => {
  const made = fakeConnection({ token: 'old', language: 'de', watchOnly: true });
  assert.deepEqual(made.socket.protocols, ['tilewire.v1.json']);
  await made.socket.welcome({ expires_at: 5_000_000_000 });
  assert.deepEqual(made.socket.sent[0], ['auth', 1, { token: 'old', name: 'Anna', client: 'tilewire-web/1.0', language: 'de', watch_only: true }]);
  assert.deepEqual(made.told.map(([type]) => type), ['state', 'hello', 'token', 'state', 'welcome']);
  assert.deepEqual(made.told[2].slice(1), ['tok1', 5_000_000_000]);
  assert.deepEqual([made.connection.identity, made.connection.name, made.connection.hello.protocol], ['ia', 'Anna', 1]);
  made.socket.gets('notice', 0, { code: 'x', text: 'hello' });
  made.socket.gets('something_new', 0, {});
  made.socket.onmessage({ data: 'no json' });
  made.socket.onmessage({ data: '{"a":1}' });
  assert.deepEqual(made.told.slice(5).map(([type, op]) => `${type} ${op}`), ['push notice', 'push something_new']);
});

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
  const fates = [made.connection.command('play', body), made.connection.command('seek', { options: {} }), made.connection.request('time')].map(fate);
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
  assert.deepEqual(again.map(([op, , sent]) => [op, sent]), [['play', play[2]], ['time', time[2]]]);
  assert.notEqual(again[0][1], play[1]);
  made.socket.gets('ok', again[0][1], { game: 'g', seq: 41 });
  made.socket.gets('ok', again[1][1], { server_time: 1 });
  await settled();
  assert.deepEqual(fates.map(({ state }) => state), ['kept', 'kept', 'kept']);
  assert.deepEqual(fates[0].value, { game: 'g', seq: 41 });
});

/** Lets time pass while the server answers every question for the time. */
async function clockTo(made, ms) {
  for (let passed = 0; passed <= ms; passed += 1000) {
    await made.clock.pass(Math.min(1000, ms - passed));
    for (const request of made.socket.of('time')) {
      if (request.done) continue;
      request.done = true;
      if (ms > 0) made.socket.gets('notice', 0, {});
    }
  }
}

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
  made.socket.gets('error', last('join_seek')[1], refusal('rate_limited', { retryable: true, detail: { retry_after_ms: 60_000 } }));
  const stubborn = fate(made.connection.request('list_games', {}));
  for (let i = 0; i < 8; i++) {
    made.socket.gets('error', last('list_games')[1], refusal('busy', { retryable: true }));
    await made.clock.pass(8000);
  }
  await settled();
  assert.deepEqual([busy.state, held.error.code, slow.error.code, stubborn.error.code], ['kept', 'held', 'rate_limited', 'busy']);
  assert.equal(held.error.detail.until, 5_060_000);
});

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
  assert.deepEqual(observer.heard, ['attached events', 'not waiting', 'event 1', 'event 2', 'event 3', 'waiting 5', 'presence']);
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
  assert.deepEqual(observer.heard,
    ['attached snapshot', 'not waiting', 'attached snapshot', 'not waiting', 'snapshot 33', 'event 34', 'snapshot 12', 'event 13']);
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
  assert.deepEqual(made.socket.of('detach').map(([, , body]) => body), [{ game: 'left' }]);
  made.socket.gets('event', 0, { game: 'left', seq: 1 });
  assert.deepEqual(left.heard, ['attached events', 'not waiting']);
  assert.equal(made.told.filter(([type]) => type === 'push').length, 0);
});

test('a lost connection comes back at once, then in growing pauses', async () => {
  const made = fakeConnection();
  await made.socket.ends(1006);
  const pauses = [];
  for (let i = 0; i < 8; i++) {
    pauses.push(made.connection.state.retryAt - made.clock.time);
    await made.clock.pass(pauses[i]);
    await made.socket.ends(1006);
  }
  assert.deepEqual(pauses, [750, 1500, 3000, 6000, 12_000, 24_000, 45_000, 45_000], 'half by chance');
  assert.equal(new Set(made.told.filter(([, { state }]) => state === 'waiting').map(([, { since }]) => since)).size, 1, 'lost since then');
  await made.clock.pass(45_000);
  await made.socket.welcome();
  await made.clock.pass(5000);
  await made.socket.ends(1001);
  assert.equal(made.connection.state.retryAt, made.clock.time);
  await made.clock.pass(0);
  await made.socket.welcome();
  await made.socket.ends(1006);
  assert.equal(made.connection.state.retryAt - made.clock.time, 1500, 'not at once if it lasted only a moment');
});

test('close codes: the token, a restart, floods, revocation', async () => {
  const early = fakeConnection({ token: 'kept' });
  early.socket.onopen();
  early.socket.gets('error', 1, refusal('bad_token'));
  await early.socket.ends(4002);
  assert.equal(early.sockets.length, 2, 'a new guest in place of an old token');
  assert.deepEqual(early.told.filter(([type]) => type === 'token'), [['token', undefined, undefined]]);
  await early.socket.welcome();
  assert.equal(early.socket.sent[0][2].token, undefined);

  const late = fakeConnection();
  await late.socket.welcome();
  const open = fate(late.connection.request('time'));
  await late.socket.ends(4002, 'revoked');
  assert.deepEqual([late.connection.state.state, late.connection.state.reason.code, late.sockets.length], ['stopped', 4002, 1]);
  await settled();
  assert.equal(open.error.code, 'stopped');
  late.connection.start();
  await late.socket.welcome();
  assert.equal(late.socket.sent[0][2].token, undefined, 'only when the player wants to go on');

  const restarting = fakeConnection();
  await restarting.socket.welcome();
  await restarting.clock.pass(6000);
  await restarting.socket.ends(4006, 'retry_after_ms=4000');
  assert.equal(restarting.connection.state.retryAt - restarting.clock.time, 6000);

  for (const code of [4004, 4007]) {
    const made = fakeConnection();
    await made.socket.welcome();
    await made.socket.ends(code);
    assert.ok(made.connection.state.retryAt - made.clock.time >= 5000);
  }
  for (const code of [1000, 1002, 1003, 1007, 1009, 4000, 4008, 4009]) {
    const made = fakeConnection();
    await made.socket.welcome();
    await made.socket.ends(code, 'why');
    assert.deepEqual([made.connection.state.state, made.connection.state.reason], ['stopped', { code, text: 'why', error: undefined }]);
    await made.clock.pass(600_000);
    assert.equal(made.sockets.length, 1);
  }
  const revoked = fakeConnection({ token: 'kept' });
  revoked.socket.onopen();
  revoked.socket.gets('error', 1, { ...refusal('revoked'), message: 'because' });
  await revoked.socket.ends(4009);
  assert.deepEqual(revoked.connection.state.reason, { code: 4009, text: 'because', error: 'revoked' });

  const limited = fakeConnection();
  limited.socket.onopen();
  limited.socket.gets('error', 1, refusal('rate_limited', { retryable: true, detail: { retry_after_ms: 30_000 } }));
  await limited.socket.ends(1001);
  assert.equal(limited.connection.state.retryAt - limited.clock.time, 30_000);
  const odd = fakeConnection();
  await odd.socket.welcome();
  await odd.clock.pass(6000);
  await odd.socket.ends(4321);
  assert.equal(odd.connection.state.retryAt - odd.clock.time, 750, 'unknown: after a pause');
});

test('the server is asked for the time in silence, and given up if it says nothing', async () => {
  const made = fakeConnection();
  await made.socket.welcome();
  await made.clock.pass(10_000);
  assert.equal(made.socket.of('time').length, 1);
  made.socket.gets('ok', made.socket.of('time')[0][1], { server_time: 5_010_000 });
  await made.clock.pass(5000);
  made.socket.gets('lag', 0, { lag_ms: 40 });
  await made.clock.pass(9000);
  assert.equal(made.socket.of('time').length, 1, 'anything is a sign of life');
  await made.clock.pass(6000);
  assert.equal(made.socket.of('time').length, 2);
  await made.clock.pass(15_000);
  assert.deepEqual([made.connection.state.reason.code, made.sockets[0].closedWith], [1006, 'no code']);
  assert.equal(made.sockets.length, 2);
  await made.clock.pass(20_000);
  assert.ok(made.sockets.length > 2, 'an attempt that takes too long is given up');
});

test('timers of a hidden page come late: silence counts from a question on', async () => {
  const made = fakeConnection();
  await made.socket.welcome();
  made.clock.time += 300_000;
  await made.clock.pass(0);
  assert.deepEqual([made.connection.state.state, made.socket.of('time').length], ['open', 1]);
  await made.clock.pass(1000);
  made.socket.gets('ok', made.socket.of('time')[0][1], { server_time: 5_301_000 });
  await made.clock.pass(9000);
  assert.equal(made.connection.state.state, 'open');
});

test('waking tries at once, or asks whether the connection is alive', async () => {
  const made = fakeConnection();
  for (let i = 0; i < 5; i++) {
    await made.socket.ends(1006);
    if (i < 4) await made.clock.pass(made.connection.state.retryAt - made.clock.time);
  }
  made.connection.wake();
  assert.deepEqual([made.connection.state.state, made.sockets.length], ['connecting', 6]);
  made.connection.wake();
  assert.equal(made.sockets.length, 6, 'not again at once');
  await made.socket.welcome();
  await made.clock.pass(6000);
  made.connection.wake();
  assert.equal(made.socket.of('time').length, 1);
  await made.clock.pass(5000);
  assert.equal(made.sockets.length, 7);
});

test('the clock counts with the server, and leaves out the lag', async () => {
  const made = fakeConnection();
  made.socket.onopen();
  made.clock.time += 300;
  await settled();
  made.socket.gets('welcome', 1, { identity: 'ia', name: 'A', token: 't', server_time: 1_000_000, games: [] });
  assert.equal(made.connection.serverNow(), 1_000_150, 'half the time from auth to welcome');
  made.socket.gets('lag', 0, { lag_ms: 120 });
  assert.equal(made.connection.serverNow(), 1_000_120);
  assert.deepEqual(made.told[made.told.length - 1], ['lag', 120]);
  await made.clock.pass(10_000);
  made.clock.time += 240;
  made.socket.gets('ok', made.socket.of('time')[0][1], { server_time: 1_010_125 });
  assert.equal(made.connection.serverNow(), 1_010_245);
  await made.clock.pass(11_000);
  made.clock.time += 3000;
  made.socket.gets('ok', made.socket.of('time')[1][1], { server_time: 1_021_130 });
  assert.equal(made.connection.serverNow(), 1_024_245, 'an answer that was held up says nothing');
});

test('a token is renewed when half of its time is over', async () => {
  const made = fakeConnection();
  await made.socket.welcome({ expires_at: 5_000_000 + 200_000 });
  await clockTo(made, 100_000);
  const [, id] = made.socket.of('renew')[0];
  made.socket.gets('ok', id, { token: 'tok2', expires_at: 9_000_000 });
  await settled();
  assert.deepEqual(made.told.filter(([type]) => type === 'token')[1], ['token', 'tok2', 9_000_000]);
  await made.socket.ends(1001);
  await made.clock.pass(0);
  await made.socket.welcome();
  assert.deepEqual([made.socket.sent[0][2].token, made.socket.sent[0][2].name], ['tok2', undefined]);
});

test('stopping says goodbye', async () => {
  const made = fakeConnection();
  await made.socket.welcome();
  const open = fate(made.connection.request('time'));
  const observer = fakeObserver();
  made.connection.attach('g', observer);
  made.connection.stop();
  await settled();
  assert.deepEqual([made.socket.closedWith, made.connection.state.state, open.error.code], [1000, 'stopped', 'stopped']);
  await made.clock.pass(100_000);
  assert.equal(made.sockets.length, 1);
  made.connection.start();
  await made.socket.welcome();
  assert.equal(made.socket.of('attach').length, 1, 'streams go on');
});
