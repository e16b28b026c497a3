// The page inside the page of a site, which says who the player is.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IdentityStore } from '../../server/web/src/store/identity.js';
import { Embedding } from '../../server/web/src/wire/embedding.js';
import { FakeClock, settled } from './fakes.mjs';

const SITE = 'https://site.example';

/** A window inside another one, and what the other one heard. */
function framed(origins = [SITE]) {
  const clock = new FakeClock();
  const heard = [];
  const listeners = [];
  const parent = { postMessage: (message, to) => heard.push([message, to]) };
  const window = { parent, addEventListener: (type, listener) => listeners.push(listener) };
  const use = { window, origins: async () => origins, setTimer: clock.setTimer };
  const say = (data, { source = parent, origin = SITE } = {}) =>
    listeners.forEach((listener) => listener({ data, source, origin }));
  return { use, window, heard, listeners, say, clock };
}

const token = (text) => ({ type: 'tilewire-token', token: text });

test('a token of the site is the first one, and later ones follow', async () => {
  const { use, heard, say } = framed();
  const embedding = await Embedding.open(use);
  assert.deepEqual(heard, [[{ type: 'tilewire-ready' }, '*']]);
  say(token('one'));
  assert.equal(await embedding.first, 'one');
  const later = [];
  embedding.onLater((text) => later.push(text));
  say(token('two'));
  assert.deepEqual(later, ['two']);
});

test('nothing else is taken', async () => {
  const { use, window, say, clock } = framed();
  const embedding = await Embedding.open(use);
  say(token('one'), { origin: 'https://evil.example' });
  say(token('one'), { origin: 'https://site.example.evil' });
  say(token('one'), { source: window });
  for (const data of [null, 'text', {}, token(''), token(7), token('x'.repeat(2049)), { ...token('one'), type: 'other' }])
    say(data);
  let first = 'none yet';
  void embedding.first.then((text) => (first = text));
  await settled();
  assert.equal(first, 'none yet');
  await clock.pass(3000);
  assert.equal(first, undefined, 'then the player is a guest');
});

test('a page that no other one contains listens to nobody', async () => {
  const { use, window, listeners, heard } = framed();
  window.parent = window;
  assert.equal(await Embedding.open(use), undefined);
  const closed = framed([]);
  assert.equal(await Embedding.open(closed.use), undefined, 'no origins are listed');
  assert.deepEqual([listeners, heard, closed.listeners, closed.heard], [[], [], [], []]);
});

test('the identity of a site is kept in memory, and the guest of the browser stays', () => {
  const kept = new Map([['tilewire.identity', JSON.stringify({ token: 'guest', identity: 'g' })]]);
  const storage = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
  const identities = new IdentityStore(storage);
  identities.useOnly('of the site');
  assert.equal(identities.kept.token, 'of the site');
  identities.keep({ token: 'of the server', identity: 'site-1' });
  assert.equal(identities.kept.token, 'of the server');
  identities.keep(undefined);
  assert.equal(identities.kept, undefined);
  assert.equal(identities.isReplacedBy({ key: 'tilewire.identity', newValue: null }, 'site-1'), false);
  assert.match(kept.get('tilewire.identity'), /guest/);
});
