// Hints: a first game against the beginner bot shows a play, lays its tiles, and says so in the scoresheet.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESKTOP, PHONE, Visitor, eventually, prepareScene } from './harness.mjs';
import { look, primary, turn } from './player.mjs';
import { chooseRules, line, onlyA } from './tables.mjs';

/** Every rack can be played as AA. */
const scene = prepareScene('', { 'only-a.toml': onlyA('only-a', 'Only A', 40) });

/** The strip of a game with this text. */
const says = (page, hasText) => page.locator('.strip', { hasText }).waitFor();
const act = (page, name) => page.locator('.strip').getByRole('button', { name, exact: true });

/** The player's first turn against the bot of the welcome card. */
async function firstTurn(size) {
  const visitor = await Visitor.come(scene.browser, scene.server, { size });
  const page = await visitor.open('/');
  await chooseRules(page, 'only-a');
  await page.getByRole('button', { name: 'Play a bot now' }).click();
  return { visitor, page, turns: (await turn(page)).turns };
}

test('a play is shown, its tiles are laid, and the turn is marked', async () => {
  const { visitor, page, turns } = await firstTurn(DESKTOP);
  await act(page, 'Show me a play (3)').click();
  await says(page, /Try AA at \w+ for \d+ points/);
  // A reload shows the same hint again.
  await page.reload();
  await says(page, /Try AA at \w+ for \d+ points/);
  await act(page, 'Place the tiles').click();
  await eventually(async () => (await look(page)).drafts.length === 2, 'the tiles are on the board');
  await primary(page).click();
  await line([page], turns + 1, /hint/);
  await turn(page);
  await act(page, 'Show me a play (2)').waitFor();
  await visitor.leave();
});

test('a phone has room for the button and the hint', async () => {
  const { visitor, page } = await firstTurn(PHONE);
  await act(page, 'Show me a play (3)').click();
  await says(page, /Try AA/);
  await act(page, 'Place the tiles').waitFor();
  const [whole, shown] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
  assert.ok(whole <= shown, `the page is ${whole} wide on a screen of ${shown}`);
  await visitor.leave();
});
