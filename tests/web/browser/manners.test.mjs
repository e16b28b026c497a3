// A silent player is asked, answers, is asked again, and is claimed. A game is adjourned, and goes on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESKTOP, PHONE, eventually, prepareScene } from './harness.mjs';
import { checkEverywhere, checkFit } from './access.mjs';
import { command, primary } from './player.mjs';
import { CALM, leaveAll, together } from './tables.mjs';

const scene = prepareScene('[game]\nnudge_ms = 1500\nnudge_answer_ms = 6000\n');
const strip = (page, text) => page.locator('.strip').getByText(text);
const button = (page, name) => page.locator('.strip').getByRole('button', { name, exact: true });

/** Asks from the menu, as soon as the server allows it. */
async function ask(page) {
  await eventually(async () => {
    await page.getByRole('button', { name: 'More', exact: true }).click();
    const item = page.getByRole('dialog').getByRole('button', { name: /^Nudge / });
    await item.click({ timeout: 2000 }).catch(() => page.keyboard.press('Escape'));
    const isAsked = strip(page, /^You ask whether /).waitFor({ timeout: 1000 });
    return isAsked.then(() => true, () => false);
  }, 'the server allows to ask');
}

test('a silent player answers, or can be claimed', async () => {
  const visitors = await together(scene, 'classic', { options: CALM });
  const [silent, other] = visitors.map(({ page }) => page);
  await ask(other);
  await strip(silent, /asks whether you are still there$/).waitFor();
  assert.match(await silent.locator('.strip .left').textContent(), /^0:0[1-6]$/);
  await checkEverywhere(silent, 'a question whether the player is there', { part: '.strip' });
  await silent.setViewportSize(PHONE);
  await checkFit(silent, 'the same on a phone');
  await silent.setViewportSize(DESKTOP);
  await button(silent, 'I’m here').click();
  await button(silent, 'I’m here').waitFor({ state: 'detached' });
  await strip(other, / is still there$/).waitFor();
  assert.equal(await button(other, 'Claim the win').count(), 0);

  await ask(other);
  // The page can be a moment early: the server decides when the time has come.
  await button(other, 'Claim the win').waitFor();
  await eventually(async () => {
    await button(other, 'Claim the win').click({ timeout: 500 }).catch(() => {});
    return (await other.locator('.card.result').count()) > 0;
  }, 'the claim');
  for (const page of [silent, other]) await page.locator('.card.result').waitFor();
  await leaveAll(visitors);
});

test('a turn is an answer, and commands ask and answer', async () => {
  const visitors = await together(scene, 'classic', { options: CALM });
  const [silent, other] = visitors.map(({ page }) => page);
  await ask(other);
  await button(silent, 'I’m here').waitFor();
  await command(silent, 'here');
  await button(silent, 'I’m here').waitFor({ state: 'detached' });
  await ask(other);
  await button(silent, 'I’m here').waitFor();
  await command(silent, 'pass');
  await button(silent, 'I’m here').waitFor({ state: 'detached' });
  await eventually(async () => /Pass/.test(await primary(other).textContent()), 'the turn of the other player');
  await leaveAll(visitors);
});

test('players adjourn a game, and it goes on when both are ready', async () => {
  const visitors = await together(scene, 'classic', { options: CALM });
  const [one, other] = visitors.map(({ page }) => page);
  await one.getByRole('button', { name: 'More', exact: true }).click();
  await one.getByRole('dialog').getByRole('button', { name: /^Adjourn \(/ }).click();
  await strip(other, / asks to adjourn the game$/).waitFor();
  await checkEverywhere(other, 'a request to adjourn the game', { part: '.strip' });
  await other.setViewportSize(PHONE);
  assert.deepEqual(await other.locator('.strip .say > span').evaluateAll((parts) => parts
    .filter(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1)
    .map(({ textContent }) => textContent)), [], 'a phone shows all of the request');
  await other.setViewportSize(DESKTOP);
  await button(other, 'Adjourn').click();
  for (const page of [one, other]) await strip(page, /^Adjourned – resume by /).waitFor();
  await checkEverywhere(one, 'an adjourned game', { part: '.strip' });
  const lobby = await visitors[0].tab();
  await lobby.goto(`${scene.server.url}/`);
  await lobby.locator('.game-card').filter({ hasText: /Adjourned.*resume by / }).waitFor();
  await lobby.close();
  await one.setViewportSize(PHONE);
  await checkFit(one, 'the same on a phone');
  await one.setViewportSize(DESKTOP);
  await button(one, 'I’m ready').click();
  await button(one, 'I’m ready').waitFor({ state: 'detached' });
  await other.reload();
  await button(other, 'I’m ready').click();
  for (const page of [one, other]) await strip(page, /^Adjourned – resume by /).waitFor({ state: 'detached' });
  await leaveAll(visitors);
});

test('a player gets time and refuses more', async () => {
  const visitors = await together(scene, 'classic', { options: CALM });
  const [first, second] = visitors.map(({ page }) => page);
  await command(second, 'give 60');
  await strip(first, /gave you 1 min/).waitFor();
  const more = async (page, name) => {
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name }).click();
  };
  await more(second, /^Give .* 15 seconds$/);
  await strip(first, /gave you 15 sec/).waitFor();
  await more(first, /^Don’t accept extra time/);
  await strip(second, /doesn’t accept extra time/).waitFor();
  await command(second, 'give 15');
  await second.locator('.toast').getByText('Your opponent doesn’t accept extra time in this game.').waitFor();
  await leaveAll(visitors);
});
