// Accounts in browsers: register, log in and out, sessions, passwords, recovery codes; what becomes of the guest.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { DESKTOP, PHONE, Visitor, eventually, prepareScene } from './harness.mjs';
import { checkEverywhere } from './access.mjs';
import { botGame, resign } from './tables.mjs';

const PASSWORD = 'violet anchor thirteen soup';
const OTHER_PASSWORD = 'quiet ladder seven harbour';
/** Three wrong tries, and the next one has to wait. */
const scene = prepareScene('[limits]\nwrong_passwords = 3\n');

const come = (options) => Visitor.come(scene.browser, scene.server, options);
const heading = (page, name) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const says = (page, text) => page.getByText(text).first().waitFor();
const kept = (page, key = 'identity') => page.evaluate((name) => JSON.parse(localStorage.getItem(`tilewire.${name}`)), key);

/** Fills a form by the labels of its fields, and presses its button. */
async function fill(page, values, act, part = page) {
  for (const [label, value] of Object.entries(values)) await part.getByLabel(label, { exact: true }).fill(value);
  await page.getByRole('main').getByRole('button', { name: act, exact: true }).click();
}

/** Registers on the page of a guest; returns the recovery codes. */
async function register(page, handle) {
  await heading(page, 'Register');
  await fill(page, { Username: handle, Password: PASSWORD }, 'Register');
  await heading(page, 'Your recovery codes');
  return page.locator('.codes li').allTextContents();
}

async function confirmCodes(page) {
  await page.getByRole('checkbox', { name: 'I have saved these codes.' }).check();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.locator('.codes').waitFor({ state: 'detached' });
}

async function logIn(page, handle, password = PASSWORD) {
  await heading(page, 'Sign in');
  await fill(page, { Username: handle, Password: password }, 'Sign in');
}

/** Chooses something in the menu behind the own name. */
async function fromMenu(page, handle, item) {
  await page.locator('.bar').getByRole('button', { name: handle }).click();
  await page.locator('#me-menu').getByText(item, { exact: true }).click();
}

/** Opens a part of the account page. */
const unfold = (page, name) => page.locator('summary', { hasText: name }).click();
const sessions = (page) => page.locator('.sessions li');

test('register, log out, log in, end sessions, change the password, recover', async () => {
  const [first, second] = [await come(), await come()];
  const page = await first.open('/');
  await page.getByRole('button', { name: 'Play a bot now' }).waitFor();
  await page.locator('.bar').getByRole('link', { name: 'Register' }).click();
  const codes = await register(page, 'anna');
  assert.equal(new Set(codes).size, 10);
  await confirmCodes(page);
  await fromMenu(page, 'anna', 'Account');
  await says(page, '10 recovery codes left.');
  assert.equal(await sessions(page).count(), 1);
  await fromMenu(page, 'anna', 'Sign out');
  await says(page, 'You are signed out, and a new guest.');
  assert.equal((await kept(page)).handle, undefined);

  await page.locator('.bar').getByRole('link', { name: 'Sign in' }).click();
  await logIn(page, 'Anna');
  await says(page, 'You are signed in as anna.');
  const guest = (await kept(page, 'guest')).name;
  const other = await second.open('/login');
  await logIn(other, 'anna');
  await says(other, 'You are signed in as anna.');

  await fromMenu(page, 'anna', 'Account');
  await says(page, 'this browser');
  await eventually(async () => await sessions(page).count() === 2, 'both sessions are listed');
  await page.getByRole('button', { name: /^Sign out .*, / }).click();
  await says(page, 'Signed out there.');
  await eventually(async () => await sessions(page).count() === 1, 'one session is left');
  await says(other, 'You are signed out: your session on this device has ended.');
  await other.locator('#banner').getByRole('button', { name: 'Sign in' }).click();
  await logIn(other, 'anna');
  await says(other, 'You are signed in as anna.');

  await unfold(page, 'Change password');
  const change = page.locator('details', { hasText: 'Change password' });
  await fill(page, { 'Current password': OTHER_PASSWORD, 'New password': OTHER_PASSWORD }, 'Change password', change);
  await says(page, 'This is not your current password.');
  const current = change.getByLabel('Current password', { exact: true });
  assert.equal(await current.getAttribute('aria-invalid'), 'true');
  await fill(page, { 'Current password': PASSWORD, 'New password': OTHER_PASSWORD }, 'Change password', change);
  await says(page, 'Password changed');
  await says(other, 'You are signed out: your session on this device has ended.');

  await other.locator('#banner').getByRole('button', { name: 'Sign in' }).click();
  await logIn(other, 'anna');
  await says(other, 'Wrong username or password.');
  await other.getByRole('link', { name: 'Forgot your password?' }).click();
  await heading(other, 'Recover the account');
  const code = 'Recovery code';
  await fill(other, { Username: 'anna', [code]: 'nothing', 'New password': PASSWORD }, 'Set password');
  await says(other, 'Wrong username or code.');
  const typed = codes[3].toLowerCase().replaceAll('-', ' ');
  await fill(other, { Username: 'anna', [code]: typed, 'New password': PASSWORD }, 'Set password');
  await says(other, 'Your new password is set, and you are signed in as anna.');
  await says(page, 'You are signed out: your session on this device has ended.');
  await eventually(async () => (await kept(page))?.handle === undefined, 'the guest is back');
  await page.reload();
  await page.locator('.bar').getByRole('button', { name: guest }).waitFor();
  await other.goto(`${scene.server.url}/account`);
  await says(other, '9 recovery codes left.');
  await unfold(other, 'New recovery codes');
  const renew = other.locator('details', { hasText: 'New recovery codes' });
  await renew.getByLabel('Current password', { exact: true }).fill(PASSWORD);
  await renew.getByRole('button', { name: 'Get new codes' }).click();
  await heading(other, 'Your recovery codes');
  const renewed = await other.locator('.codes li').allTextContents();
  assert.equal(new Set([...codes, ...renewed]).size, 20, 'all codes are new');
  await confirmCodes(other);
  await says(other, '10 recovery codes left.');
  for (const visitor of [first, second]) await visitor.leave();
});

test('a guest waits while a player is logged in, and comes back with its games', async () => {
  const [owner, visitor] = [await come(), await come()];
  await register(await owner.open('/register'), 'berta');
  const page = await visitor.open('/');
  await botGame(page);
  const game = new URL(page.url()).pathname;
  const name = (await page.locator('.me .name').textContent()).trim();
  await visitor.open('/login');
  await says(page, `Your guest ${name} is kept on this device`);
  await logIn(page, 'berta');
  await says(page, 'You are signed in as berta.');
  await visitor.open(game);
  await page.getByRole('grid', { name: 'Board' }).waitFor();
  assert.equal(await page.locator('.rack .tile').count(), 0, 'the seat is that of the guest');
  const other = await visitor.tab();
  await other.goto(`${scene.server.url}/settings`);
  await other.getByRole('main').getByText('berta').waitFor();
  await fromMenu(page, 'berta', 'Sign out');
  await says(page, `You are signed out, and the guest ${name} again.`);
  await other.getByRole('main').getByText(name).waitFor();
  await page.locator(`a[href="${game}"]`).first().click();
  await page.locator('.rack .tile').first().waitFor();
  assert.equal(await kept(page, 'guest'), null);
  for (const one of [owner, visitor]) await one.leave();
});

test('a guest who registers keeps a game that is being played', async () => {
  const visitor = await come();
  const page = await visitor.open('/');
  await botGame(page);
  const game = new URL(page.url()).pathname;
  const rack = await page.locator('.rack .tile').allTextContents();
  await page.locator('.bar').getByRole('link', { name: 'Register' }).click();
  await register(page, 'cleo');
  // The codes are in memory until they are confirmed, and the account says so.
  await page.getByRole('link', { name: 'Tilewire' }).click();
  await page.locator(`a[href="${game}"]`).first().waitFor();
  await fromMenu(page, 'cleo', 'Account');
  await page.getByRole('link', { name: 'Show them' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await says(page, 'Save the codes, then tick the box.');
  await confirmCodes(page);
  await page.getByRole('link', { name: 'Tilewire' }).click();
  await page.locator(`a[href="${game}"]`).first().click();
  await page.locator('.rack .tile').nth(6).waitFor();
  assert.deepEqual((await page.locator('.rack .tile').allTextContents()).sort(), rack.sort());
  await resign(page);
  await page.locator('.card.result').waitFor();
  assert.equal(await page.getByRole('link', { name: /^Register/ }).count(), 0);
  await fromMenu(page, 'cleo', 'cleo');
  await heading(page, 'cleo');
  await says(page, 'Registered on');
  await visitor.leave();
});

test('every detour returns to where it began', async () => {
  const visitor = await come();
  const page = await visitor.open('/');
  await botGame(page);
  const game = new URL(page.url()).pathname;
  const isBack = async () => {
    await page.locator('.rack .tile').nth(6).waitFor();
    assert.equal(new URL(page.url()).pathname, game);
  };
  const wayBack = page.getByRole('link', { name: 'Back to the game' });
  // Registering, with a reload, after a look at the other form.
  await page.locator('.bar').getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('main').getByRole('link', { name: 'Register' }).click();
  await heading(page, 'Register');
  await page.reload();
  await wayBack.waitFor();
  await register(page, 'detlef');
  await confirmCodes(page);
  await isBack();
  // Settings and the account have no end of their own: a link leads back.
  await page.locator('.bar').getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('main').getByRole('link', { name: 'Account' }).click();
  await heading(page, 'Account');
  await wayBack.click();
  await isBack();
  // New codes begin on the account, which was itself a detour.
  await fromMenu(page, 'detlef', 'Account');
  await unfold(page, 'New recovery codes');
  const renew = page.locator('details', { hasText: 'New recovery codes' });
  await renew.getByLabel('Current password', { exact: true }).fill(PASSWORD);
  await renew.getByRole('button', { name: 'Get new codes' }).click();
  await confirmCodes(page);
  await heading(page, 'Account');
  await wayBack.click();
  await isBack();
  await resign(page);
  await page.locator('.card.result').waitFor();
  // Signing in, from a page that is no game.
  await fromMenu(page, 'detlef', 'Sign out');
  await says(page, 'You are signed out');
  await page.locator('.bar').getByRole('link', { name: 'Rules' }).click();
  await page.locator('.bar').getByRole('link', { name: 'Sign in' }).click();
  assert.equal(await wayBack.count(), 0);
  await logIn(page, 'detlef');
  await heading(page, 'Rules');
  await visitor.leave();
});

test('a game in another tab goes on when its player registers, and when the password changes', async () => {
  const visitor = await come();
  const table = await visitor.open('/');
  await botGame(table);
  const page = await visitor.tab();
  await page.goto(`${scene.server.url}/register`);
  await register(page, 'hanna');
  await confirmCodes(page);
  await table.locator('.bar').getByRole('button', { name: 'hanna' }).waitFor();
  const { token } = await kept(page);
  await heading(page, 'Account');
  await unfold(page, 'Change password');
  const change = page.locator('details', { hasText: 'Change password' });
  await fill(page, { 'Current password': PASSWORD, 'New password': OTHER_PASSWORD }, 'Change password', change);
  await eventually(async () => (await kept(page)).token !== token, 'another token takes the place of the first');
  await resign(table);
  await table.locator('.card.result').waitFor();
  assert.equal(await table.getByText('signed out').count(), 0);
  await visitor.leave();
});

test('after a game a guest hears once what registering gives', async () => {
  const visitor = await come({ size: PHONE, hasTouch: true });
  const page = await visitor.open('/');
  await botGame(page);
  assert.equal(await page.getByRole('link', { name: /^Register/ }).count(), 0, 'not while it is played');
  await resign(page);
  await page.getByRole('link', { name: 'Register to keep your games on every device' }).click();
  await heading(page, 'Register');
  await visitor.leave();
});

test('after wrong passwords the page counts down', async () => {
  const [owner, visitor] = [await come(), await come()];
  await register(await owner.open('/register'), 'dora');
  const page = await visitor.open('/login');
  const countdown = page.locator('[role=timer]');
  await logIn(page, 'dora', OTHER_PASSWORD);
  await says(page, 'Wrong username or password.');
  const button = page.getByRole('main').getByRole('button', { name: 'Sign in' });
  // The first waits are short, and each wrong try doubles them.
  await eventually(async () => {
    if (/0:0[2-9]/.test(await countdown.textContent() ?? '')) return true;
    if (await button.getAttribute('aria-disabled') === null) await button.click();
    return false;
  }, 'a wait of seconds is counted');
  await says(page, 'Too many wrong attempts.');
  assert.equal(await button.getAttribute('aria-disabled'), 'true');
  const asked = visitor.requests.length;
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await says(page, 'You can try again now.');
  assert.equal(visitor.requests.length, asked, 'nothing was sent while it counted');
  await button.click();
  await says(page, 'You are signed in as dora.');
  for (const one of [owner, visitor]) await one.leave();
});

test('what is wrong stands at its field, and codes can be copied and kept as a file', async () => {
  const visitor = await come({ permissions: ['clipboard-read', 'clipboard-write'] });
  const page = await visitor.open('/register');
  const [handle, password] = ['Username', 'Password'].map((label) => page.getByLabel(label, { exact: true }));
  const submit = page.getByRole('main').getByRole('button', { name: 'Register' });
  const attributes = (field) => field.evaluate((node) => [node.name, node.type, node.autocomplete, node.form.method]);
  assert.deepEqual(await attributes(handle), ['username', 'text', 'username', 'post']);
  assert.deepEqual(await attributes(password), ['password', 'password', 'new-password', 'post']);
  const errorOf = (field) => field.evaluate((node) => {
    const [error] = node.getAttribute('aria-describedby').split(' ').map((id) => document.getElementById(id));
    return node === document.activeElement && node.ariaInvalid === 'true' ? error.textContent : '';
  });
  const expectError = (field, text) => eventually(async () => (await errorOf(field)).includes(text), text);
  await submit.click();
  await expectError(handle, 'Please fill in this field.');
  for (const [typed, text] of [
    ['ab', 'at least 3 characters'], ['x'.repeat(21), 'at most 20 characters'], ['a b c', '3 to 20 letters'],
    ['12345', 'at least one letter'], ['аnna', 'one script'], ['admin', 'reserved'],
  ]) {
    await handle.fill(typed);
    await password.fill(PASSWORD);
    await submit.click();
    await expectError(handle, text);
  }
  await handle.fill('emil');
  for (const [typed, text] of [['short', 'at least 10 characters'], ['password123', 'easy to guess']]) {
    await password.fill(typed);
    await page.keyboard.press('Enter');
    await expectError(password, text);
  }
  await page.getByRole('button', { name: 'Show password' }).click();
  assert.equal(await password.getAttribute('type'), 'text');
  const codes = await register(page, 'emil');
  assert.equal(await page.evaluate(() => document.activeElement.tagName), 'H1');
  await page.getByRole('button', { name: 'Copy' }).click();
  await says(page, 'Codes copied.');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download' }).click()]);
  assert.equal(download.suggestedFilename(), 'tilewire-emil.txt');
  for (const text of [copied, await readFile(await download.path(), 'utf8')]) {
    for (const code of codes) assert.ok(text.includes(code));
  }
  await confirmCodes(page);

  await unfold(page, 'Change username');
  await fill(page, { 'New username': 'emil' }, 'Change username');
  await says(page, 'This is already your username.');
  await fill(page, { 'New username': 'emilia' }, 'Change username');
  await says(page, 'Your username is now emilia.');
  await page.locator('.bar').getByRole('button', { name: 'emilia' }).waitFor();
  await fill(page, { 'New username': 'emilie' }, 'Change username');
  await says(page, /You can change your username again from \w+ \d+, \d{4}/);
  await visitor.leave();
});

test('an account for everybody', async () => {
  const visitor = await come();
  const page = await visitor.open('/register');
  await page.getByRole('main').getByRole('button', { name: 'Register' }).click();
  await says(page, 'Please fill in this field.');
  await checkEverywhere(page, 'what is wrong', { sizes: [DESKTOP] });
  await register(page, 'frieda');
  await checkEverywhere(page, 'the codes', { sizes: [DESKTOP] });
  await confirmCodes(page);
  await says(page, 'this browser');
  await unfold(page, 'Change password');
  await unfold(page, 'Change username');
  await checkEverywhere(page, 'the account', { sizes: [DESKTOP] });
  await page.setViewportSize(DESKTOP);
  await page.locator('.bar').getByRole('button', { name: 'frieda' }).click();
  await checkEverywhere(page, 'the menu', { part: '#me-menu', sizes: [DESKTOP] });
  await page.keyboard.press('Escape');
  await visitor.open('/players/FRIEDA');
  await heading(page, 'frieda');
  await checkEverywhere(page, 'a player', { sizes: [DESKTOP] });
  await visitor.leave();
});

test('on a phone the menu has the account', async () => {
  const visitor = await come({ size: PHONE, hasTouch: true });
  const page = await visitor.open('/');
  const menu = async (item) => {
    await page.getByRole('button', { name: 'Menu' }).tap();
    await page.locator('#site-menu').getByText(item, { exact: true }).tap();
  };
  await menu('Register');
  await register(page, 'gustav');
  await confirmCodes(page);
  await menu('gustav');
  await heading(page, 'gustav');
  await menu('Sign out');
  await says(page, 'You are signed out, and a new guest.');
  await menu('Sign in');
  await logIn(page, 'gustav');
  await says(page, 'You are signed in as gustav.');
  await visitor.leave();
});

test('in German', async () => {
  const visitor = await come({ locale: 'de-DE' });
  const page = await visitor.open('/register');
  await heading(page, 'Registrieren');
  await fill(page, { Benutzername: 'hanna', Passwort: 'kurz' }, 'Registrieren');
  await says(page, 'Ein Passwort hat mindestens 10 Zeichen.');
  await visitor.leave();
});
