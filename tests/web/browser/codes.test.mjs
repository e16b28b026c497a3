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
  await field(page, 'Mail address').fill(address);
  await press(page, 'Send a code');
  await isFocused(field(page, 'Code in the letter'));
  await field(page, 'Code in the letter').fill(await mail.code(address));
}

test('a player registers with an address, logs in and recovers by codes', async () => {
  const [anna, other] = [await come(), await come()];
  const page = await anna.open('/register');
  const address = field(page, 'Mail address (optional)');
  await address.waitFor();
  await field(page, 'Handle').fill('anna');
  await field(page, 'Password').fill(PASSWORD);
  await address.fill('anna.example.net');
  await press(page, 'Register');
  await says(page, 'This is not a mail address.');
  await address.fill('anna@example.net');
  await press(page, 'Register');
  await page.getByRole('status').getByText('A code comes to anna@example.net.').waitFor();
  const code = field(page, 'Code in the letter');
  await isFocused(code);
  assert.equal(await code.getAttribute('autocomplete'), 'one-time-code');
  await checkEverywhere(page, 'a code to register', { sizes: [DESKTOP] });
  await page.setViewportSize(DESKTOP);
  await code.fill(wrong(await mail.code('anna@example.net')));
  await press(page, 'Register');
  await says(page, 'This is not the code in the letter.');
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
  await page.getByRole('checkbox', { name: 'I have kept the codes.' }).check();
  await press(page, 'Done');
  await heading(page, 'Account');
  await unfold(page, 'Letters by mail');
  await says(page, 'Letters come to anna@example.net.');

  await press(page, 'Log out');
  await says(page, 'You are logged out, and a new guest.');
  await anna.open('/login');
  await press(page, 'Log in with a code sent by mail');
  await field(page, 'Mail address').fill('nobody@example.net');
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('If an account has the address nobody@example.net, a code comes there.').waitFor();
  await checkEverywhere(page, 'a code to log in', { sizes: [DESKTOP] });
  await page.setViewportSize(DESKTOP);
  await press(page, 'Another address');
  await isFocused(field(page, 'Mail address'));
  await proveAddress(page, 'anna@example.net');
  await press(page, 'Log in');
  await says(page, 'You are logged in as anna.');

  const far = await other.open('/login');
  await far.getByRole('link', { name: 'Forgot the password?' }).click();
  await press(far, 'Use a code sent by mail');
  await says(far, 'A code sent to the mail address of your account sets a new password.');
  await proveAddress(far, 'anna@example.net');
  await field(far, 'New password').fill(OTHER_PASSWORD);
  await press(far, 'Set the password');
  await says(far, 'The new password is set, and you are logged in as anna.');
  await says(page, 'You are logged out: your session on this device has ended.');
  assert.deepEqual(mail.letters().filter(({ to }) => to === 'nobody@example.net'), []);

  await anna.open('/login');
  await press(page, 'Log in with a code sent by mail');
  await press(page, 'Use the password');
  await field(page, 'Handle').fill('anna');
  await field(page, 'Password').fill(OTHER_PASSWORD);
  await press(page, 'Log in');
  await says(page, 'You are logged in as anna.');
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
  await press(page, 'Log in with a code sent by mail');
  await proveAddress(page, 'ben@example.net');
  await press(page, 'Log in');
  await says(page, 'You are logged in as ben.');

  await ben.open('/account');
  await unfold(page, 'Letters by mail');
  await says(page, 'Without a password, set one first');
  await unfold(page, 'Change the password');
  await press(page, 'Log out and set a password by mail');
  await heading(page, 'Recover the account');
  await proveAddress(page, 'ben@example.net');
  await field(page, 'New password').fill(PASSWORD);
  await press(page, 'Set the password');
  await says(page, 'The new password is set, and you are logged in as ben.');

  await ben.open('/account');
  await unfold(page, 'Letters by mail');
  await says(page, 'Letters come to ben@example.net.');
  await proveAddress(page, 'benno@example.net');
  const formOf = (act) => page.locator('form', { has: page.getByRole('button', { name: act }) });
  const confirm = formOf('Confirm the address');
  await confirm.getByLabel('Current password', { exact: true }).fill(OTHER_PASSWORD);
  await press(page, 'Confirm the address');
  await says(page, 'This is not your current password.');
  await confirm.getByLabel('Current password', { exact: true }).fill(PASSWORD);
  await press(page, 'Confirm the address');
  await says(page, 'Letters come to benno@example.net.');
  await formOf('Remove the address').getByLabel('Current password', { exact: true }).fill(PASSWORD);
  await press(page, 'Remove the address');
  await says(page, 'You have no mail address here: no letters come.');
  await formOf('Remove the address').waitFor({ state: 'hidden' });
  await leaveAll([ben]);
});
