// Tests of the requests that the lobby sends for the player's choices.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Setup } from '../../server/web/src/page/setup.js';

const USUAL = {
  rule_set: 'classic', seats: 2, lexicon: 'words', language: 'english',
  clock: { kind: 'overtime', initial_ms: 1_500_000, penalty_per_minute: 10, cap_ms: 600_000 },
  challenge: { kind: 'double', window_ms: 20_000 }, end: { limit: 3, per_seat: true, counts: 'scoreless' },
  first: 'draw',
};
const SLOW = {
  ...USUAL, rule_set: 'slow', clock: { kind: 'per_move', limit_ms: 432_000_000, bank_ms: 0 },
  challenge: { kind: 'void' },
};

/** A setup on a server with two rule sets and two lexica. */
function setupOf(lastGame) {
  const languages = ['english', 'german'];
  const rule = (usual, seats) => ({
    rule_set: { id: usual.rule_set, language: 'english' }, languages, min_seats: 2, max_seats: seats, usual,
    challenges: ['double', 'void'],
  });
  const sets = { classic: rule(USUAL, 4), slow: rule(SLOW, 2) };
  const rulebook = {
    connection: { hello: { lexica: [{ name: 'words', language: 'english' }, { name: 'worte', language: 'german' }] } },
    names: async () => [{ id: 'slow', name: 'Slow', languages }, { id: 'classic', name: 'Classic', languages }],
    get: async (id, language = 'english') => ({ ...sets[id], rule_set: { id, language } }),
  };
  const kept = { lastGame };
  const settings = { get: (name) => kept[name], set: (name, value) => { kept[name] = value; } };
  return { setup: new Setup(rulebook, settings, () => {}), kept, rulebook };
}

/** The same, when the server has described the rules. */
async function newSetup(lastGame) {
  const { setup, kept } = setupOf(lastGame);
  await setup.open();
  return { setup, kept };
}

/** The same on a server whose first description waits for `release`, which may refuse it. */
function slowSetup() {
  const { rulebook, ...rest } = setupOf();
  const { get } = rulebook;
  let release;
  const gate = new Promise((resolve, reject) => { release = (refused) => (refused ? reject(refused) : resolve()); });
  rulebook.get = (...which) => {
    rulebook.get = get;
    return gate.then(() => get(...which));
  };
  return { ...rest, release };
}

test('a quick game against a bot checks words, unless the player has chosen how to challenge', async () => {
  const { setup } = await newSetup();
  assert.equal(setup.canCheckWords, true);
  await setup.setPreset('days');
  assert.equal(setup.canCheckWords, true, 'a clock is no choice of that');
  await setup.use({ ...USUAL, challenge: { kind: 'triple', window_ms: 20_000 } });
  assert.equal(setup.canCheckWords, false);
  await setup.use(USUAL);
  setup.rules = { ...setup.rules, challenges: ['double'] };
  assert.equal(setup.canCheckWords, false, 'this rule set always has challenges');
});

test('the classic game with its usual options comes first', async () => {
  const { setup, kept } = await newSetup();
  assert.deepEqual(await setup.wish(), { options: USUAL });
  assert.equal(setup.preset, 'standard');
  assert.deepEqual(setup.unusual, []);
  assert.deepEqual(kept.lastGame.options, USUAL);
});

test('in a game over days a play can be challenged until the next one', async () => {
  const { setup } = await newSetup();
  await setup.setPreset('days');
  assert.equal(setup.options.challenge.window_ms, 0);
  assert.deepEqual(setup.unusual, []);
  await setup.setPreset('blitz');
  assert.equal(setup.options.challenge.window_ms, 20_000);
});

test('a rule set over days brings its own clock unless the player chose one', async () => {
  const { setup } = await newSetup();
  await setup.setSeats(4);
  await setup.choose('slow');
  assert.equal(setup.preset, 'days');
  assert.equal(setup.options.clock.limit_ms, 432_000_000);
  assert.equal(setup.options.seats, 2);
  await setup.setPreset('rapid');
  await setup.choose('classic');
  assert.equal(setup.preset, 'rapid');
});

test('a lexicon brings the tiles of its language', async () => {
  const { setup } = await newSetup();
  await setup.setLexicon('worte');
  assert.equal(setup.options.language, 'german');
  assert.equal(setup.rules.rule_set.language, 'german');
  await setup.choose('slow');
  assert.equal(setup.options.lexicon, 'worte');
});

test('own options are named, kept for the next visit, and given up', async () => {
  const { setup } = await newSetup();
  await setup.use({ ...setup.options, challenge: { kind: 'five_point', window_ms: 30_000 }, first: 'owner' });
  assert.deepEqual(setup.unusual.sort(), ['challenge', 'first']);
  const again = await newSetup({ options: setup.options });
  assert.deepEqual(again.setup.options, setup.options);
  await again.setup.reset();
  assert.deepEqual(again.setup.unusual, []);
});

test('options of a lexicon that is gone are forgotten', async () => {
  const { setup } = await newSetup({ options: { ...USUAL, lexicon: 'gone' } });
  assert.equal(setup.options.lexicon, 'words');
});

test('what is pressed before the server has described the rules acts on them', async () => {
  const { setup, release } = slowSetup();
  void setup.open();
  void setup.setPreset('blitz');
  void setup.setSeats(3);
  const wish = setup.wish();
  assert.equal(setup.rules, undefined);
  release();
  const { options } = await wish;
  assert.deepEqual([options.rule_set, options.seats, setup.preset], ['classic', 3, 'blitz']);
});

test('after a refused description the next wish asks again', async () => {
  const { setup, release, kept } = slowSetup();
  const opened = setup.open();
  release(new Error('busy'));
  await assert.rejects(opened, /busy/);
  assert.equal(kept.lastGame, undefined);
  assert.deepEqual(await setup.wish(), { options: USUAL });
});
