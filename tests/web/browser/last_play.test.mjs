// The play that empties a rack: it can be challenged a last time. And the proof of the draws, which names a record that
// differs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Visitor, eventually, prepareScene } from './harness.mjs';
import { challenge, judge, look, playByCommand, turn } from './player.mjs';
import { CALM, botGameOf, duel, line, onlyA, resign, scores } from './tables.mjs';

/** The second play is the last one. AA is a word, AAAA is none. */
const LAST_TILES = onlyA('last-tiles', 'Last tiles', 6);
const FIRST = { start: '8G', tiles: ['A', 'A'] };
/** Forms AA three times. */
const GOOD = { start: '9G', tiles: ['A', 'A'] };
const PHONY = { start: '8E', tiles: ['A', 'A', '.', '.'] };

const scene = prepareScene('', { 'last-tiles.toml': LAST_TILES });

/** A game in which the second player has just played the last tiles. */
async function lastPlay(kind, play, options = {}) {
  const game = await duel(scene, kind, { ruleSet: 'last-tiles', ...CALM, ...options });
  await turn(game.first);
  await playByCommand(game.first, FIRST);
  await eventually(async () => (await look(game.second)).turns === 1, 'the first play arrives');
  await playByCommand(game.second, play);
  await game.second.locator('.btn.primary', { hasText: 'Waiting for challenges' }).waitFor();
  return game;
}

test('a good last play is challenged, and the game is over', async () => {
  const game = await lastPlay('double', GOOD);
  assert.match(await challenge(game.first), /the game is over/);
  for (const page of [game.first, game.second]) await page.locator('.card.result', { hasText: 'went out' }).waitFor();
  await line([game.first, game.second], 2, /challenged by .* – valid/);
  await game.end();
});

test('a good last play is challenged at a price for each word', async () => {
  const game = await lastPlay('five_point', GOOD, { 'challenge.per_word': true });
  const before = await scores(game.first);
  await challenge(game.first);
  await game.first.locator('.card.result').waitFor();
  const total = await game.first.locator('.card.result tbody tr').first().locator('td').nth(1).innerText();
  assert.equal(Number(total), before.other + 15);
  await game.end();
});

test('a phony as the last play comes off, and the game goes on', async () => {
  const game = await lastPlay('single', PHONY);
  await challenge(game.first);
  await line([game.first, game.second], 2, /challenged off by/);
  assert.equal((await turn(game.first)).rack.length, 2);
  assert.equal((await look(game.second)).rack.length, 2);
  await game.end();
});

test('a reload shows what became of a play, and words are looked up after the game', async () => {
  const game = await lastPlay('single', PHONY);
  await challenge(game.first);
  const pages = [game.first, game.second];
  await line(pages, 2, /challenged off by .*: AAAA/);
  for (const page of pages) await page.reload();
  await line(pages, 2, /challenged off by .*: AAAA/);
  assert.equal(await game.first.locator('.sheet .word').first().getAttribute('lang'), 'en');
  await turn(game.first);
  await resign(game.first);
  await game.first.locator('.card.result').waitFor();
  for (const [number, verdict] of [[1, 'AA is valid in wordnik'], [2, 'AAAA is not valid in wordnik']]) {
    await game.first.locator('.sheet .turn-row').nth(number - 1).click();
    const word = game.first.locator('.strip .ask').first();
    await word.click();
    await game.first.getByRole('button', { name: verdict }).waitFor();
  }
  await game.first.getByRole('button', { name: 'Result' }).click();
  await game.first.locator('.card.result').waitFor();
  await game.end();
});

test('a last play is held, released and accepted', async () => {
  const game = await lastPlay('double', GOOD);
  await judge(game.first, 'hold');
  await judge(game.first, 'release');
  await judge(game.first, 'accept');
  for (const page of [game.first, game.second]) await page.locator('.card.result', { hasText: 'went out' }).waitFor();
  await game.end();
});

/** Changes the first event of a kind in a native record. */
function tampered(record, kind, change) {
  let isChanged = false;
  const lines = record.split('\n').map((text) => {
    if (isChanged || !text.includes(`"${kind}"`)) return text;
    const event = JSON.parse(text);
    const fields = (event.event?.public ?? event.event)?.[kind];
    if (!fields) return text;
    isChanged = true;
    change(fields);
    return JSON.stringify(event);
  });
  assert.ok(isChanged, kind);
  return lines.join('\n');
}

const FRAUDS = [
  ['a drawn tile', 'tiles_drawn', ({ tiles }) => { tiles[0] = tiles[0] === 5 ? 6 : 5; }, 'drawn tiles do not match'],
  ['the order of the bag', 'bag_shuffled', ({ order }) => { order.push(order.shift()); }, 'the order of the bag does not match'],
  ['the secret', 'ended', (ended) => { ended.secret = changedText(ended.secret); }, 'the secret does not match the one announced'],
  ['the promise', 'created', (created) => { created.commitment = changedText(created.commitment); }, 'the secret does not match the one announced'],
];

/** Another value of the same form: hexadecimal digits or bytes. */
function changedText(value) {
  if (Array.isArray(value)) return [value[0] ^ 1, ...value.slice(1)];
  return (value[0] === '0' ? '1' : '0') + value.slice(1);
}

/** A game that is over at once: its path and its record. */
async function overAtOnce(page) {
  await page.goto(`${scene.server.url}/`);
  await botGameOf(page, 'classic', 'Club');
  await resign(page);
  await page.getByText('Fair draw verified').filter({ visible: true }).first().waitFor();
  const path = new URL(page.url()).pathname;
  return { path, record: await (await fetch(`${scene.server.url}${path}.jsonl`)).text() };
}

test('the proof names what differs in a record', async () => {
  const player = await Visitor.come(scene.browser, scene.server);
  const { page } = player;
  const { record: other } = await overAtOnce(page);
  const { path, record } = await overAtOnce(page);
  const frauds = FRAUDS.map(([what, kind, change, named]) => [what, tampered(record, kind, change), named]);
  frauds.push(['another game', other, 'the secret does not match the one announced']);
  for (const [what, body, named] of frauds) {
    await player.context.route(`**${path}.jsonl`, (route) => route.fulfill({ contentType: 'application/x-ndjson', body }));
    await page.reload();
    const card = page.locator('.card.proof');
    await card.filter({ hasText: 'Verification failed: a draw does not match' }).waitFor();
    assert.match(await card.innerText(), new RegExp(named), what);
    await player.context.unroute(`**${path}.jsonl`);
  }
  await player.leave();
});
