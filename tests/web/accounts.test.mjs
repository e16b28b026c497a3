// Accounts: requests and their refusals, who plays in this browser, what forms say.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Account } from '../../server/web/src/page/account.js';
import { sendsMail } from '../../server/web/src/page/mailcode.js';
import { IdentityStore } from '../../server/web/src/store/identity.js';
import { countdownText, placeOf } from '../../server/web/src/view/accountform.js';
import { deviceLabel } from '../../server/web/src/text/device.js';
import { callApi } from '../../server/web/src/wire/api.js';
import { fakeConnection, fate, settled } from './fakes.mjs';

/** A `fetch` that answers and writes down what it was asked. */
function answering(status, body, headers = {}) {
  const asked = [];
  const send = async (path, request) => {
    asked.push({ path, ...request });
    return new Response(status === 204 ? null : body, { status, headers });
  };
  return { asked, send };
}

test('a request has its token in a header and its body in JSON', async () => {
  const { asked, send } = answering(200, '{"handle":"anna"}');
  assert.deepEqual(await callApi('/handle', { method: 'POST', body: { handle: 'anna' }, token: 'secret' }, send), { handle: 'anna' });
  const [{ path, method, headers, body, credentials }] = asked;
  assert.deepEqual([path, method, body, credentials], ['/api/v1/handle', 'POST', '{"handle":"anna"}', 'omit']);
  assert.deepEqual(headers, { Authorization: 'Bearer secret', 'Content-Type': 'application/json' });
  const open = answering(204);
  assert.equal(await callApi('/sessions', { method: 'DELETE' }, open.send), undefined);
  assert.deepEqual([open.asked[0].headers, open.asked[0].body], [{}, undefined]);
});

test('a refusal is that of the server, or says that something else answered', async () => {
  const refusedBy = async (status, body, headers) => {
    const error = await callApi('/me', {}, answering(status, body, headers).send).catch((refused) => refused);
    const { code, message, retryable, detail } = error;
    return { code, message, retryable, detail };
  };
  const error = { code: 'too_many_tries', message: 'wait', retryable: true, detail: { retry_after_ms: 1500 } };
  assert.deepEqual(await refusedBy(429, JSON.stringify(error), { 'Retry-After': '2' }), error);
  assert.deepEqual(await refusedBy(403, '{"code":"from_the_future","message":"no"}'),
    { code: 'from_the_future', message: 'no', retryable: false, detail: {} });
  assert.deepEqual(await refusedBy(503, '<h1>proxy</h1>'), { code: 'http_503', message: '', retryable: true, detail: {} });
  assert.equal((await refusedBy(404, '<h1>proxy</h1>')).retryable, false);
  assert.equal((await refusedBy(200, 'not JSON')).code, 'http_200');
  const away = await callApi('/me', {}, () => Promise.reject(new TypeError('no network'))).catch((refused) => refused);
  assert.deepEqual([away.code, away.retryable], ['unreachable', true]);
});

test('a refusal belongs to the field that it is about', () => {
  const place = (code, field) => placeOf({ code, detail: field && { field } });
  assert.deepEqual(['handle_taken', 'handle_too_short', 'no_change'].map((code) => place(code)), Array(3).fill('handle'));
  assert.deepEqual([place('password_too_weak'), place('wrong_proof')], ['password', 'current']);
  assert.deepEqual(['mail_code_wrong', 'mail_code_invalid', 'mail_taken'].map((code) => place(code)), ['code', 'code', 'address']);
  assert.deepEqual([place('bad_field', 'code'), place('bad_credentials'), place('too_many_tries')], ['code', undefined, undefined]);
});

test('the page offers codes by mail if the server says that it sends letters', async () => {
  const says = (status, body) => {
    const { asked, send } = answering(status, body);
    return sendsMail(send).then((isOn) => [asked[0].path, isOn]);
  };
  assert.deepEqual(await says(200, '{"protocol":1,"mail":true}'), ['/status', true]);
  assert.deepEqual(await says(200, '{"protocol":1}'), ['/status', false]);
  assert.deepEqual(await says(503, 'full: no room\n'), ['/status', false]);
  assert.equal(await sendsMail(() => Promise.reject(new TypeError('no network'))), false);
});

test('a countdown has minutes and seconds', () => {
  assert.deepEqual([1, 5000, 61_000, 899_001, 3_725_000].map(countdownText), ['0:01', '0:05', '1:01', '15:00', '1:02:05']);
});

test('browsers have names', () => {
  const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
  for (const [agent, label] of [
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/148.0.0.0 Safari/537.36`, 'Chrome, Windows'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/148.0.0.0 Safari/537.36 Edg/148.0`, 'Edge, Windows'],
    ['Mozilla/5.0 (Android 15; Mobile; rv:150.0) Gecko/150.0 Firefox/150.0', 'Firefox, Android'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1', 'Safari, iPhone'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15', 'Safari, macOS'],
    ['something else', 'Browser'],
  ]) assert.equal(deviceLabel(agent), label);
});

/** An account on a connection, and what the bar and the player are told. */
async function fakeAccount(kept) {
  const identities = new IdentityStore(undefined);
  identities.keep(kept);
  const told = [];
  const made = fakeConnection({
    token: kept?.token, name: undefined, instead: () => account.instead(), newer: (token) => account.newer(token),
  });
  const account = new Account({
    identities, connection: made.connection,
    frame: { bar: { setMe: (name, kind) => told.push(`${kind} ${name}`) }, toast: (text) => told.push(text) },
    router: () => ({ go: (path) => told.push(path), show: () => told.push('again') }),
  });
  return { ...made, get socket() { return made.socket; }, account, identities, told };
}

test('a guest registers in place, logs out, and is a new guest', async () => {
  const { socket, account, identities, told, ...made } = await fakeAccount(undefined);
  await socket.welcome({ identity: 'i1', name: 'Guest-1' });
  assert.deepEqual([account.kind, account.name, told.at(-1)], ['guest', 'Guest-1', 'guest Guest-1']);
  const taken = account.take({ me: { identity: 'i1', handle: 'anna' }, token: 'of anna' });
  assert.equal(made.sockets.length, 2);
  await made.sockets[1].welcome({ identity: 'i1', name: 'anna', token: 'newer' });
  await taken;
  assert.deepEqual(identities.kept, { token: 'newer', identity: 'i1', handle: 'anna' });
  assert.deepEqual([account.kind, account.guest, told.at(-1)], ['player', undefined, 'player anna']);
  account.isLeaving = true;
  await made.sockets[1].ends(4002);
  assert.equal(account.lost(), undefined, 'the end of the session is no surprise');
  const left = account.leave();
  await made.sockets[2].welcome({ identity: 'i2', name: 'Guest-2' });
  await left;
  assert.equal(made.sockets[2].sent[0][2].token, undefined);
  assert.deepEqual([account.kind, identities.kept.identity, told.at(-1)], ['guest', 'i2', '/']);
});

test('no tab loses a game when a new token takes the place of its own', async () => {
  const { account, identities, connection, sockets } = await fakeAccount({ token: 'old', identity: 'i1' });
  await sockets[0].welcome({ identity: 'i1', name: 'Guest-1', token: 'old' });
  const asked = fate(connection.request('time'));
  // Another tab registers the guest. The server closes the connection before that tab has the answer.
  identities.setChanging(true);
  await sockets[0].ends(4002);
  assert.deepEqual([connection.state.state, identities.kept.token, account.kind], ['waiting', 'old', 'guest']);
  connection.wake();
  assert.equal(sockets.length, 1, 'the refused token is not tried again');
  identities.keep({ token: 'new', identity: 'i1', handle: 'anna' });
  identities.setChanging(false);
  connection.wake();
  await sockets[1].welcome({ identity: 'i1', name: 'anna', token: 'new' });
  assert.equal(sockets[1].sent[0][2].token, 'new');
  assert.deepEqual([connection.state.state, account.kind, account.name], ['open', 'player', 'anna']);
  await settled();
  assert.equal(asked.error, undefined, 'open requests are asked again');
  // Without a newer token the session has ended.
  await sockets[1].ends(4002);
  assert.equal(connection.state.state, 'stopped');
});

test('the tab that changes the password keeps its game', async () => {
  const player = { token: 'old', identity: 'i1', handle: 'anna' };
  const { account, identities, connection, sockets } = await fakeAccount(player);
  await sockets[0].welcome({ identity: 'i1', name: 'anna', token: 'old' });
  const changed = account.change(async () => {
    await sockets[0].ends(4002);
    assert.equal(connection.state.state, 'waiting');
    return { ...player, token: 'new' };
  }, (me) => me);
  await settled();
  await sockets[1].welcome({ identity: 'i1', name: 'anna', token: 'new' });
  await changed;
  assert.equal(sockets[1].sent[0][2].token, 'new');
  assert.deepEqual([identities.kept, identities.isChanging], [{ ...player, token: 'new' }, false]);
  const failed = account.change(() => Promise.reject(new Error('refused')), (me) => me);
  await assert.rejects(failed, /refused/);
  assert.equal(identities.isChanging, false);
});

test('a session that has ended elsewhere gives way to the guest that waits', async () => {
  const made = await fakeAccount({ token: 'of the guest', identity: 'i1' });
  const { account, identities, told, sockets } = made;
  await sockets[0].welcome({ identity: 'i1', name: 'Guest-1', token: 'of the guest' });
  const taken = account.take({ me: { identity: 'i9', handle: 'anna' }, token: 'of anna' });
  await sockets[1].welcome({ identity: 'i9', name: 'Anna', token: 'newer' });
  await taken;
  assert.deepEqual([account.name, account.guest], ['Anna', 'Guest-1'], 'the server knows how the handle is written');
  await sockets[1].ends(4002);
  await settled();
  assert.deepEqual([account.kind, identities.kept.identity, identities.aside], ['guest', 'i1', undefined]);
  const { text, label, run } = account.lost();
  assert.match(`${text} ${label}`, /signed out.*Sign in/);
  run();
  assert.equal(sockets[2].closedWith, undefined);
  sockets[2].onopen();
  assert.equal(sockets[2].sent[0][2].token, 'of the guest');
  assert.equal(told.at(-1), '/login');
});

test('a session of an earlier visit that has ended gives way at once', async () => {
  const made = await fakeAccount(undefined);
  const { account, identities, told, sockets } = made;
  identities.keep({ token: 'of the guest', identity: 'i1' });
  identities.logIn({ token: 'of anna', identity: 'i9', handle: 'anna' }, 'Guest-1');
  const taken = account.take({ me: { identity: 'i9', handle: 'anna' }, token: 'of anna' });
  await made.socket.ends(4002);
  await made.socket.welcome({ identity: 'i1', name: 'Guest-1' });
  await taken;
  assert.equal(sockets.at(-1).sent[0][2].token, 'of the guest');
  assert.ok(told.some((text) => /signed out/.test(text)), told.join('; '));
  assert.deepEqual([account.kind, identities.kept.identity], ['guest', 'i1']);
});

test('a session that ends in two tabs leaves the guest that one of them has gone on as', async () => {
  const { account, identities, sockets } = await fakeAccount({ token: 'of anna', identity: 'i9', handle: 'anna' });
  await sockets[0].welcome({ identity: 'i9', name: 'anna' });
  identities.keep({ token: 'of the guest', identity: 'i1' });
  await sockets[0].ends(4002);
  assert.deepEqual(identities.kept, { token: 'of the guest', identity: 'i1' });
  assert.equal(account.kind, 'guest');
});
