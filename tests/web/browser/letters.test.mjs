// Letters in the account: which kinds a player wants, and an address on a server without a mail server.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, prepareScene } from './harness.mjs';
import { PASSWORD, registered } from './people.mjs';
import { leaveAll } from './tables.mjs';

const scene = prepareScene();

test('a player chooses letters, and the choice lasts', async () => {
  const ida = await registered(scene, 'ida');
  const page = await ida.open('/account');
  const open = () => page.locator('summary').getByText('Letters by mail', { exact: true }).click();
  const box = (name) => page.getByRole('checkbox', { name });
  await open();
  await page.getByText('You have no mail address here: no letters come.').waitFor();
  for (const name of ['when it is my turn', 'about turns of others', 'when my time runs out']) {
    assert.equal(await box(name).isChecked(), true, name);
  }
  await box('about turns of others').uncheck();
  await page.getByText('Your choice is saved.').waitFor();
  await page.getByLabel('Language of the letters').selectOption('de');
  await page.reload();
  await open();
  await eventually(async () => !await box('about turns of others').isChecked(), 'the choice lasts');
  assert.equal(await page.getByLabel('Language of the letters').inputValue(), 'de');
  assert.equal(await box('when it is my turn').isChecked(), true);
  assert.equal(await page.getByRole('button', { name: 'Remove the address' }).count(), 0);

  const part = page.locator('details', { hasText: 'Letters by mail' });
  await part.getByLabel('Mail address', { exact: true }).fill('ida@example.net');
  await part.getByLabel('Current password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Send a code to this address' }).click();
  await page.getByText('This server sends no mail.').waitFor();
  await leaveAll([ida]);
});
