// The account page: everything about the player as a file, the erasure and its end, the vacation.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prepareScene } from './harness.mjs';
import { registered } from './people.mjs';
import { leaveAll } from './tables.mjs';

const scene = prepareScene();
const button = (page, name) => page.getByRole('button', { name, exact: true });
const openPart = (page, name) => page.locator('summary').getByText(name, { exact: true }).click();

test('a player downloads everything, asks to be erased and takes it back', async () => {
  const kim = await registered(scene, 'kim');
  const page = await kim.open('/account');
  await openPart(page, 'Your data');
  const [download] = await Promise.all([
    page.waitForEvent('download'), button(page, 'Download everything').click(),
  ]);
  assert.equal(download.suggestedFilename(), 'tilewire-player.zip');
  await page.getByText('Your data has been downloaded.').waitFor();

  await openPart(page, 'Delete the account');
  const handle = page.getByLabel('Type your username to confirm');
  await handle.fill('lea');
  await button(page, 'Delete the account').click();
  await page.getByText('This is not your username.').waitFor();
  await handle.fill('Kim');
  await button(page, 'Delete the account').click();
  await page.getByRole('main').getByText(/^Your account will be deleted on /).waitFor();
  await page.reload();
  const line = page.locator('#banner').getByText(/^Your account will be deleted on /);
  await line.waitFor();
  await openPart(page, 'Delete the account');
  await page.getByRole('main').getByRole('button', { name: 'Cancel deletion' }).click();
  await line.waitFor({ state: 'detached' });
  // Every page says it, and takes it back.
  await page.getByLabel('Type your username to confirm').fill('kim');
  await button(page, 'Delete the account').click();
  await line.waitFor();
  await kim.open('/rules');
  await line.waitFor();
  await page.locator('#banner').getByRole('button', { name: 'Cancel deletion' }).click();
  await page.getByText('Your account will not be deleted.').first().waitFor();
  await line.waitFor({ state: 'detached' });
  await kim.open('/account');
  await openPart(page, 'Delete the account');
  await button(page, 'Delete the account').waitFor();
  await leaveAll([kim]);
});

test('a player goes on vacation and comes back early', async () => {
  const mia = await registered(scene, 'mia');
  const page = await mia.open('/account');
  await openPart(page, 'Vacation');
  await page.getByText('You are not on vacation. 30 days left.').waitFor();
  const days = page.getByLabel('Days', { exact: true });
  await days.fill('31');
  await button(page, 'Go on vacation').click();
  await page.getByText('Enter a number of days from 1 to 30.').waitFor();
  await days.fill('5');
  await button(page, 'Go on vacation').click();
  await page.getByText(/^You are on vacation until .*\. 25 days left\.$/).waitFor();
  await button(page, 'End the vacation').click();
  await page.getByText('You are not on vacation. 29 days left.').waitFor();
  await leaveAll([mia]);
});
