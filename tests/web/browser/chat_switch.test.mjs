// Chat switched off for the account: no rooms on any page of the player, and nobody who can write.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, prepareScene } from './harness.mjs';
import { registered } from './people.mjs';
import { leaveAll } from './tables.mjs';

const scene = prepareScene();
const button = (page, name) => page.getByRole('button', { name });

test('a player switches chat off and on for the account', async () => {
  const [ida, jon] = [await registered(scene, 'ida'), await registered(scene, 'jon')];
  for (const [visitor, handle] of [[ida, 'jon'], [jon, 'ida']]) {
    const page = await visitor.open(`/players/${handle}`);
    await page.getByRole('button', { name: 'Follow', exact: true }).click();
    await page.getByText(/You are following |You are friends/).first().waitFor();
  }
  const page = await ida.open('/account');
  await button(page, /^Messages/).waitFor();
  await page.locator('summary').getByText('Chat', { exact: true }).click();
  const chat = page.getByRole('checkbox', { name: 'Enable chat' });
  await eventually(() => chat.isEnabled(), 'the account is there');
  assert.equal(await chat.isChecked(), true);
  await chat.uncheck();
  await page.getByText('Chat is off. Nobody can message you.').waitFor();
  await eventually(async () => await button(page, /^Messages/).count() === 0, 'there are no messages');

  // The friend gets what a player gets who is no friend.
  const friends = await jon.open('/friends');
  await button(friends, 'Message ida').click();
  await friends.getByRole('dialog').getByText('You can only message friends.').waitFor();

  // It lasts.
  await page.reload();
  await page.locator('summary').getByText('Chat', { exact: true }).click();
  await eventually(() => chat.isEnabled(), 'the account is there again');
  assert.equal(await chat.isChecked(), false);
  await chat.check();
  await page.getByText('Chat is on.').waitFor();
  await button(page, /^Messages/).waitFor();
  await leaveAll([ida, jon]);
});
