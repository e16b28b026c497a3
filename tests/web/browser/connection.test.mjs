// Connections that break, servers that die, pages that are reloaded: a game goes on, and no command counts twice.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESKTOP, PHONE, Server, Visitor, eventually, prepareScene } from './harness.mjs';
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

/** Where the parts of a game are, and what its clocks show. */
const still = (page) => page.evaluate(() => ({
  places: ['.seats', '.board', '.strip', '.rack', '.primary'].map((part) => {
    const { x, y, width, height } = document.querySelector(part).getBoundingClientRect();
    return [part, x, y, width, height];
  }),
  clocks: [...document.querySelectorAll('.seat .clock')].map(({ textContent }) => textContent),
}));

test('a game without a connection stands still, says so, and takes nothing', async () => {
  for (const size of [DESKTOP, PHONE]) {
    const own = await Server.start();
    const visitor = await Visitor.come(scene.browser, own, { size });
    visitor.expectLoss(true);
    const page = await visitor.open('/');
    await botGame(page);
    await turn(page);
    // The command box is in a script that comes when it is opened first.
    await page.keyboard.press('/');
    await page.getByRole('dialog').getByRole('textbox').waitFor();
    await page.keyboard.press('Escape');
    const { places } = await still(page);
    await own.kill();
    const strip = page.locator('.strip');
    await strip.filter({ hasText: 'No connection' }).waitFor();
    const lost = await still(page);
    assert.deepEqual(lost.places, places, 'nothing moves');
    assert.equal(await page.locator('#banner p').isVisible(), false);
    for (const button of ['.primary', '.hand .btn[aria-label="Exchange tiles"]']) {
      assert.equal(await page.locator(button).getAttribute('aria-disabled'), 'true', button);
    }
    await page.keyboard.press('/');
    await page.getByRole('dialog').getByRole('textbox').fill('pass');
    await page.keyboard.press('Enter');
    // Attempts to connect are counted in seconds: time goes on, and the clocks do not.
    const said = await strip.innerText();
    await eventually(async () => (await strip.innerText()) !== said, 'the line changes');
    assert.deepEqual((await still(page)).clocks, lost.clocks);
    await own.run();
    await page.evaluate(() => void window.dispatchEvent(new Event('online')));
    await strip.filter({ hasText: 'Your turn' }).waitFor();
    assert.equal(await page.locator('.sheet .turn-row', { hasText: 'pass' }).count(), 0, 'nothing was sent later');
    assert.deepEqual((await still(page)).places, places);
    await resign(page);
    await visitor.leave();
    await own.close();
  }
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
