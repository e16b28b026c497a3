// The connection over a scripted WebSocket: identity, close codes, pauses, heartbeat, clock.

import assert from 'node:assert/strict';
import test from 'node:test';
import { clockTo, fakeConnection, fakeObserver, fate, refusal, settled } from './fakes.mjs';

test('says who it is, and tells what it learns', async () => {
  const made = fakeConnection({ token: 'old' });
  assert.deepEqual(made.socket.protocols, ['tilewire.v1.json']);
  await made.socket.welcome({ expires_at: 5_000_000_000 });
  assert.deepEqual(made.socket.sent[0], [
    'auth',
    1,
    { token: 'old', name: 'Anna', client: 'tilewire-web/1.0' },
  ]);
  assert.deepEqual(
    made.told.map(([type]) => type),
    ['state', 'hello', 'token', 'state', 'welcome'],
  );
  assert.deepEqual(made.told[2].slice(1), ['tok1', 5_000_000_000]);
  assert.deepEqual([made.connection.identity, made.connection.name, made.connection.hello.protocol], ['ia', 'Anna', 1]);
  made.socket.gets('notice', 0, { code: 'x', text: 'hello' });
  made.socket.gets('something_new', 0, {});
  made.socket.onmessage({ data: 'no json' });
  made.socket.onmessage({ data: '{"a":1}' });
  assert.deepEqual(
    made.told.slice(5).map(([type, op]) => `${type} ${op}`),
    ['push notice', 'push something_new'],
  );
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
  assert.equal(
    new Set(made.told.filter(([, { state }]) => state === 'waiting').map(([, { since }]) => since)).size,
    1,
    'lost since then',
  );
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
  assert.deepEqual(
    early.told.filter(([type]) => type === 'token'),
    [['token', undefined, undefined]],
  );
  await early.socket.welcome();
  assert.equal(early.socket.sent[0][2].token, undefined);

  const others = ['the guest', 'another guest'];
  const aside = fakeConnection({ token: 'kept', instead: () => others.shift() });
  for (const token of ['kept', 'the guest', 'another guest', undefined]) {
    aside.socket.onopen();
    assert.equal(aside.socket.sent[0][2].token, token, 'another one in place of each that is refused');
    if (token) await aside.socket.ends(4002);
  }
  await aside.socket.welcome({ token: 'new', identity: 'new' });
  aside.connection.useToken('of a player');
  assert.equal(aside.sockets.at(-2).closedWith, 1000);
  await aside.socket.welcome({ identity: 'player' });
  assert.deepEqual([aside.socket.sent[0][2].token, aside.connection.identity], ['of a player', 'player']);
  await aside.socket.ends(4002);
  assert.equal(aside.connection.state.state, 'stopped', 'the player hears of it');
  aside.connection.useToken(undefined);
  aside.connection.start();
  await aside.socket.welcome();
  assert.equal(aside.socket.sent[0][2].token, undefined);

  const late = fakeConnection();
  await late.socket.welcome();
  const open = fate(late.connection.request('time'));
  await late.socket.ends(4002, 'revoked');
  assert.deepEqual(
    [late.connection.state.state, late.connection.state.reason.code, late.sockets.length],
    ['stopped', 4002, 1],
  );
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
    assert.deepEqual(
      [made.connection.state.state, made.connection.state.reason],
      ['stopped', { code, text: 'why', error: undefined }],
    );
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
  assert.deepEqual(
    [made.socket.closedWith, made.connection.state.state, open.error.code],
    [1000, 'stopped', 'stopped'],
  );
  await made.clock.pass(100_000);
  assert.equal(made.sockets.length, 1);
  made.connection.start();
  await made.socket.welcome();
  assert.equal(made.socket.of('attach').length, 1, 'streams go on');
});
