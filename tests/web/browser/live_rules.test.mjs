// Two pages under each kind of challenge: phonies and good words that are challenged, holds, consent; an exchange, a pass
// and a resignation.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, prepareScene } from './harness.mjs';
import { challenge, findPlay, judge, phonyOf, playByCommand, primary, turn } from './player.mjs';
import { CALM, duel, leaveAll, line, resign, scores, sheet, withWords } from './tables.mjs';

const scene = prepareScene();

/** A game of two whose racks have words. */
const match = (kind, options) => duel(scene, kind, { sit: withWords, ...options });

/** Plays a word that is in the lexicon or one that is not. Returns its score as the author's page shows it. */
async function lay(page, find) {
  const seen = await turn(page);
  await playByCommand(page, find(seen));
  await eventually(async () => (await sheet(page)).length > seen.turns, 'the play is on the sheet');
  return (await sheet(page)).at(-1).points;
}

/** The first player's phony comes off; the second player's word is good and is challenged. Returns what it scored. */
async function phonyAndWord({ first, second }, cost) {
  await lay(first, phonyOf);
  const said = await challenge(second);
  assert.match(said, cost);
  await line([first, second], 1, /challenged off by/);
  assert.deepEqual(await scores(first), { own: 0, other: 0 });
  assert.deepEqual((await turn(second)).board, []);
  const points = await lay(second, findPlay);
  await challenge(first);
  await line([first, second], 2, /challenged by .* – valid/);
  return points;
}

test('void: a phony is refused to its author alone', async () => {
  const { first, second, end } = await match('void', { 'first': 'owner' });
  const seen = await turn(first);
  const phony = phonyOf(seen);
  await playByCommand(first, phony);
  await first.getByText(`${phony.tiles.join('')} is not valid in wordnik. Try another play.`).filter({ visible: true }).first().waitFor();
  assert.deepEqual((await sheet(first)).length, 0);
  await first.keyboard.press('Escape');
  await lay(first, findPlay);
  await turn(second);
  assert.equal(await second.locator('.strip [data-act]').count(), 0);
  assert.equal((await sheet(second)).length, 1);
  await end();
});

test('single: a wrong challenge costs nothing', async () => {
  const game = await match('single', CALM);
  const points = await phonyAndWord(game, /no penalty/i);
  await turn(game.first);
  assert.deepEqual(await scores(game.first), { own: 0, other: points });
  await game.end();
});

test('double: a wrong challenge costs the turn', async () => {
  const game = await match('double', CALM);
  const points = await phonyAndWord(game, /you lose your next turn/);
  await line([game.first, game.second], 3, /turn skipped/);
  await turn(game.second);
  assert.deepEqual(await scores(game.second), { own: points, other: 0 });
  await game.end();
});

for (const [kind, cost, isPerWord] of [['five_point', 5, false], ['ten_point', 10, false], ['five_point', 5, true]]) {
  test(`${kind}${isPerWord ? ' for each word' : ''}: a wrong challenge costs points`, async () => {
    const game = await match(kind, { ...CALM, 'challenge.per_word': isPerWord });
    const points = await phonyAndWord(game, new RegExp(`costs you ${cost} points`));
    // The first word on the board is the only one of its play.
    await turn(game.first);
    assert.deepEqual(await scores(game.first), { own: 0, other: points + cost });
    await game.end();
  });
}

for (const [what, find, loser] of [['a phony', phonyOf, 'first'], ['a good word', findPlay, 'second']]) {
  test(`triple: a challenge of ${what} ends the game`, async () => {
    const game = await match('triple', CALM);
    await lay(game.first, find);
    assert.match(await challenge(game.second), /you lose the game/);
    const winner = loser === 'first' ? 'second' : 'first';
    await game[winner].getByRole('heading', { name: /^You won/ }).waitFor();
    await game[loser].getByText('lost the challenge and the game').first().waitFor();
    await game.end();
  });
}

test('a player holds a play, releases it and accepts it', async () => {
  const { first, second, end } = await match('double', CALM);
  await lay(first, findPlay);
  const left = (await first.locator('.rack .tile').count());
  assert.ok(left < 7, `${left} tiles`);
  await judge(second, 'hold');
  await first.locator('.strip', { hasText: 'holds the play' }).waitFor();
  await judge(second, 'release');
  assert.equal(await second.locator('.strip [data-act="hold"]').count(), 0);
  // Tiles are drawn when the play stands.
  assert.equal(await first.locator('.rack .tile').count(), left);
  await judge(second, 'accept');
  await first.locator('.rack .tile').nth(6).waitFor();
  assert.equal(await second.locator('.strip [data-act]').count(), 0);
  await end();
});

const CONSENT = { kind: 'single', ruleSet: 'classic', options: { ...CALM, 'challenge.consent': true } };
const BY_MAIL = { kind: 'double', ruleSet: 'email-challenge', options: { first: 'owner' } };

for (const { kind, ruleSet, options } of [CONSENT, BY_MAIL]) {
  test(`${ruleSet}: the author withdraws a challenged play, or lets it stand`, async () => {
    const { first, second, end } = await match(kind, { ruleSet, ...options });
    await lay(first, findPlay);
    await challenge(second);
    await second.locator('.strip', { hasText: 'decides' }).waitFor();
    await judge(first, 'withdraw');
    // A good word, but its author was not sure: the lexicon is not asked.
    await line([first, second], 1, /withdrawn/);
    assert.deepEqual((await turn(second)).board, []);
    await lay(second, phonyOf);
    await challenge(first);
    await judge(second, 'stand');
    await line([first, second], 2, /challenged off by/);
    await lay(first, findPlay);
    await challenge(second);
    await judge(first, 'stand');
    await line([first, second], 3, /challenged by .* – valid/);
    await end();
  });
}

test('three pages: the challenger loses the points, and a third player holds', async () => {
  const options = { ...CALM, 'challenge.kind': 'ten_point' };
  const visitors = await withWords(scene, 'classic', { count: 3, options });
  const [first, second, third] = visitors.map(({ page }) => page);
  const points = await lay(first, findPlay);
  await judge(third, 'hold');
  await second.locator('.strip', { hasText: 'holds' }).waitFor();
  await challenge(third);
  await line([first, second, third], 1, /challenged by .* – valid/);
  await eventually(async () => (await scores(third)).own === -10, 'the challenger pays');
  assert.equal((await scores(first)).own, points);
  await resign(third);
  await resign(second);
  await first.getByRole('heading', { name: /^You won/ }).waitFor();
  await leaveAll(visitors);
});

test('an exchange, a pass and a resignation', async () => {
  const { first, second, end } = await match('double', CALM);
  const before = (await turn(first)).rack;
  await first.getByRole('button', { name: 'Exchange tiles' }).click();
  const dialog = first.getByRole('dialog');
  for (const place of [0, 1, 2]) await dialog.locator('.tiles-to-choose .tile').nth(place).click();
  await dialog.getByRole('button', { name: 'Exchange tiles' }).click();
  await line([first, second], 1, /exchanged 3/);
  const hidden = (await sheet(second))[0].small;
  assert.equal(hidden, '');
  assert.equal((await sheet(first))[0].small, before.slice(0, 3).join(' '));
  await turn(second);
  await primary(second).click();
  await second.getByRole('dialog').getByRole('button', { name: 'Pass' }).click();
  await line([first, second], 2, /passed/);
  await turn(first);
  await resign(first);
  await second.getByRole('heading', { name: /^You won/ }).waitFor();
  await second.locator('.card.result', { hasText: 'resigned' }).waitFor();
  await end();
});
