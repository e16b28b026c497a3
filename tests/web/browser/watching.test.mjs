// A game as a spectator and as its players see it, in small things: steps, numbers of turns, names, the delay.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PHONE, Visitor, prepareScene } from './harness.mjs';
import { findPlay, look, phonyOf, challenge, playByCommand } from './player.mjs';
import { registered } from './people.mjs';
import { CALM, duel, leaveAll, line, withWords } from './tables.mjs';

const scene = prepareScene();
const button = (page, name) => page.getByRole('button', { name, exact: true });

test('a spectator steps along the turns of a live game', async () => {
  const visitors = await withWords(scene, 'classic', { options: { 'challenge.kind': 'void', first: 'owner' } });
  const [{ page: first }] = visitors;
  await playByCommand(first, findPlay(await look(first)));
  for (const size of [undefined, PHONE]) {
    const watcher = await Visitor.come(scene.browser, scene.server, size && { size });
    const page = await watcher.open(new URL(first.url()).pathname + new URL(first.url()).hash);
    await page.locator('.board .tile').first().waitFor();
    await button(page, 'Previous move').filter({ visible: true }).click();
    await page.locator('.board .tile').first().waitFor({ state: 'detached' });
    await button(page, 'Next move').filter({ visible: true }).click();
    await page.locator('.board .tile').first().waitFor();
    await watcher.leave();
  }
  await leaveAll(visitors);
});

test('turns are numbered without gaps after a challenge', async () => {
  const { first, second, end } = await duel(scene, 'double', { ...CALM, sit: withWords });
  await playByCommand(first, phonyOf(await look(first)));
  await second.locator('.strip.window').waitFor();
  await challenge(second);
  await line([first, second], 1, /./);
  await second.locator('.seats > .seat:last-child.turn').waitFor();
  await playByCommand(second, findPlay(await look(second)));
  await line([first, second], 2, /./);
  const numbers = await first.locator('.turn-row .t').allTextContents();
  assert.deepEqual(numbers, numbers.map((_, i) => String(i + 1)));
  await end();
});

test('a spectator of a delayed game is told of the delay', async () => {
  const visitors = await withWords(scene, 'classic', { options: { 'spectators.delay_ms': 3 } });
  const [{ page: first }] = visitors;
  const watcher = await Visitor.come(scene.browser, scene.server);
  const page = await watcher.open(new URL(first.url()).pathname + new URL(first.url()).hash);
  await page.getByText('Spectators see this game 3 min later than the players').waitFor();
  assert.equal(await page.getByText('not ready').count(), 0);
  await leaveAll([...visitors, watcher]);
});

test('the name of a registered opponent leads to the profile', async () => {
  const [anna, guest] = [await registered(scene, 'anna'), await Visitor.come(scene.browser, scene.server)];
  const page = await anna.open('/');
  await button(page, 'Invite by link').click();
  await page.getByRole('heading', { name: 'Invite a friend' }).waitFor();
  await guest.page.goto(await page.locator('input[readonly]').first().inputValue());
  await button(guest.page, 'Join game').click();
  const link = guest.page.locator('.seats').getByRole('link', { name: 'anna' });
  assert.equal(await link.getAttribute('href'), '/players/anna');
  assert.equal(await link.getAttribute('target'), '_blank');
  assert.equal(await page.locator('.seats').getByRole('link').count(), 0);
  await leaveAll([anna, guest]);
});
