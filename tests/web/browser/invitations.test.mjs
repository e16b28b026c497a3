// Invitations between two players at once: sent from a profile, declined, taken back, accepted, and ended by a block.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESKTOP, PHONE, eventually, prepareScene } from './harness.mjs';
import { checkEverywhere } from './access.mjs';
import { registered } from './people.mjs';
import { leaveAll } from './tables.mjs';

const scene = prepareScene();
const heading = (page, name) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const button = (page, name) => page.getByRole('button', { name, exact: true });
const says = (page, text) => page.getByText(text).first().waitFor();
const notice = (page) => page.locator('.toast', { hasText: 'invites you' });
const rows = (page) => page.locator('.at-invitations li');

/** Opens the form on the page of another player, and sends it. */
async function invites(visitor, handle) {
  const page = await visitor.open(`/players/${handle}`);
  await heading(page, handle);
  await button(page, 'Invite').click();
  await button(page, `Invite ${handle} to this game`).click();
  await says(page, `You have invited ${handle}.`);
}

test('an invitation is declined, taken back and accepted', async () => {
  const [anna, ben] = [await registered(scene, 'irene'), await registered(scene, 'jonas', { size: PHONE, hasTouch: true })];
  await ben.open('/');
  const page = await anna.open('/players/jonas');
  await heading(page, 'jonas');
  await button(page, 'Invite').click();
  await checkEverywhere(page, 'the form of an invitation', { sizes: [DESKTOP] });
  await page.setViewportSize(DESKTOP);
  await invites(anna, 'jonas');
  await notice(ben.page).waitFor();
  await checkEverywhere(ben.page, 'the notice of an invitation', { part: '#toasts' });
  await ben.page.setViewportSize(PHONE);
  await button(notice(ben.page), 'Decline irene’s invitation').click();
  await button(ben.page.getByRole('dialog'), 'Not right now').click();
  await says(page, 'jonas declined your invitation: not right now.');
  await eventually(async () => await notice(ben.page).count() === 0, 'the notice is gone');

  // The list of open ones, and the end by the player who has invited.
  await invites(anna, 'jonas');
  await anna.open('/friends');
  await rows(page).getByText('Invited by you').waitFor();
  await ben.open('/friends');
  await rows(ben.page).getByText('Invites you').waitFor();
  await checkEverywhere(page, 'open invitations', { sizes: [DESKTOP] });
  await page.setViewportSize(DESKTOP);
  await button(page, 'Cancel the invitation to jonas').click();
  for (const one of [page, ben.page]) await eventually(async () => await rows(one).count() === 0, 'nothing is open');

  // The invited player comes later.
  await ben.open('/rules');
  await invites(anna, 'jonas');
  await ben.page.reload();
  await button(notice(ben.page), 'Accept irene’s invitation').click();
  for (const one of [page, ben.page]) await one.locator('.rack .tile').first().waitFor();
  assert.equal(new URL(page.url()).pathname, new URL(ben.page.url()).pathname);
  await leaveAll([anna, ben]);
});

test('a block and a setting keep invitations away, and the sender sees no difference', async () => {
  const [kim, lea] = [await registered(scene, 'kim'), await registered(scene, 'lea')];
  await invites(kim, 'lea');
  await button(notice(lea.page), 'Block kim').click();
  await button(lea.page.getByRole('dialog'), 'Block').click();
  await eventually(async () => await notice(lea.page).count() === 0, 'the notice is gone');
  await kim.open('/friends');
  await rows(kim.page).getByText('Invited by you').waitFor();
  await lea.open('/friends');
  await button(lea.page, 'Unblock kim').click();

  await lea.open('/account');
  await lea.page.getByText('Invitations', { exact: true }).click();
  await lea.page.getByLabel('Allow invitations from').selectOption('nobody');
  await says(lea.page, 'Saved.');
  await button(kim.page, 'Cancel the invitation to lea').click();
  await eventually(async () => await rows(kim.page).count() === 0, 'nothing is open');
  await invites(kim, 'lea');
  await kim.open('/friends');
  await rows(kim.page).getByText('Invited by you').waitFor();
  await lea.open('/friends');
  await heading(lea.page, 'Friends');
  assert.equal(await notice(lea.page).count() + await rows(lea.page).count(), 0);
  await leaveAll([kim, lea]);
});
