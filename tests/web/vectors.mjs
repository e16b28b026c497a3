// Compares the fold and the scores of the page with those of the Rust crates, from files that a Rust test writes:
//
//   TILEWIRE_VECTORS=DIR node --test tests/web/vectors.mjs
//
// The name keeps it out of `node --test tests/web/*.test.mjs`, and without the directory it fails: nothing is skipped
// silently. DIR holds
//
// * one file `*.jsonl` for each game, of which the lines come in pairs: {"event": …}, an event as one audience gets it
//   over the wire, and {"table": {…}}, what that audience knows behind it. Fields of `table`, of which any can be
//   missing (as `clocks` before the first event that has some):
//     board          {"H8": "A", …}
//     scores         [by seat]
//     racks_counts   [by seat], owed tiles included
//     rack           the own tiles, in any order
//     bag, phase, turn_no
//     on_turn        null: nobody is
//     window         null, or as in a snapshot; it stays until `window_closed` or `ended`
//     clocks         as in events
//     unseen         {"faces": {"A": 9, …}, "bag", "others": [[seat, tiles on its rack]], "withheld"}: the tiles that the
//                    audience has not seen, and where they are
//   A first line {"identity": "…"} names the audience; without it a spectator's.
// * `scores.jsonl` with lines
//   {"setup", "board": [{"square", "tile"}], "start", "tiles", "words": [["HORN", 14]], "score", "bonus"}
//   where `start` and `tiles` are those of `play_made`. With "refused": "gap" in place of the results the placement must
//   be refused with that code. Without `setup` or `board` that of the line before holds.

import assert from 'node:assert/strict';
import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import test from 'node:test';
import { unseenOf } from '../../server/web/src/model/unseen.js';
import { emptyTable, takeEvent } from '../../server/web/src/model/table.js';
import { placementOf } from '../../server/web/src/play/placement.js';
import { laidSquares, squareName, squareOf } from '../../server/web/src/play/squares.js';
import { snapshotOf } from './support.mjs';

const FOLDER = process.env.TILEWIRE_VECTORS;
const SCORES = 'scores.jsonl';

/** Reads each field of a vector's `table` from the page's table. */
const FIELDS = {
  board: (table) =>
    Object.fromEntries([...table.board].map(([square, face]) => [squareName(square, table.cols), face])),
  scores: (table) => table.seats.map(({ score }) => score),
  racks_counts: (table) => table.seats.map(({ rackCount }) => rackCount),
  rack: (table) => [...table.seats[table.seat].rack].sort(),
  bag: (table) => table.bag,
  phase: (table) => table.phase,
  turn_no: (table) => table.turnNo,
  on_turn: (table) => table.onTurn ?? null,
  window: (table) => windowText(snapshotOf(table).window),
  clocks: (table) => snapshotOf(table).clocks,
  unseen: (table) => {
    const { tiles, bag, others, withheld } = unseenOf(table);
    const faces = Object.fromEntries(tiles.filter(({ count }) => count > 0).map(({ face, count }) => [face, count]));
    return { faces, bag, others: withTiles(others.map(({ seat, count }) => [seat, count])), withheld };
  },
};

/** Lists of seats in a window have no order. */
function windowText(window) {
  if (!window) return null;
  const sorted = (list) => [...(list ?? [])].sort();
  return {
    ...window,
    eligible: sorted(window.eligible),
    accepted: sorted(window.accepted),
    holds_used: sorted(window.holds_used),
  };
}

/** The racks that hold tiles: an empty one hides nothing. */
function withTiles(racks) {
  return racks.filter(([, count]) => count > 0);
}

function expected(field, value) {
  if (field === 'unseen') return { ...value, others: withTiles(value.others) };
  if (field === 'rack') return [...value].sort();
  return field === 'window' ? windowText(value) : value;
}

function checkGame(name) {
  const lines = readFileSync(join(FOLDER, name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const { identity } = lines[0];
  const table = emptyTable('', identity);
  let last;
  for (const { event, table: told } of lines) {
    if (event) takeEvent(table, (last = event));
    for (const [field, value] of Object.entries(told ?? {})) {
      assert.ok(FIELDS[field], `${name} has a field ${field}`);
      assert.deepEqual(
        FIELDS[field](table),
        expected(field, value),
        `${name}: ${field} after event ${last.seq}, ${last.kind}`,
      );
    }
  }
}

test('the directory of vectors is named', () => assert.ok(FOLDER, 'set TILEWIRE_VECTORS to the directory of vectors'));

test('the fold of every game', { skip: !FOLDER && 'no directory' }, () => {
  const games = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl') && name !== SCORES);
  assert.ok(games.length > 0, 'there are games');
  games.forEach(checkGame);
});

test('every score', { skip: !FOLDER && 'no directory' }, async () => {
  let count = 0;
  let setup;
  let board;
  for await (const line of createInterface({ input: createReadStream(join(FOLDER, SCORES)) })) {
    const vector = JSON.parse(line);
    setup = vector.setup ?? setup;
    board = vector.board ?? board;
    const table = emptyTable('', undefined);
    takeEvent(table, { game: '', seq: 1, at: 0, kind: 'created', setup });
    for (const { square, tile } of board) table.board.set(squareOf(square, table.cols), tile);
    const placement = placementOf(table, new Map(laidSquares(vector.start, vector.tiles, table.cols)));
    const found = placement.ok
      ? [
          placement.start,
          placement.tiles,
          placement.words.map(({ text, score }) => [text, score]),
          placement.score,
          placement.bonus,
        ]
      : placement.code;
    const wanted = vector.refused ?? [vector.start, vector.tiles, vector.words, vector.score, vector.bonus ?? 0];
    assert.deepEqual(found, wanted, `line ${++count}`);
  }
  assert.ok(count > 0, 'there are scores');
});
