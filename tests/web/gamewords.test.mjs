// Words of a finished game that the player looks up.

import assert from 'node:assert/strict';
import test from 'node:test';
import { GameWords } from '../../server/web/src/page/gamewords.js';
import { pagesEn } from '../../server/web/src/text/pages-en.js';
import { addEnglish } from '../../server/web/src/text/words.js';

addEnglish({ pages: pagesEn });

/** A page whose requests are answered by `answer`. */
function pageOf(answer, code) {
  const page = {
    game: 'g1',
    code,
    isClosed: false,
    asked: [],
    said: [],
    changes: 0,
    table: { setup: { lexicon: { name: 'wordnik' } } },
    connection: {
      async request(op, body) {
        page.asked.push([op, body]);
        return answer(body);
      },
    },
    frame: { announce: (text) => page.said.push(text), toast: (text) => page.said.push(`toast ${text}`) },
    changed: () => (page.changes += 1),
  };
  return page;
}

const TURN = { words: [['HORn', 14], ['[LL]A', 3]] };

test('a word is asked for once, and then says whether it is valid', async () => {
  const page = pageOf(({ words: [word] }) => ({ words: [{ word, valid: word === 'HORn' }] }));
  const words = new GameWords(page);
  const [first, comma, second] = words.parts(TURN);
  assert.deepEqual([first.word, first.valid, first.label, comma], ['HORn', undefined, 'Look up HORN', ', ']);
  await Promise.all([words.ask('HORn'), words.ask('HORn')]);
  second.act();
  await words.ask('HORn');
  assert.deepEqual(page.asked, [
    ['look_up', { game: 'g1', words: ['HORn'] }],
    ['look_up', { game: 'g1', words: ['[LL]A'] }],
  ]);
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(
    words.parts(TURN).map((part) => part.label ?? part),
    ['HORN is valid in wordnik', ', ', 'LLA is not valid in wordnik'],
  );
  assert.deepEqual([page.said, page.changes], [['HORN is valid in wordnik', 'LLA is not valid in wordnik'], 2]);
});

test('a refusal is told, and the word can be asked for again', async () => {
  const page = pageOf(() => Promise.reject(Object.assign(new Error(), { code: 'not_over' })), 'CODE');
  const words = new GameWords(page);
  await words.ask('HORn');
  await words.ask('HORn');
  assert.deepEqual(page.asked[1], ['look_up', { game: 'g1', words: ['HORn'], code: 'CODE' }]);
  assert.match(page.said[0], /^toast You can look up words after the game/);
  assert.equal(words.parts(TURN)[0].valid, undefined);
});
