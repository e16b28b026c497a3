// A rematch from the result: offered, declined, agreed to, watched, and against a house bot.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PHONE, Visitor, prepareScene } from './harness.mjs';
import { checkEverywhere, checkFit } from './access.mjs';
import { botGame, leaveAll, resign, together } from './tables.mjs';

const scene = prepareScene();
const button = (page, name) => page.getByRole('button', { name, exact: true });
const says = (page, text) => page.locator('.result').getByText(text).waitFor();
const gameOf = (page) => new URL(page.url()).pathname;

async function leftFor(page, old) {
  await page.waitForURL((url) => url.pathname.startsWith('/games/') && url.pathname !== old);
  await page.locator('.rack .tile').first().waitFor();
}

test('two players play again, and a spectator follows them', async () => {
  const visitors = await together(scene, 'classic');
  const [first, second] = visitors.map(({ page }) => page);
  const watcher = await Visitor.come(scene.browser, scene.server, { size: PHONE });
  const old = gameOf(first);
  // A private game keeps its code in the rematch.
  const third = await watcher.open(old + new URL(first.url()).hash);
  await resign(second);
  await button(first, 'Rematch').click();
  await says(first, /^You want a rematch. Waiting for /);
  await says(second, /wants a rematch\.$/);
  await checkEverywhere(second, 'an offer of a rematch', { part: '.result' });
  await button(second, 'Decline').click();
  await says(first, /declined the rematch\.$/);

  // After a no, either player can offer again.
  await button(second, 'Rematch').click();
  await says(first, /wants a rematch\.$/);
  await button(first, 'Accept').click();
  for (const page of [first, second]) await leftFor(page, old);
  assert.equal(gameOf(first), gameOf(second));
  await button(third, 'Watch the rematch').click();
  await third.waitForURL(`**${gameOf(first)}#*`);
  assert.equal(new URL(first.url()).hash, new URL(third.url()).hash);
  await resign(first);
  await says(second, /^After 2 games: /);
  await says(third, /^After 2 games: .* 1, .* 1$/);
  await checkFit(third, 'the result of a series on a phone');
  await leaveAll([...visitors, watcher]);
});

test('a house bot agrees at once, and an offer can be taken back', async () => {
  const visitor = await Visitor.come(scene.browser, scene.server);
  const page = await visitor.open('/');
  await botGame(page);
  const old = gameOf(page);
  await resign(page);
  await button(page, 'Rematch').click();
  await leftFor(page, old);
  await visitor.leave();

  const visitors = await together(scene, 'classic');
  const [first, second] = visitors.map(({ page }) => page);
  await resign(second);
  await button(first, 'Rematch').click();
  await button(second, 'Accept').waitFor();
  await button(first, 'Withdraw the offer').click();
  await says(second, /withdrew the rematch offer\.$/);
  await button(first, 'Rematch').waitFor();
  await leaveAll(visitors);
});
