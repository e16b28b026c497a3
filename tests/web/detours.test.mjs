// Detours: which page leads back where.

import assert from 'node:assert/strict';
import test from 'node:test';
import { detourOf, detourTo } from '../../server/web/src/page/detours.js';

const GAME = '/games/g1#code=abc';

test('a detour begins on the page before, and goes on from form to form', () => {
  const begun = detourTo('/login', GAME, null);
  assert.deepEqual(begun, { from: GAME });
  assert.deepEqual(detourTo('/register', '/login', begun), begun);
  assert.deepEqual(detourTo('/recover#by-mail', '/login', begun), begun);
  assert.deepEqual(detourTo('/account', '/settings', { from: GAME }), { from: GAME });
  for (const path of ['/', '/rules/classic', '/games/g2', '/friends']) assert.equal(detourTo(path, '/login', begun), undefined);
});

test('a form that begins on a detour returns to that', () => {
  const account = detourTo('/account', GAME, undefined);
  assert.deepEqual(detourTo('/register', '/account', account), { from: '/account', under: { from: GAME } });
  assert.deepEqual(detourTo('/login', '/settings', undefined), { from: '/settings' });
});

test('only paths of this origin are taken', () => {
  assert.deepEqual(detourOf({ from: '/games/g1', other: 1 }), { from: '/games/g1' });
  for (const from of ['//evil.example/', '/\\evil.example', 'https://evil.example/', 'games', '', 7, undefined]) {
    assert.equal(detourOf({ from }), undefined, String(from));
    assert.deepEqual(detourOf({ from: '/account', under: { from } }), { from: '/account' });
  }
  for (const state of [null, undefined, 'x', 3]) assert.equal(detourOf(state), undefined);
});
