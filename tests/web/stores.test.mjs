// Tests of the stores in the browser: with a storage that works, one that is full, and none.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IdentityStore } from '../../server/web/src/store/identity.js';
import { NonceStore } from '../../server/web/src/store/nonces.js';
import { Settings } from '../../server/web/src/store/settings.js';
import { sha256 } from '../../server/web/src/bag/sha256.js';
import { bytesOfText, bytesToText } from '../../server/web/src/bag/base64.js';

/** A storage of the browser in memory. */
function memory() {
  const kept = new Map();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

const FULL = {
  getItem: () => null,
  setItem() {
    throw new Error('full');
  },
  removeItem() {},
};

for (const [name, storage] of [['memory', memory()], ['a full storage', FULL], ['no storage', undefined]]) {
  test(`settings, identity and nonces with ${name}`, () => {
    const settings = new Settings(storage);
    const heard = [];
    settings.on((setting) => heard.push(setting));
    settings.set('theme', 'dark');
    settings.set('theme', 'dark');
    assert.deepEqual([settings.get('theme'), heard], ['dark', ['theme']]);

    const identities = new IdentityStore(storage);
    identities.keep({ token: 'secret', identity: 'me' });
    assert.deepEqual(identities.kept, { token: 'secret', identity: 'me' });
    identities.keep(undefined);
    assert.equal(identities.kept, undefined);

    const nonces = new NonceStore(storage);
    const { nonce, nonce_hash: hash } = nonces.draw();
    assert.equal(bytesToText(sha256(bytesOfText(nonce))), hash);
    nonces.keep('s1', nonce);
    nonces.move('s1', 'g1');
    assert.equal(nonces.of('g1'), nonce);
  });
}

test('another tab changes a setting', () => {
  const storage = memory();
  const [one, other] = [new Settings(storage), new Settings(storage)];
  const heard = [];
  one.on((setting) => heard.push(setting));
  other.set('sounds', false);
  one.takeStorageEvent({ key: 'tilewire.settings' });
  assert.deepEqual([one.get('sounds'), heard], [false, ['sounds']]);
});

test('a guest waits aside while a registered player is logged in', () => {
  const storage = memory();
  const identities = new IdentityStore(storage);
  const guest = { token: 'of the guest', identity: 'guest' };
  const anna = { token: 'of anna', identity: 'anna', handle: 'anna' };
  identities.keep(guest);
  identities.logIn(anna, 'Guest-1');
  assert.deepEqual([identities.kept, identities.aside], [anna, { ...guest, name: 'Guest-1' }]);
  identities.logIn({ token: 'of ben', identity: 'ben', handle: 'ben' }, 'anna');
  assert.deepEqual(new IdentityStore(storage).aside, { ...guest, name: 'Guest-1' }, 'a player does not wait');
  identities.logOut('ben');
  assert.deepEqual([identities.kept, identities.aside], [{ ...guest, name: 'Guest-1' }, undefined]);
  new IdentityStore(storage).logOut('ben');
  assert.deepEqual(identities.kept, { ...guest, name: 'Guest-1' }, 'another tab has logged ben out already');
  identities.logIn({ token: 'newer', identity: 'guest', handle: 'cleo' }, 'Guest-1');
  assert.equal(identities.aside, undefined, 'who registers in place leaves nobody behind');
  identities.logOut('guest');
  assert.equal(identities.kept, undefined);
});

test('a newer token of the same identity replaces nothing, another identity does', () => {
  const identities = new IdentityStore(memory());
  const event = (kept) => ({ key: 'tilewire.identity', newValue: kept && JSON.stringify(kept) });
  assert.equal(identities.isReplacedBy(event({ token: 'newer', identity: 'me' }), 'me'), false);
  assert.equal(identities.isReplacedBy(event({ token: 'x', identity: 'you' }), 'me'), true);
  assert.equal(identities.isReplacedBy(event(null), 'me'), true);
  assert.equal(identities.isReplacedBy({ key: 'other', newValue: null }, 'me'), false);
});
