// Connections that break, servers that die, pages that are reloaded: a game goes on, and no command counts twice.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Server, Visitor, eventually, prepareScene } from './harness.mjs';
import { findPlay, laid, look, playByCommand, playToTheEnd, turn } from './player.mjs';
import { Relay } from './relay.mjs';
import { botGame, leaveAll, resign } from './tables.mjs';

const CUTS = 20;

const scene = prepareScene();

async function startGame(visitor, url = scene.server.url) {
  await visitor.page.goto(`${url}/`);
  await botGame(visitor.page);
  return visitor.page;
}

/** The turns of the scoresheet: the number and the seat of each must occur once. */
async function checkSheet(page) {
  const numbers = await page.locator('.sheet .turn-row .t').allTextContents();
  assert.ok(numbers.length > 3, numbers.join(' '));
  assert.deepEqual(numbers, [...new Set(numbers)]);
}

test('a game survives twenty cuts of the network', async () => {
  const relay = await Relay.start(scene.server.port);
  const visitor = await Visitor.come(scene.browser, { url: relay.url });
  visitor.expectLoss(true);
  const page = await startGame(visitor, relay.url);
  let cuts = 0;
  const cut = () => {
    relay.cut();
    cuts += 1;
  };
  // After many short connections the page would wait for longer and longer; so the network says that it is back.
  await page.evaluate(() => void setInterval(() => window.dispatchEvent(new Event('online')), 200));
  await playToTheEnd(page, async (_, play) => {
    // Before a command, before its answer, and while the page connects.
    cut();
    await playByCommand(page, play);
    cut();
    await eventually(() => relay.ends.size > 0, 'the page connects again');
    cut();
  });
  assert.ok(cuts >= CUTS, `${cuts} cuts`);
  await checkSheet(page);
  await page.getByText('Fair draw verified').filter({ visible: true }).first().waitFor();
  await visitor.leave();
  relay.close();
});

test('a draft survives a kill of the server and a reload', async () => {
  const visitor = await Visitor.come(scene.browser, scene.server);
  visitor.expectLoss(true);
  const page = await startGame(visitor);
  const seen = await turn(page);
  const play = findPlay(seen);
  const squares = laid(play, seen.cols);
  const [[square, face]] = squares;
  const own = [...seen.rack].sort();
  const place = await page.evaluate((wanted) => {
    const tiles = [...document.querySelectorAll('.rack [data-place].tile')];
    return tiles.find((node) => node.querySelector('i').textContent === wanted)?.dataset.place;
  }, face.toUpperCase());
  await page.locator(`.rack [data-place="${place}"]`).click();
  await page.locator(`.board [data-square="${square}"]`).click();
  const hasAll = async () => {
    const now = await look(page);
    const tiles = [...now.rack, ...now.drafts.map(([, laidFace]) => (laidFace === laidFace.toLowerCase() ? '?' : laidFace))];
    return now.drafts.length === 1 && tiles.sort().join('') === own.join('');
  };
  await eventually(hasAll, 'the tile lies on the board');
  await scene.server.kill();
  await eventually(hasAll, 'the draft stays while the server is away');
  await scene.server.run();
  await page.reload();
  await eventually(hasAll, 'the draft is there after the reload');
  await page.keyboard.press('Escape');
  await playToTheEnd(page, (_, next) => playByCommand(page, next));
  await checkSheet(page);
  await visitor.leave();
});

test('the page says that the connection is lost, and comes back', async () => {
  const own = await Server.start();
  const visitor = await Visitor.come(scene.browser, own);
  visitor.expectLoss(true);
  const page = await visitor.open('/');
  await page.getByRole('button', { name: 'Play a bot now' }).waitFor();
  await own.kill();
  await page.locator('#banner').filter({ hasText: /connect/i }).waitFor();
  await own.run();
  await eventually(async () => (await page.locator('#banner').innerText()).trim() === '', 'the banner goes');
  await visitor.leave();
  await own.close();
});

test('a reload keeps an open offer', async () => {
  const visitor = await Visitor.come(scene.browser, scene.server);
  const page = await visitor.open('/');
  await page.getByRole('button', { name: 'Find a game' }).click();
  await page.getByRole('button', { name: 'Withdraw' }).first().waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Withdraw' }).first().waitFor();
  // The offer is one that somebody else can take, and the reloaded page begins the game.
  const other = await Visitor.come(scene.browser, scene.server);
  await (await other.open('/')).getByRole('button', { name: 'Find a game' }).click();
  for (const { page: one } of [visitor, other]) await one.locator('.rack .tile').first().waitFor();
  await resign(page);
  await leaveAll([visitor, other]);
});
