// Hints in casual games: the button in the own turn, what a hint says, and who has used how many.

import assert from 'node:assert/strict';
import test from 'node:test';
import { emptyTable, takePush, takeSnapshot } from '../../server/web/src/model/table.js';
import { draftTiles, newDraft, syncDraft } from '../../server/web/src/play/draft.js';
import * as manners from '../../server/web/src/page/manners.js';
import { newsOf } from '../../server/web/src/page/gamenews.js';
import { stripOf } from '../../server/web/src/page/gamestrip.js';
import { plainText } from '../../server/web/src/text/rich.js';
import { Story, snapshotOf } from './support.mjs';

/** A game with hints in which the player is on turn. */
function onTurn(options = { hints: 2 }) {
  const story = new Story({ options });
  for (const seat of [0, 1]) story.take({ kind: 'seat_ready', seat });
  story.draw(0, ['H', 'O', 'R', 'N', 'A', 'E', '?']);
  story.turn(1, 0);
  return story;
}

/** A page that shows this table. */
function pageOf(table) {
  const sent = [];
  const hand = { draft: syncDraft(newDraft(7), table).draft, take: (draft) => void (hand.draft = draft) };
  const command = async (op, body) => void sent.push([op, body]);
  const connection = { serverNow: () => 0 };
  const page = {
    manners, command, table, hand, shown: table, connection, sent, isPlayer: true, isNarrow: () => false, send: {},
    frame: {}, isLooking: false,
  };
  return page;
}

const labels = (page) => stripOf(page).view.acts.map(({ label }) => label);

test('the button says how many hints are left, and asks for the turn', async () => {
  const page = pageOf(onTurn().table);
  assert.deepEqual(labels(page), ['Show me a play (2)']);
  await stripOf(page).view.acts[0].act();
  assert.deepEqual(page.sent, [['hint', { turn_no: 1, grade: 3 }]]);
});

test('there is none without the option, in the turn of others, and when all are used', () => {
  assert.deepEqual(labels(pageOf(onTurn({}).table)), []);
  const story = onTurn({ hints: 1 });
  story.take({ kind: 'hint_used', seat: 0, grade: 3 });
  story.take({ kind: 'passed', turn_no: 1, seat: 0 });
  story.turn(2, 1);
  assert.deepEqual(labels(pageOf(story.table)), []);
  story.turn(3, 0);
  assert.deepEqual(labels(pageOf(story.table)), []);
});

test('the hint is shown when it comes, and its tiles are laid as a draft', () => {
  const story = onTurn();
  const page = pageOf(story.table);
  story.take({ kind: 'hint_used', seat: 0, grade: 3 });
  assert.equal(plainText(stripOf(page).view.more), 'Looking for a play…');
  assert.deepEqual(labels(page), []);
  const hint = { turn_no: 1, grade: 3, theme: 'play', line: '8', start: '8G', tiles: ['H', 'o', 'R', 'N'], words: [['HoRN', 10]], score: 10 };
  takePush(story.table, 'hint', hint);
  assert.equal(plainText(stripOf(page).view.more), 'Try HORN at 8G for 10 points');
  stripOf(page).view.acts[0].act();
  assert.deepEqual([...draftTiles(page.hand.draft)].sort(([a], [b]) => a - b), [[111, 'H'], [112, 'o'], [113, 'R'], [114, 'N']]);
  story.turn(2, 0);
  assert.deepEqual(labels(page), ['Show me a play (1)'], 'the hint of an earlier turn is not shown');
});

test('an exchange and a pass are said without tiles to lay', () => {
  const said = (hint) => {
    const story = onTurn();
    takePush(story.table, 'hint', { turn_no: 1, grade: 3, ...hint });
    const page = pageOf(story.table);
    assert.deepEqual(labels(page), []);
    return plainText(stripOf(page).view.more);
  };
  assert.equal(said({ theme: 'exchange', tiles: ['Q', 'V'] }), 'Try exchanging Q V');
  assert.equal(said({ theme: 'pass' }), 'There is no good play: pass');
});

test('all are told, and a snapshot has what the events have', () => {
  const story = onTurn();
  story.take({ kind: 'hint_used', seat: 0, grade: 2 });
  assert.equal(plainText(newsOf(story.table, story.table.said)), 'You used a hint');
  const again = emptyTable(story.table.game, story.table.identity);
  takeSnapshot(again, { ...snapshotOf(story.table), hints: [{ seat: 0, turn_no: 1, grade: 2 }] });
  assert.deepEqual(again.hints, story.table.hints);
});
