// Offers of the player: each becomes a game once, whatever order the server's messages come in.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Seeking } from '../../server/web/src/page/seeking.js';
import { NonceStore } from '../../server/web/src/store/nonces.js';

/** A connection whose answers the test gives. */
class FakeConnection {
  identity = 'me';
  sent = [];
  listeners = [];

  on(type, listener) {
    this.listeners.push(listener);
    return () => {};
  }

  command(op, body) {
    return new Promise((resolve, reject) => this.sent.push({ op, body, resolve, reject }));
  }

  push(op, body) {
    for (const listener of this.listeners) listener(op, body);
  }
}

const SEEK = { seek: 's1', owner: 'me', members: [{ identity: 'me', name: 'Anna' }], options: { seats: 2 } };

function newSeeking() {
  const connection = new FakeConnection();
  const nonces = new NonceStore(undefined);
  const begun = [];
  const seeking = new Seeking(connection, nonces, (game, seek) => {
    begun.push([game, seek?.seek, nonces.of(game) !== undefined]);
  });
  return { connection, nonces, seeking, begun };
}

test('a game that begins before the answer has its nonce', async () => {
  const { connection, seeking, begun } = newSeeking();
  const found = seeking.find({ options: SEEK.options });
  connection.push('game_created', { game: 'g1', seek: 's1', seat: 0 });
  assert.deepEqual(begun, []);
  connection.sent[0].resolve({ seek: SEEK });
  await found;
  assert.deepEqual(begun, [['g1', 's1', true]]);
  assert.equal(seeking.own.size, 0);
});

test('an answer with the game and the push are one game', async () => {
  const { connection, seeking, begun } = newSeeking();
  const offered = seeking.offer({ options: SEEK.options }, { bots: ['club'] });
  assert.deepEqual(connection.sent[0].body.bots, ['club']);
  assert.match(connection.sent[0].body.nonce_hash, /^[\w-]{43}$/);
  connection.sent[0].resolve({ seek: SEEK, game: 'g1' });
  await offered;
  connection.push('game_created', { game: 'g1', seek: 's1', seat: 0 });
  assert.deepEqual(begun, [['g1', 's1', true]]);
});

test('an offer waits, changes and is withdrawn', async () => {
  const { connection, seeking } = newSeeking();
  const found = seeking.find({ options: SEEK.options });
  connection.sent[0].resolve({ seek: SEEK });
  await found;
  assert.deepEqual([...seeking.own.keys()], ['s1']);
  connection.push('seek_changed', { seek: { ...SEEK, members: [...SEEK.members, { identity: 'you', name: 'Ben' }] } });
  assert.equal(seeking.own.get('s1').members.length, 2);
  const left = seeking.leave('s1');
  connection.sent[1].resolve({});
  await left;
  assert.equal(seeking.own.size, 0);
});

test('a list of the lobby does not take away an offer that is just being made', async () => {
  const { connection, seeking } = newSeeking();
  connection.push('seek_changed', { seek: SEEK });
  const found = seeking.find({ options: SEEK.options });
  seeking.takeList([]);
  assert.equal(seeking.own.size, 1);
  connection.sent[0].reject({ code: 'already_seeking' });
  await assert.rejects(found, { code: 'already_seeking' });
  seeking.takeList([]);
  assert.equal(seeking.own.size, 0);
});

test('a rematch that begins before the answer has its nonce', async () => {
  const { connection, seeking, begun } = newSeeking();
  const offered = seeking.rematch('old', 'CODE');
  assert.deepEqual(connection.sent[0].body.game, 'old');
  connection.push('game_created', { game: 'next', seek: 'unknown', seat: 0 });
  assert.deepEqual(begun, []);
  connection.sent[0].resolve({ game: 'next' });
  await offered;
  assert.deepEqual(begun, [['next', undefined, true]]);
});
