// Codes by mail, read from real letters: to register with an address, to log in, to recover, and for an account without a
// password.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESKTOP, Visitor, eventually, prepareScene } from './harness.mjs';
import { checkEverywhere } from './access.mjs';
import { MailServer } from './mail.mjs';
import { PASSWORD, tokenOf } from './people.mjs';
import { leaveAll } from './tables.mjs';

const OTHER_PASSWORD = 'quiet ladder seven harbour';
const mail = MailServer.prepare();
const scene = prepareScene(() => mail.config());

const come = () => Visitor.come(scene.browser, scene.server);
const field = (page, name) => page.getByRole('main').getByLabel(name, { exact: true });
const press = (page, name) => page.getByRole('main').getByRole('button', { name, exact: true }).click();
const says = (page, text) => page.getByText(text).first().waitFor();
const heading = (page, name) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const unfold = (page, name) => page.locator('summary').getByText(name, { exact: true }).click();
const isFocused = (found) => eventually(() => found.evaluate((node) => node === document.activeElement), 'it has the focus');

/** Another code than this one. */
const wrong = (code) => code.slice(0, -1) + (Number(code.at(-1)) + 1) % 10;

/** Enters an address in the first step, and the code from the letter in the second one. */
async function proveAddress(page, address) {
  await field(page, 'Email').fill(address);
  await press(page, 'Send a code');
  await isFocused(field(page, 'Code from the email'));
  await field(page, 'Code from the email').fill(await mail.code(address));
}

test('a player registers with an address, logs in and recovers by codes', async () => {
  const [anna, other] = [await come(), await come()];
  const page = await anna.open('/register');
  const address = field(page, 'Email (optional)');
  await address.waitFor();
  await field(page, 'Username').fill('anna');
  await field(page, 'Password').fill(PASSWORD);
  await address.fill('anna.example.net');
  await press(page, 'Register');
  await says(page, 'This is not a valid email.');
  await address.fill('anna@example.net');
  await press(page, 'Register');
  await page.getByRole('status').getByText('A code has been sent to anna@example.net.').waitFor();
  const code = field(page, 'Code from the email');
  await isFocused(code);
  assert.equal(await code.getAttribute('autocomplete'), 'one-time-code');
  await checkEverywhere(page, 'a code to register', { sizes: [DESKTOP] });
  await page.setViewportSize(DESKTOP);
  await code.fill(wrong(await mail.code('anna@example.net')));
  await press(page, 'Register');
  await says(page, 'This is not the code from the email.');
  await isFocused(code);
  // A code belongs to its address.
  await address.fill('anna@example.com');
  await code.waitFor({ state: 'hidden' });
  await address.fill('anna@example.net');
  await code.waitFor();
  await press(page, 'Send another code');
  await eventually(async () => await code.inputValue() === '', 'the field is empty for the other code');
  await code.fill(await mail.code('anna@example.net'));
  await page.keyboard.press('Enter');
  await heading(page, 'Your recovery codes');
  await page.getByRole('checkbox', { name: 'I have saved these codes.' }).check();
  await press(page, 'Done');
  await heading(page, 'Account');
  await unfold(page, 'Email notifications');
  await says(page, 'Emails go to anna@example.net.');

  await press(page, 'Sign out');
  await says(page, 'You are signed out, and a new guest.');
  await anna.open('/login');
  await press(page, 'Sign in with an emailed code');
  await field(page, 'Email').fill('nobody@example.net');
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('If an account uses nobody@example.net, a code has been sent there.').waitFor();
  await checkEverywhere(page, 'a code to log in', { sizes: [DESKTOP] });
  await page.setViewportSize(DESKTOP);
  await press(page, 'Use another email');
  await isFocused(field(page, 'Email'));
  await proveAddress(page, 'anna@example.net');
  await press(page, 'Sign in');
  await says(page, 'You are signed in as anna.');

  const far = await other.open('/login');
  await far.getByRole('link', { name: 'Forgot your password?' }).click();
  await press(far, 'Use an emailed code');
  await says(far, 'Set a new password with a code sent to your account’s email.');
  await proveAddress(far, 'anna@example.net');
  await field(far, 'New password').fill(OTHER_PASSWORD);
  await press(far, 'Set password');
  await says(far, 'Your new password is set, and you are signed in as anna.');
  await says(page, 'You are signed out: your session on this device has ended.');
  assert.deepEqual(mail.letters().filter(({ to }) => to === 'nobody@example.net'), []);

  await anna.open('/login');
  await press(page, 'Sign in with an emailed code');
  await press(page, 'Use your password');
  await field(page, 'Username').fill('anna');
  await field(page, 'Password').fill(OTHER_PASSWORD);
  await press(page, 'Sign in');
  await says(page, 'You are signed in as anna.');
  await leaveAll([anna, other]);
});

/** Registers a player who has an address and no password, as another client can. */
async function registerByMail(handle, address) {
  const visitor = await come();
  await visitor.open('/');
  await visitor.page.getByRole('button', { name: 'Play a bot now' }).waitFor();
  await eventually(() => visitor.page.evaluate(() => localStorage.getItem('tilewire.identity') !== null), 'the guest is kept');
  const post = async (path, body) => {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${await tokenOf(visitor.page)}` };
    const answer = await fetch(`${scene.server.url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    assert.ok(answer.ok, `${path}: ${answer.status}`);
    return answer.json();
  };
  const { ticket } = await post('/mail-codes', { address, purpose: 'register' });
  await post('/register', { handle, mail: { ticket, code: await mail.code(address) } });
  await visitor.leave();
}

test('a player without a password sets one, and then another address', async () => {
  await registerByMail('ben', 'ben@example.net');
  const ben = await come();
  const page = await ben.open('/login');
  await press(page, 'Sign in with an emailed code');
  await proveAddress(page, 'ben@example.net');
  await press(page, 'Sign in');
  await says(page, 'You are signed in as ben.');

  await ben.open('/account');
  await unfold(page, 'Email notifications');
  await says(page, 'No password yet? Set one first');
  await unfold(page, 'Change password');
  await press(page, 'Sign out and set a password by email');
  await heading(page, 'Recover the account');
  await proveAddress(page, 'ben@example.net');
  await field(page, 'New password').fill(PASSWORD);
  await press(page, 'Set password');
  await says(page, 'Your new password is set, and you are signed in as ben.');

  await ben.open('/account');
  await unfold(page, 'Email notifications');
  await says(page, 'Emails go to ben@example.net.');
  await proveAddress(page, 'benno@example.net');
  const formOf = (act) => page.locator('form', { has: page.getByRole('button', { name: act }) });
  const confirm = formOf('Confirm email');
  await confirm.getByLabel('Current password', { exact: true }).fill(OTHER_PASSWORD);
  await press(page, 'Confirm email');
  await says(page, 'This is not your current password.');
  await confirm.getByLabel('Current password', { exact: true }).fill(PASSWORD);
  await press(page, 'Confirm email');
  await says(page, 'Emails go to benno@example.net.');
  await formOf('Remove email').getByLabel('Current password', { exact: true }).fill(PASSWORD);
  await press(page, 'Remove email');
  await says(page, 'You have no email set, so no emails are sent.');
  await formOf('Remove email').waitFor({ state: 'hidden' });
  await leaveAll([ben]);
});
