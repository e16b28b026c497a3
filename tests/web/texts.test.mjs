// Both languages have the same texts, and every refusal of the protocol has one.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { accountsDe } from '../../server/web/src/text/accounts-de.js';
import { accountsEn } from '../../server/web/src/text/accounts-en.js';
import { chatDe } from '../../server/web/src/text/chat-de.js';
import { chatEn } from '../../server/web/src/text/chat-en.js';
import { errorsDe } from '../../server/web/src/text/errors-de.js';
import { errorsEn } from '../../server/web/src/text/errors-en.js';
import { gameDe } from '../../server/web/src/text/game-de.js';
import { gameEn } from '../../server/web/src/text/game-en.js';
import { lobbyDe } from '../../server/web/src/text/lobby-de.js';
import { lobbyEn } from '../../server/web/src/text/lobby-en.js';
import { archiveDe } from '../../server/web/src/text/archive-de.js';
import { archiveEn } from '../../server/web/src/text/archive-en.js';
import { moderationDe } from '../../server/web/src/text/moderation-de.js';
import { moderationEn } from '../../server/web/src/text/moderation-en.js';
import { mannersDe } from '../../server/web/src/text/manners-de.js';
import { mannersEn } from '../../server/web/src/text/manners-en.js';
import { pagesDe } from '../../server/web/src/text/pages-de.js';
import { pagesEn } from '../../server/web/src/text/pages-en.js';
import { recordDe } from '../../server/web/src/text/record-de.js';
import { recordEn } from '../../server/web/src/text/record-en.js';
import { german } from '../../server/web/src/text/german.js';
import { agoText } from '../../server/web/src/text/dates.js';
import { addEnglish, chooseLanguage, refusedText, words } from '../../server/web/src/text/words.js';

/** The server's own English sentences stand for these. */
const ONLY_GERMAN = 'ruleSets';

/** The paths of all texts, and whether each is a text, a list or a function. */
function paths(texts, path = '') {
  return Object.entries(texts).filter(([name]) => name !== ONLY_GERMAN).flatMap(([name, value]) => (
    typeof value === 'object' && !Array.isArray(value) ? paths(value, `${path}${name}/`)
      : [`${path}${name} ${Array.isArray(value) ? `list of ${value.length}` : typeof value}`]));
}

test('both languages have the same texts', () => {
  assert.deepEqual(paths(lobbyDe).sort(), paths(lobbyEn).sort());
  assert.deepEqual(paths(errorsDe).sort(), paths(errorsEn).sort());
  assert.deepEqual(paths(pagesDe).sort(), paths(pagesEn).sort());
  assert.deepEqual(paths(accountsDe).sort(), paths(accountsEn).sort());
  assert.deepEqual(paths(archiveDe).sort(), paths(archiveEn).sort());
  assert.deepEqual(paths(moderationDe).sort(), paths(moderationEn).sort());
  assert.deepEqual(paths(recordDe).sort(), paths(recordEn).sort());
  assert.deepEqual(paths(chatDe).sort(), paths(chatEn).sort());
  assert.deepEqual(paths(mannersDe).sort(), paths(mannersEn).sort());
});

test('every code of the protocol has a sentence', async () => {
  const protocol = await readFile(new URL('../../docs/PROTOCOL.md', import.meta.url), 'utf8');
  const [, table] = protocol.match(/<!-- errors begin -->(.*)<!-- errors end -->/s);
  const codes = Array.from(table.matchAll(/^\| `(\w+)`/gm), ([, code]) => code);
  assert.ok(codes.length > 60);
  assert.deepEqual(codes.filter((code) => ![accountsEn, errorsEn, pagesEn, chatEn].some(({ codes: known }) => code in known)), []);
});

test('every code of the HTTP API has a sentence', async () => {
  const api = await readFile(new URL('../../docs/http.md', import.meta.url), 'utf8');
  const [, table] = api.match(/^## Errors$(.*)/ms);
  const codes = Array.from(table.matchAll(/`(\w+)`/g), ([, code]) => code).filter((code) => code !== 'detail');
  assert.ok(codes.length > 30, codes.join(' '));
  assert.deepEqual(codes.filter((code) => ![accountsEn, errorsEn, pagesEn].some(({ codes: known }) => code in known)), []);
});

test('a refusal names the words and the wait', () => {
  const detail = { words: ['QI', 'ZA'] };
  assert.equal(refusedText({ code: 'invalid_words', detail }), 'Not valid: QI and ZA.');
  assert.match(refusedText({ code: 'rate_limited', detail: { retry_after_ms: 4200 } }), /wait 5 s/);
  assert.match(refusedText({ code: 'from_the_future', retryable: true }), /try again/);
  assert.match(refusedText({ code: 'from_the_future' }), /from_the_future/);
  assert.match(refusedText({ code: 'from_the_future', message: 'It is raining.' }), /It is raining/);
});

test('the language is that of the device unless the player chooses', async () => {
  const missing = async () => assert.fail('offline');
  assert.equal(await chooseLanguage('de', ['en'], missing), 'en');
  assert.equal(words().lobby.bar.play, 'Play');
  const load = async () => german;
  assert.equal(await chooseLanguage('system', ['fr-FR', 'de-AT', 'en'], load), 'de');
  assert.equal(words().lobby.bar.play, 'Spielen');
  assert.equal(await chooseLanguage('system', ['fr'], missing), 'en');
  assert.equal(await chooseLanguage('de', ['en'], missing), 'de');
  assert.equal(await chooseLanguage('en', ['de'], missing), 'en');
});

test('clocks and challenges in a few words', () => {
  const { clock, challenge } = lobbyEn.setup;
  assert.equal(clock({ kind: 'increment', initial_ms: 600_000, increment_ms: 5000 }), '10 min + 5 sec');
  assert.equal(clock({ kind: 'per_move', limit_ms: 259_200_000, bank_ms: 0 }), '3 days per turn');
  assert.equal(clock({ kind: 'overtime', initial_ms: 1_500_000 }), '25 min');
  assert.equal(challenge({ kind: 'five_point', per_word: true }), '5 points per word');
  assert.equal(challenge({ kind: 'of_the_future' }), 'of_the_future');
});

test('refusals of accounts have words once their script is there', () => {
  const until = Date.UTC(2027, 0, 2, 12);
  assert.match(refusedText({ code: 'handle_changed_recently', message: 'until then' }), /The server says: until then/);
  addEnglish({ accounts: accountsEn });
  assert.match(refusedText({ code: 'handle_changed_recently', detail: { until } }), /from January 2, 2027/);
  assert.match(refusedText({ code: 'handle_changed_recently' }), /in the last 30 days/);
  assert.match(accountsDe.codes.handle_changed_recently({ until }), /ab dem 2. Januar 2027/);
});

test('how long ago something was', () => {
  const hour = 3_600_000;
  const said = [0, hour, 23 * hour, 24 * hour, 80 * hour, -hour].map((ms) => agoText('en', ms));
  assert.deepEqual(said, ['this hour', '1 hour ago', '23 hours ago', 'yesterday', '3 days ago', 'this hour']);
});

test('the strip tells a player and a spectator of a claim, and titles and unseen tiles name players once', () => {
  for (const { claimIn, claimNow } of [gameEn, gameDe]) {
    assert.notEqual(claimIn(true), claimIn(false));
    assert.notEqual(claimNow(true), claimNow(false));
  }
  assert.equal(gameEn.titleOther('ben', 'ben'), 'ben to move');
  assert.equal(gameEn.titleOther('ben', 'ben and cleo'), 'ben to move: ben and cleo');
  const ben = { name: 'ben', count: 7 };
  assert.equal(gameEn.unseenCount(93, 86, [ben], 0), '93: 86 in bag + 7 on ben’s rack');
  assert.equal(gameEn.unseenCount(87, 74, [ben], 6), '87: 74 in bag + 7 on ben’s rack + 6 still to be drawn');
  assert.equal(gameEn.unseenCount(93, 79, [ben, { name: 'cem', count: 7 }], 0), '93: 79 in bag + 14 on racks');
});

test('rule sets have German names, and the server’s own in English', () => {
  assert.equal(lobbyDe.ruleSets['classic-nine'], 'Klassisch, neun Steine');
  assert.deepEqual(lobbyEn.ruleSets, {});
});
