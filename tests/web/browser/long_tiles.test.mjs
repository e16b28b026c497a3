// Tiles of two letters, with a lexicon of the operator in another language.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, prepareScene } from './harness.mjs';
import { look, playByCommand, playByKeys, turn } from './player.mjs';
import { duel, line, sheet } from './tables.mjs';

const WITHOUT_TILES = (faces) => faces.map((face) => `["${face}", 0, 1]`).join(', ');
const VALUES = { A: 1, CH: 5 };
/** A bag of A and CH. */
const RULES = `
id = "two-letters"
name = "Two letters"
summary = "Tiles A and CH."
base = "classic"
tile_sets = []
bingo = []
[players]
min = 2
max = 2
[rack]
size = 2
[[tiles]]
id = "a-and-ch"
language = "spanish"
name = "A and CH"
total = 12
points = 36
blanks = 0
letters = [["A", 6, ${VALUES.A}], ${WITHOUT_TILES([...'BC'])}, ["CH", 6, ${VALUES.CH}],
  ${WITHOUT_TILES([...'DEFGHIJL', 'LL', ...'MNÑOPQR', 'RR', ...'STUVXYZ'])}]
`;
/** Every pair of tiles is a word. */
const PAIRS = { language: 'spanish', words: 'aa\ncha\nach\nchch\n' };

const scene = prepareScene('', { 'two-letters.toml': RULES }, { pairs: PAIRS });

const value = (face) => VALUES[face];

test('a tile of two letters is typed, written as a command and counted as one tile', async () => {
  const game = await duel(scene, 'void', { ruleSet: 'two-letters', lexicon: 'pairs', first: 'owner' });
  const { first, second } = game;
  const { rack: [g8, h8], cols } = await turn(first);
  await playByKeys(first, { start: '8G', tiles: [g8, h8] }, cols);
  const opening = new RegExp(g8 + h8, 'i');
  await line([first, second], 1, opening);
  const points = async (page, number) => (await sheet(page))[number - 1].points;
  assert.equal(await points(first, 1), 2 * (value(g8) + value(h8)), 'the start square doubles the word');

  const { rack: [g9, h9] } = await turn(second);
  await playByCommand(second, { start: '9G', tiles: [g9, h9] });
  await line([first, second], 2, new RegExp(g9 + h9, 'i'));
  const main = 2 * value(g9) + value(h9);
  assert.equal(await points(first, 2), main + value(g8) + 2 * value(g9) + value(h8) + value(h9), 'G9 doubles the letter');
  await eventually(async () => (await look(first)).board.length === 4, 'four tiles lie on the board');
  const faces = (await look(first)).board.map(([, face]) => face).sort();
  assert.deepEqual(faces, [g8, h8, g9, h9].sort());
  await game.end();
});
