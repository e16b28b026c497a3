// The chat: the rooms of a game, direct messages between friends, blocks, refusals, a lost connection, and a phone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESKTOP, PHONE, Server, Visitor, eventually, prepareScene } from './harness.mjs';
import { checkEverywhere, checkFit, checkNoScroll } from './access.mjs';
import { registered } from './people.mjs';
import { botGame, leaveAll, resign, together } from './tables.mjs';

/** Players write more here than people do. */
const scene = prepareScene('[chat]\nburst = 1000\n');
const button = (page, name) => page.getByRole('button', { name });
const panel = (page) => page.locator('.chat');
const log = (part) => part.getByRole('log');
const field = (part) => part.getByRole('textbox', { name: 'Write a message' });
const opener = (page) => page.locator('.chat-tab:visible, .chat-tool:visible');
const gameOf = (page) => new URL(page.url()).pathname;

/** The texts of the lines that are shown. */
const texts = (part) => part.locator('.chat-line:not(.sending) .said').allTextContents();

async function says(part, ...said) {
  await eventually(async () => JSON.stringify(await texts(part)) === JSON.stringify(said), `the lines are ${said}; ${await texts(part)}`);
}

async function write(part, text) {
  await field(part).fill(text);
  await field(part).press('Enter');
}

async function openChat(page) {
  await opener(page).click();
  await log(panel(page)).waitFor();
}

/** Two registered players follow each other. */
async function befriend(one, other, names) {
  for (const [visitor, handle] of [[one, names[1]], [other, names[0]]]) {
    const page = await visitor.open(`/players/${handle}`);
    await page.getByRole('button', { name: 'Follow', exact: true }).click();
    await page.getByText(/You are following |You are friends/).first().waitFor();
  }
}

/** A private game of these visitors. */
async function play(first, second) {
  const page = await first.open('/');
  await page.getByRole('button', { name: 'Invite by link' }).click();
  await page.getByRole('heading', { name: 'Invite a friend' }).waitFor();
  await second.page.goto(await page.locator('input[readonly]').first().inputValue());
  await second.page.getByRole('button', { name: 'Join game' }).click();
  for (const { page: one } of [first, second]) await one.locator('.rack .tile').first().waitFor();
}

test('players and spectators write apart until the game is over', async () => {
  const visitors = await together(scene, 'classic');
  const [first, second] = visitors.map(({ page }) => page);
  const watcher = await registered(scene, 'walter');
  const reader = await Visitor.come(scene.browser, scene.server);
  const code = new URL(first.url()).hash;
  const third = await watcher.open(gameOf(first) + code);
  const fourth = await reader.open(gameOf(first) + code);
  for (const page of [first, second, third, fourth]) await openChat(page);
  await write(panel(first), 'good luck');
  await write(panel(third), 'what a rack');
  await says(panel(second), 'good luck');
  await write(panel(second), '<b>you</b> too &amp; https://example.org');
  await says(panel(first), 'good luck', '<b>you</b> too &amp; https://example.org');
  assert.equal(await panel(first).locator('.said').locator('a, b').count(), 0, 'what players write is text');
  assert.equal(await panel(first).locator('.chat-line.own').count(), 1);
  await says(panel(third), 'what a rack');
  await says(panel(fourth), 'what a rack');

  // A guest reads, and cannot write.
  await panel(fourth).getByText('Register to write here.').waitFor();
  assert.equal(await field(panel(fourth)).isVisible(), false);
  assert.equal(await panel(first).getByRole('radio').count(), 0, 'the players have one room');

  // Lines that nobody looks at are counted.
  await button(panel(second), 'Close').click();
  await write(panel(first), 'are you there?');
  await button(second, 'Chat, 1 new').waitFor();
  await openChat(second);
  await button(second, 'Close').waitFor();
  await eventually(async () => await second.getByRole('button', { name: /new$/ }).count() === 0, 'all is read');

  // The keys of the game are those of the chat while it has the focus.
  await button(panel(second), 'Close').click();
  await resign(second);
  for (const page of [first, second]) await page.locator('.card.result').waitFor();
  assert.equal(await panel(first).isVisible(), false, 'the result is not covered');
  await openChat(first);
  await panel(first).getByRole('radio', { name: /^Spectators/ }).check();
  await says(panel(first), 'what a rack');
  await says(panel(third), 'what a rack');
  assert.equal(await panel(third).getByRole('radio').count(), 0, 'the spectators have one room');
  await panel(first).getByRole('radio', { name: /^Players/ }).check();
  await says(panel(first), 'good luck', '<b>you</b> too &amp; https://example.org', 'are you there?');

  // The history is there after a reload, and what was read is no news.
  await first.reload();
  await opener(first).waitFor();
  await openChat(first);
  await panel(first).getByRole('radio', { name: 'Players', exact: true }).waitFor();
  await says(panel(first), 'good luck', '<b>you</b> too &amp; https://example.org', 'are you there?');
  await leaveAll([...visitors, watcher, reader]);
});

test('friends write to each other from the list of friends', async () => {
  const [anna, ben] = [await registered(scene, 'anna'), await registered(scene, 'ben')];
  await befriend(anna, ben, ['anna', 'ben']);
  // The conversation is wanted before the server has greeted the player, and opens then.
  let greet;
  const greeted = new Promise((resolve) => { greet = resolve; });
  await anna.page.routeWebSocket('**/ws', (client) => {
    let count = 0;
    client.connectToServer().onMessage(async (message) => {
      count += 1;
      if (count > 1) await greeted;
      client.send(message);
    });
  });
  const page = await anna.open('/friends');
  await page.getByRole('button', { name: 'Message ben' }).click();
  // The script of the chat is there, and has heard of the click.
  await page.waitForFunction(() => document.adoptedStyleSheets.some(({ cssRules }) => (
    [...cssRules].some(({ selectorText }) => selectorText === '.chat-line'))));
  const dialog = page.getByRole('dialog');
  assert.equal(await dialog.count(), 0);
  greet();
  await dialog.getByText('No messages yet.').waitFor();
  await write(dialog, 'a game tonight?');
  await says(dialog, 'a game tonight?');

  // Ben is in a game, and sees it in the bar.
  await ben.open('/');
  await botGame(ben.page);
  await button(ben.page, 'Messages, 1 new').click();
  const other = ben.page.getByRole('dialog');
  await checkEverywhere(ben.page, 'the conversations', { part: 'dialog', sizes: [DESKTOP] });
  await ben.page.setViewportSize(DESKTOP);
  await button(other, /^anna/).click();
  await says(other, 'a game tonight?');
  await write(other, 'at eight');
  await says(dialog, 'a game tonight?', 'at eight');
  await checkEverywhere(ben.page, 'a conversation', { part: 'dialog' });
  await ben.page.setViewportSize(DESKTOP);
  await ben.page.keyboard.press('Escape');
  await other.waitFor({ state: 'detached' });
  const focused = await ben.page.evaluate(() => document.activeElement?.className);
  assert.match(focused, /messages/, 'the focus returns to the button');
  await button(ben.page, /^Messages$/).waitFor();

  // A line that comes later is counted wherever the player is; after a reload too.
  await write(dialog, 'eight it is');
  await button(ben.page, 'Messages, 1 new').waitFor();
  await ben.page.reload();
  await button(ben.page, 'Messages, 1 new').waitFor();
  await button(ben.page, 'Messages, 1 new').click();
  await button(other, /^anna.*1 new$/).click();
  await says(other, 'a game tonight?', 'at eight', 'eight it is');

  // The name leads to the profile, and the dialog goes.
  await other.locator('.chat-line').getByRole('link', { name: 'anna' }).first().click();
  await ben.page.getByRole('heading', { level: 1, name: 'anna', exact: true }).waitFor();
  assert.equal(await other.count(), 0);

  // Friends no longer.
  await ben.page.getByRole('button', { name: 'Unfollow' }).click();
  await ben.page.getByText('You no longer follow anna.').waitFor();
  await write(dialog, 'hello?');
  await dialog.getByText('You can only message friends.').waitFor();
  await leaveAll([anna, ben]);
});

test('a block hides lines', async () => {
  const [cleo, dora] = [await registered(scene, 'cleo'), await registered(scene, 'dora')];
  await play(cleo, dora);
  for (const { page } of [cleo, dora]) await openChat(page);
  await write(panel(dora.page), 'you are slow');
  const mine = panel(cleo.page);
  await says(mine, 'you are slow');
  assert.equal(await panel(dora.page).locator('.chat-line.own .more').count(), 0, 'nobody blocks oneself');
  await button(mine, 'More about dora').click();
  const menu = cleo.page.locator('.line-menu');
  assert.equal(await menu.getByRole('link', { name: 'Profile' }).getAttribute('href'), '/players/dora');
  await cleo.page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  assert.ok(await mine.isVisible(), 'Esc closes the menu alone');
  await button(mine, 'More about dora').click();
  await menu.getByRole('button', { name: 'Block' }).click();
  await cleo.page.getByRole('dialog').getByRole('button', { name: 'Block' }).click();
  await cleo.page.getByText('You have blocked dora.').waitFor();
  await says(mine);
  await write(panel(dora.page), 'hello?');
  await says(panel(dora.page), 'you are slow', 'hello?');
  await write(mine, 'nobody reads this');
  await says(mine, 'nobody reads this');
  await cleo.page.reload();
  await openChat(cleo.page);
  await says(mine, 'nobody reads this');
  await leaveAll([cleo, dora]);
});

test('what was refused is said beside the field, and the text stays', async () => {
  const visitors = await together(scene, 'classic');
  const [{ page }] = visitors;
  await openChat(page);
  const part = panel(page);
  await write(part, 'again');
  await says(part, 'again');
  await write(part, 'again');
  await part.getByText(/You just said that\. Please wait \d+ s\./).waitFor();
  assert.equal(await field(part).inputValue(), 'again');
  await checkEverywhere(page, 'a refused line', { part: '.chat', sizes: [DESKTOP] });
  await page.setViewportSize(DESKTOP);
  await field(part).fill('x'.repeat(260));
  await part.getByText('260 of 300 characters').waitFor();
  await field(part).fill('🙂'.repeat(301));
  await field(part).press('Enter');
  await part.getByText('Messages can have at most 300 characters; this one has 301.').waitFor();
  assert.equal(await field(part).getAttribute('aria-invalid'), 'true');
  await write(part, '🙂'.repeat(300));
  await says(part, 'again', '🙂'.repeat(300));
  assert.equal(await field(part).inputValue(), '');
  await leaveAll(visitors);
});

test('a player who writes too fast hears how long to wait', async () => {
  const strict = await Server.start('[chat]\nburst = 1\nlines_per_minute = 2\n');
  const visitors = await together({ ...scene, server: strict }, 'classic');
  const [{ page }] = visitors;
  await openChat(page);
  const part = panel(page);
  await write(part, 'one');
  await says(part, 'one');
  await write(part, 'two');
  await part.getByText(/You’re sending messages too fast\. Please wait \d+ s\./).waitFor();
  assert.equal(await field(part).inputValue(), 'two');
  await leaveAll(visitors);
  await strict.close();
});

test('a reader who has scrolled up stays there', async () => {
  const visitors = await together(scene, 'classic');
  const [first, second] = visitors.map(({ page }) => page);
  for (const page of [first, second]) await openChat(page);
  const all = Array.from({ length: 30 }, (_, i) => `line ${i + 1}`);
  for (const [i, text] of all.entries()) {
    await write(panel(first), text);
    await says(panel(first), ...all.slice(0, i + 1));
  }
  await says(panel(second), ...all);
  const top = () => log(panel(second)).evaluate((node) => node.scrollTop);
  assert.ok(await top() > 0, 'the last line is shown');
  await log(panel(second)).evaluate((node) => { node.scrollTop = 10; });
  await write(panel(first), 'below');
  const newer = button(panel(second), 'New messages');
  await newer.waitFor();
  assert.equal(await top(), 10);
  await newer.click();
  await newer.waitFor({ state: 'hidden' });
  assert.ok(await top() > 10);
  await leaveAll(visitors);
});

test('a lost connection loses no line and doubles none', async () => {
  const server = await Server.start('[chat]\nburst = 1000\n');
  const visitors = await together({ ...scene, server }, 'classic');
  const [first, second] = visitors.map(({ page }) => page);
  for (const page of [first, second]) await openChat(page);
  await write(panel(first), 'before');
  await says(panel(second), 'before');
  for (const visitor of visitors) visitor.expectLoss(true);
  await server.kill();
  await first.locator('.strip').filter({ hasText: 'No connection' }).waitFor();
  await write(panel(first), 'meanwhile');
  await panel(first).locator('.chat-line.sending').waitFor();
  await server.run();
  for (const page of [first, second]) await says(panel(page), 'before', 'meanwhile');
  await write(panel(second), 'after');
  for (const page of [first, second]) await says(panel(page), 'before', 'meanwhile', 'after');
  await first.locator('.chat-line.sending').waitFor({ state: 'detached' });
  await leaveAll(visitors);
  await server.close();
});

test('a game that ends shows its result beside a chat line that is begun', async () => {
  const visitors = [await registered(scene, 'gina'), await registered(scene, 'hugo')];
  await play(...visitors);
  const [first, second] = visitors.map(({ page }) => page);
  for (const page of [first, second]) await openChat(page);
  await field(panel(first)).fill('well pl');
  await field(panel(second)).fill('left behind');
  await second.locator('.board').click();
  await resign(second);
  // The one writes on, and sees the result; the other has left the field.
  await first.locator('.card.result').waitFor();
  assert.equal(await field(panel(first)).inputValue(), 'well pl');
  await second.locator('.card.result').waitFor();
  await panel(second).waitFor({ state: 'hidden' });
  await field(panel(first)).fill('');
  await panel(first).waitFor({ state: 'hidden' });
  // Seats and card have the same scores.
  const shown = await first.locator('.seats .score').allTextContents();
  const card = await first.locator('.card.result .final td:last-child').allTextContents();
  assert.deepEqual(shown.sort(), card.map((text) => text.trim()).sort());
  await leaveAll(visitors);
});

test('on a phone the chat is a sheet', async () => {
  const visitors = await together(scene, 'classic');
  const [first, second] = visitors.map(({ page }) => page);
  await first.setViewportSize(PHONE);
  await button(first, 'Chat').waitFor();
  await openChat(second);
  await write(panel(second), 'hello');
  await button(first, 'Chat, 1 new').click();
  await says(panel(first), 'hello');
  await checkFit(first, 'the sheet of the chat');
  await checkNoScroll(first, 'the sheet of the chat');
  await checkEverywhere(first, 'the sheet of the chat', { part: '.chat' });
  await first.setViewportSize(PHONE);
  await write(panel(first), 'qi');
  await says(panel(first), 'hello', 'qi');
  assert.equal(await first.locator('.board .draft').count(), 0, 'letters of the chat are no tiles');
  await first.keyboard.press('Escape');
  await panel(first).waitFor({ state: 'hidden' });
  assert.equal(await first.evaluate(() => document.activeElement?.getAttribute('aria-label')), 'Chat');
  await button(first, 'Chat').click();
  await first.locator('.chat-scrim').click({ position: { x: 20, y: 20 } });
  await panel(first).waitFor({ state: 'hidden' });
  await leaveAll(visitors);
});

test('the panel does not make the board smaller', async () => {
  const visitors = await together(scene, 'classic');
  const [{ page }] = visitors;
  for (const size of [DESKTOP, { width: 1440, height: 1000 }, { width: 820, height: 1180 }, { width: 740, height: 360 }]) {
    await page.setViewportSize(size);
    await opener(page).waitFor();
    const board = () => page.locator('.board').boundingBox();
    const before = await board();
    await openChat(page);
    assert.deepEqual(await board(), before, `${size.width}x${size.height}`);
    await checkFit(page, `the chat at ${size.width}x${size.height}`);
    await checkNoScroll(page, `the chat at ${size.width}x${size.height}`);
    await button(panel(page), 'Close').click();
  }
  await leaveAll(visitors);
});

test('the chat can be switched off on a device, and by the operator', async () => {
  const visitors = await together(scene, 'classic');
  const [{ page }] = visitors;
  await opener(page).waitFor();
  const settings = await visitors[0].tab();
  await settings.goto(`${scene.server.url}/settings`);
  await settings.getByRole('checkbox', { name: /^Chat/ }).uncheck();
  await opener(page).waitFor({ state: 'hidden' });
  await page.reload();
  await page.locator('.rack .tile').first().waitFor();
  assert.equal(await opener(page).count(), 0);
  await settings.getByRole('checkbox', { name: /^Chat/ }).check();
  await opener(page).waitFor();
  await page.reload();
  await opener(page).waitFor();
  await leaveAll(visitors);

  const silent = await Server.start('[chat]\nscope = 0\n');
  const others = await together({ ...scene, server: silent }, 'classic');
  const other = others[0].page;
  await other.locator('.rack .tile').first().waitFor();
  assert.equal(await other.locator('[class*="chat"]').count(), 0);
  assert.equal(others[0].requests.some((url) => url.endsWith('/chat.js')), false, 'its script is not loaded');
  await others[0].open('/settings');
  await other.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  assert.equal(await other.getByRole('checkbox', { name: /^Chat/ }).count(), 0);
  await leaveAll(others);
  await silent.close();
});

test('the lobby has a room if the operator wants one', async () => {
  const open = await Server.start('[chat]\nscope = 2\n');
  const own = { ...scene, server: open };
  const member = await registered(own, 'emma');
  const guest = await Visitor.come(scene.browser, open);
  const room = (page) => page.locator('.at-chat');
  const page = await member.open('/');
  await guest.open('/');
  await log(room(guest.page)).waitFor();
  await write(room(page), 'anybody for a game?');
  await says(room(guest.page), 'anybody for a game?');
  await room(guest.page).getByText('Register to write here.').waitFor();
  await checkEverywhere(page, 'the lobby with its room', { sizes: [DESKTOP] });
  await page.setViewportSize(DESKTOP);
  await guest.page.getByRole('link', { name: 'Rules' }).first().click();
  await guest.page.getByRole('heading', { level: 1, name: 'Rules' }).waitFor();
  await write(room(page), 'nobody?');
  await guest.page.goBack();
  await says(room(guest.page), 'anybody for a game?', 'nobody?');
  await leaveAll([member, guest]);
  await open.close();
});
