// Whole games in the page: by keyboard, by touch, by the command box; against bots, the terminal client and other pages.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { CLIENT_PROGRAM, DESKTOP, PHONE, Visitor, prepareScene } from './harness.mjs';
import { findPlay, phonyOf, playByCommand, playByKeys, playByTouch, playToTheEnd, turn } from './player.mjs';
import { botGame, leaveAll, resign, together } from './tables.mjs';

// Turns of three and four players do not wait for challenges, so that games are short.
const scene = prepareScene('[game]\nprotect_ms = 0');

async function againstBot(options, make) {
  const visitor = await Visitor.come(scene.browser, scene.server, options);
  const page = await visitor.open('/');
  await botGame(page);
  const plays = await playToTheEnd(page, make);
  assert.ok(plays >= 3, `${plays} plays`);
  await page.locator('.card.result').waitFor();
  await page.getByText('Fair draw verified').filter({ visible: true }).first().waitFor();
  await visitor.leave();
}

test('a game by keyboard alone', () => againstBot({ size: DESKTOP }, playByKeys));

test('a game by touch alone on a phone', () => againstBot({ size: PHONE, hasTouch: true, isMobile: true }, playByTouch));

test('a game by the command box', () => againstBot({ size: DESKTOP }, playByCommand));

for (const [ruleSet, count] of [['classic', 2], ['wordfeud-random', 2]]) {
  test(`${count} pages play ${ruleSet}`, async () => {
    const visitors = await together(scene, ruleSet, { count });
    const plays = await Promise.all(visitors.map(({ page }) => playToTheEnd(page, playByCommand)));
    assert.ok(plays.reduce((sum, one) => sum + one, 0) >= 6, plays.join(' '));
    const results = await Promise.all(visitors.map(({ page }) => page.locator('.card.result table').innerText()));
    const totals = results.map((text) => text.match(/-?\d+\s*$/gm)?.map((total) => total.trim()).sort().join(' '));
    assert.equal(new Set(totals).size, 1, totals.join(' | '));
    await leaveAll(visitors);
  });
}

test('four pages play super until three have resigned', async () => {
  const visitors = await together(scene, 'super', { count: 4 });
  await Promise.all(visitors.map(async ({ page }, i) => {
    let plays = 0;
    await playToTheEnd(page, async (_, play) => {
      if (plays++ < 2 || i === 3) await playByCommand(page, play);
      else await resign(page);
    });
  }));
  await leaveAll(visitors);
});

test('a page plays the terminal client', async () => {
  const visitor = await Visitor.come(scene.browser, scene.server);
  const page = await visitor.open('/');
  const client = spawn(CLIENT_PROGRAM, ['--server', scene.server.url.replace('http', 'ws'), 'bot', '--quick', '--pause', '0'], { stdio: ['ignore', 'ignore', 'inherit'] });
  await page.getByRole('button', { name: 'Find a game' }).click();
  await page.locator('.rack .tile').first().waitFor();
  await playToTheEnd(page, playByCommand);
  client.kill();
  await visitor.leave();
});

test('a quick game against a bot checks words, and exchanges tiles by their letters', async () => {
  let visitor;
  let page;
  let seen;
  // The order is drawn, and the first play of a game needs no other. Only newcomers have the quick game.
  for (;;) {
    visitor = await Visitor.come(scene.browser, scene.server);
    page = await visitor.open('/');
    await botGame(page);
    seen = await turn(page);
    if (seen.board.length === 0 && findPlay(seen)) break;
    await resign(page);
    await visitor.leave();
  }
  await playByCommand(page, phonyOf(seen));
  await page.locator('.toast', { hasText: 'Not valid' }).waitFor();
  const [letter] = seen.rack.filter((face) => face !== '?');
  await page.getByRole('button', { name: 'Exchange tiles' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('.tile').first().focus();
  await page.keyboard.press(letter);
  await dialog.locator('.tile[aria-pressed="true"]', { hasText: letter }).first().waitFor();
  await dialog.locator('p.num', { hasText: '1' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await playByCommand(page, findPlay(seen));
  await turn(page);
  assert.equal(await page.locator('.strip [data-act="challenge"]').count(), 0);
  await resign(page);
  await visitor.leave();
});

test('a player resigns, after a question', async () => {
  const visitor = await Visitor.come(scene.browser, scene.server);
  const page = await visitor.open('/');
  await botGame(page);
  await resign(page);
  await page.locator('.card.result').waitFor();
  await visitor.leave();
});
