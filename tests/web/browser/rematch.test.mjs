// A rematch from the result: offered, declined, agreed to, watched, and against a house bot.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PHONE, Server, Visitor, prepareScene } from './harness.mjs';
import { checkEverywhere, checkFit, settle } from './access.mjs';
import { command } from './player.mjs';
import { botGame, leaveAll, line, resign, together } from './tables.mjs';

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

test('a rematch that is asked for without a connection is not sent later', async () => {
  const server = await Server.start();
  const visitors = await together({ ...scene, server }, 'classic');
  const [first, second] = visitors.map(({ page }) => page);
  for (const visitor of visitors) visitor.expectLoss(true);
  await resign(second);
  await button(first, 'Rematch').waitFor();
  await server.kill();
  await first.locator('.bar .lag.off').waitFor({ state: 'attached' });
  await button(first, 'Rematch').click();
  await first.locator('.toast').getByText('disconnected').waitFor();
  await server.run();
  for (const page of [first, second]) await page.locator('.bar .lag.off').waitFor({ state: 'detached' });
  await button(second, 'Rematch').click();
  // An offer of the first player would have begun the game.
  await says(first, /wants a rematch\.$/);
  await leaveAll(visitors);
  await server.close();
});

test('the result has its table, its files and every choice at every size', async () => {
  const visitors = await together(scene, 'classic', { options: { first: 'owner' } });
  const [first, second] = visitors.map(({ page }) => page);
  await command(first, 'pass');
  await line([first, second], 1, /pass/);
  await resign(second);
  await button(first, 'Rematch').click();
  await button(second, 'Decline').waitFor();
  for (const size of [{ width: 360, height: 640 }, { width: 820, height: 1180 }, { width: 1280, height: 720 }]) {
    await second.setViewportSize(size);
    await settle(second);
    const cut = await second.locator('.choices .btn').evaluateAll((nodes) => (
      nodes.filter((node) => node.scrollWidth > node.clientWidth).map(({ textContent }) => textContent)));
    assert.deepEqual(cut, [], `${size.width}`);
    assert.equal(await second.locator('.choices .btn').count(), 4);
    for (const part of ['.final', '.proof .files']) {
      await second.locator(part).scrollIntoViewIfNeeded();
      assert.ok(await second.locator(part).isVisible(), `${part} at ${size.width}`);
    }
  }
  await leaveAll(visitors);
});
