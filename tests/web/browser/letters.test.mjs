// Letters in the account: which kinds a player wants, and an address on a server without a mail server.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Visitor, eventually, prepareScene } from './harness.mjs';
import { registered } from './people.mjs';
import { leaveAll } from './tables.mjs';

const scene = prepareScene();

test('a player chooses letters, and the choice lasts', async () => {
  const ida = await registered(scene, 'ida');
  const page = await ida.open('/account');
  const open = () => page.locator('summary').getByText('Email notifications', { exact: true }).click();
  const box = (name) => page.getByRole('checkbox', { name });
  await open();
  await page.getByText('This server doesn’t send email.').waitFor();
  for (const name of ['when it’s my turn', 'when others move', 'when my time is running out']) {
    assert.equal(await box(name).isChecked(), true, name);
  }
  await box('when others move').uncheck();
  await page.getByText('Saved.').waitFor();
  const saved = page.waitForResponse((response) => response.url().endsWith('/account/letters'));
  await page.getByLabel('Email language').selectOption('de');
  await saved;
  await page.reload();
  await open();
  await eventually(async () => !await box('when others move').isChecked(), 'the choice lasts');
  assert.equal(await page.getByLabel('Email language').inputValue(), 'de');
  assert.equal(await box('when it’s my turn').isChecked(), true);
  for (const name of ['Send a code', 'Remove email']) {
    assert.equal(await page.getByRole('button', { name }).count(), 0, name);
  }
  await leaveAll([ida]);
});

test('a server without a mail server offers no codes', async () => {
  const guest = await Visitor.come(scene.browser, scene.server);
  for (const [path, act] of [['/login', 'Sign in'], ['/recover', 'Set password'], ['/register', 'Register']]) {
    const answered = guest.page.waitForResponse((response) => new URL(response.url()).pathname === '/status');
    const page = await guest.open(path);
    await page.getByRole('main').getByRole('button', { name: act, exact: true }).waitFor();
    assert.equal((await (await answered).json()).mail, undefined);
    // The page has dealt with the answer before it draws the next two frames.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    assert.equal(await page.getByRole('main').getByRole('button', { name: /mail/ }).count(), 0, path);
    assert.equal(await page.getByRole('textbox', { name: /Email/ }).count(), 0, path);
  }
  await guest.leave();
});
