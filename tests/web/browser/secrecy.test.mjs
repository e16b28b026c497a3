// A spectator sees no hidden tile; names and notices are text; a finished game replays with its proof.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { PHONE, Visitor, eventually, prepareScene } from './harness.mjs';
import { look, playByCommand, playToTheEnd } from './player.mjs';
import { botGame, resign } from './tables.mjs';

const NAMES = ['שלום עולם', 'ＷＷＷＷＷＷＷＷＷＷＷＷＷＷＷＷＷＷＷＷＷＷＷＷ', 'WWWWWWWWWWWWWWWWWWWWWWWW'];
const NOTICE = '<img src=x onerror="document.title=1"> & <b>restart</b> שלום';

const scene = prepareScene();

test('a spectator gets no hidden tile, in frames or elements', async () => {
  const player = await Visitor.come(scene.browser, scene.server);
  const page = await player.open('/');
  await botGame(page);
  const watcher = await Visitor.come(scene.browser, scene.server);
  const frames = [];
  watcher.page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => frames.push(payload)));
  await watcher.page.goto(page.url());
  await watcher.page.getByRole('grid', { name: 'Board' }).waitFor();
  let plays = 0;
  await playToTheEnd(page, async (_, play) => {
    const { rack } = await look(watcher.page);
    assert.deepEqual(rack, []);
    if (plays++ < 3) await playByCommand(page, play);
    else await resign(page);
  });
  await watcher.page.locator('.card.result').waitFor();
  const events = frames.map((frame) => JSON.parse(frame)).filter(([op]) => op === 'event' || op === 'snapshot');
  assert.ok(events.length > 10, `${events.length} events`);
  for (const [op, , body] of events) {
    if (body.kind === 'tiles_drawn' || body.kind === 'exchanged') assert.equal(body.tiles, undefined, body.kind);
    if (op === 'snapshot' && body.phase !== 'ended') assert.ok(body.seats.every(({ rack }) => rack === undefined));
  }
  await watcher.leave();
  await player.leave();
});

test('names are text in every width and direction', async () => {
  for (const name of NAMES) {
    const visitor = await Visitor.come(scene.browser, scene.server, { size: PHONE });
    const page = await visitor.open('/settings');
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill(name);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    await page.goto(`${scene.server.url}/`);
    await page.getByRole('button', { name: 'Play a bot now' }).click();
    const shown = page.locator('.seats bdi', { hasText: name.normalize('NFKC') });
    await shown.waitFor();
    const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
    assert.ok(scrollWidth <= clientWidth || scrollWidth === undefined, name);
    await resign(page);
    await page.locator('.card.result').waitFor();
    await visitor.leave();
  }
});

test('a notice is text', async () => {
  const visitor = await Visitor.come(scene.browser, scene.server);
  const page = await visitor.open('/');
  await page.getByRole('button', { name: 'Play a bot now' }).waitFor();
  const token = (await readFile(join(scene.server.directory, 'data', 'admin-token'), 'utf8')).trim();
  const answer = await fetch(`http://127.0.0.1:${scene.server.adminPort}/notice`, {
    method: 'POST', headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` }, body: JSON.stringify({ code: 'maintenance', text: NOTICE }),
  });
  assert.ok(answer.ok, await answer.text());
  await eventually(async () => (await page.locator('body').innerText()).includes(NOTICE), 'the notice is shown');
  assert.equal(await page.locator('img').count(), 0);
  await visitor.leave();
});

test('a finished game is replayed turn by turn, and every draw is proved', async () => {
  const visitor = await Visitor.come(scene.browser, scene.server);
  const page = await visitor.open('/');
  await botGame(page);
  let plays = 0;
  await playToTheEnd(page, async (_, play) => {
    if (plays++ < 3) await playByCommand(page, play);
    else await resign(page);
  });
  await page.getByText('Fair draw verified').filter({ visible: true }).first().waitFor();
  const all = (await look(page)).board.length;
  await page.keyboard.press('Home');
  await eventually(async () => (await look(page)).board.length === 0, 'the board before the first turn');
  for (let turn = 1; turn <= 3; turn++) await page.keyboard.press('ArrowRight');
  await eventually(async () => /turn=3/.test(page.url()), 'the address names the turn');
  // The page paints the board after it has changed the address.
  const onBoard = async (shown) => (await look(shown)).board.length;
  await eventually(async () => await onBoard(page) > 0, 'the board of the turn');
  const other = await Visitor.come(scene.browser, scene.server);
  await other.page.goto(page.url());
  await eventually(async () => await onBoard(other.page) === await onBoard(page), 'another browser shows the same turn');
  assert.ok(await onBoard(page) <= all);
  await other.leave();
  await visitor.leave();
});
