// The games to watch in the lobby: one against a house bot leaves the list with its player.

import { test } from 'node:test';
import { Visitor, prepareScene } from './harness.mjs';
import { botGame } from './tables.mjs';

const scene = prepareScene();

test('a game against a bot leaves the list with its player, and comes back', async () => {
  const [player, watcher] = [await Visitor.come(scene.browser, scene.server), await Visitor.come(scene.browser, scene.server)];
  const page = await player.open('/');
  await botGame(page);
  const { pathname } = new URL(page.url());
  const card = (await watcher.open('/')).locator(`.live a[href="${pathname}"]`).first();
  await card.waitFor();
  await page.goto('about:blank');
  await card.waitFor({ state: 'detached' });
  await player.open(pathname);
  await card.waitFor();
  await player.leave();
  await watcher.leave();
});
