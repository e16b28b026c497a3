// The law of the draft: rack and draft together are the own tiles, whatever happens and in whatever order.

import assert from 'node:assert/strict';
import test from 'node:test';
import {
  draftTiles,
  layTile,
  moveTile,
  newDraft,
  placeForFace,
  rackPlaces,
  recall,
  returnTile,
  shuffle,
  storedDraft,
  swapPlaces,
  syncDraft,
} from '../../server/web/src/play/draft.js';
import { tileOfFace } from '../../server/web/src/play/faces.js';
import { emptyTable, takeEvent } from '../../server/web/src/model/table.js';
import { createdEvent, pick, seededRandom } from './support.mjs';

function tableWith(rack) {
  const table = emptyTable('g1', 'anna');
  takeEvent(table, createdEvent());
  table.seats[0].rack = [...rack];
  return table;
}

const synced = (rack) => syncDraft(newDraft(7), tableWith(rack)).draft;
const text = (draft) =>
  rackPlaces(draft)
    .map((face) => face ?? '_')
    .join('');
const laidText = (draft) => [...draftTiles(draft)].map(([square, face]) => `${square}${face}`).join(' ');
const ownTiles = (draft) =>
  [...rackPlaces(draft).filter(Boolean), ...[...draftTiles(draft).values()].map(tileOfFace)].sort().join('');

test('laying, moving and returning tiles', () => {
  let draft = synced('ABCDE?G');
  assert.equal(text(draft), 'ABCDE?G');
  draft = layTile(draft, 0, 112);
  draft = layTile(draft, 5, 113, 'S');
  assert.deepEqual([text(draft), laidText(draft)], ['_BCDE_G', '112A 113s']);
  assert.equal(laidText(moveTile(draft, 112, 113)), '113A 112s', 'two laid tiles change places');
  assert.equal(laidText(moveTile(draft, 113, 120)), '112A 120s', 'a blank keeps its letter');
  assert.equal(moveTile(draft, 99, 113).places[5].square, 113, 'nothing to move');
  assert.equal(laidText(layTile(draft, 1, 112)), '112B 113s', 'the tile that lay there goes back');
  assert.equal(text(layTile(draft, 1, 112)), 'A_CDE_G');
  assert.equal(laidText(layTile(draft, 5, 113, 'T')), '112A 113t', 'a blank gets another letter');
  assert.equal(laidText(layTile(synced('?'), 0, 5)), '5?');
  assert.equal(text(returnTile(draft, 113)), '_BCDE?G', 'to its own place, as a blank');
  assert.equal(text(returnTile(draft, 113, 1)), '_?CDEBG', 'to a chosen place');
  assert.equal(text(recall(draft)), 'ABCDE?G');
  assert.equal(text(swapPlaces(draft, 0, 6)), 'GBCDE__');
  assert.equal(swapPlaces(draft, 0, 7), draft);
  assert.deepEqual(
    [
      placeForFace(draft, 'G'),
      placeForFace(draft, 'A'),
      placeForFace(recall(draft), 'Z'),
      placeForFace(recall(draft), 'g'),
    ],
    [6, -1, 5, 5],
  );
});

test('a play of the opponent takes squares: those tiles go back, and the order stays', () => {
  const table = tableWith('ABCDEFG');
  let draft = shuffle(syncDraft(newDraft(7), table).draft, seededRandom(1));
  const order = text(draft);
  draft = layTile(layTile(draft, 2, 112), 4, 113);
  table.board.set(112, 'Z');
  const after = syncDraft(draft, table);
  assert.deepEqual(after.returned, [order[2]]);
  assert.equal(text(after.draft), order.replace(order[4], '_'));
  assert.equal(syncDraft(after.draft, table).draft, after.draft, 'nothing is different the second time');
  assert.deepEqual(syncDraft(after.draft, table).returned, []);
});

test('an own play takes the laid tiles, and new ones fill their places', () => {
  const table = tableWith('HORNABA');
  let draft = syncDraft(newDraft(7), table).draft;
  [0, 1, 2].forEach((place, i) => {
    draft = layTile(draft, place, 112 + i);
  });
  draft = layTile(draft, 4, 115);
  [...'HOR'].forEach((face, i) => table.board.set(112 + i, face));
  table.board.set(115, 'A');
  table.seats[0].rack = [...'NBA'];
  let after = syncDraft(draft, table);
  assert.deepEqual([text(after.draft), laidText(after.draft), after.returned], ['___N_BA', '', []]);
  table.seats[0].rack.push(...'XYZ');
  after = syncDraft(after.draft, table);
  assert.equal(text(after.draft), 'XYZN_BA');
  table.seats[0].rack = [...'XYZNBAHOR'];
  assert.equal(text(syncDraft(after.draft, table).draft), 'XYZNHBAOR', 'more tiles than places make places');
});

test('an exchange takes tiles of the rack before laid ones', () => {
  const table = tableWith('AABCDEF');
  const draft = layTile(syncDraft(newDraft(7), table).draft, 0, 50);
  table.seats[0].rack = [...'ABCDEF'];
  const after = syncDraft(draft, table).draft;
  assert.deepEqual([laidText(after), text(after)], ['50A', '__BCDEF']);
});

test('spectators and racks that are not seen have no tiles', () => {
  const table = tableWith('ABC');
  const draft = syncDraft(newDraft(7), table).draft;
  table.seats[0].rack = undefined;
  assert.equal(text(syncDraft(draft, table).draft), '_______');
  assert.equal(text(syncDraft(draft, { ...table, seat: undefined }).draft), '_______');
});

test('shuffling always changes something if it can', () => {
  for (let seed = 0; seed < 300; seed++) {
    const draft = synced(pick(seededRandom(seed), ['AB', 'AAB', 'ABBBBBB', 'ABCDEFG']));
    const mixed = shuffle(draft, seededRandom(seed + 1000));
    assert.notEqual(text(mixed), text(draft));
    assert.equal(ownTiles(mixed), ownTiles(draft));
  }
  assert.equal(text(shuffle(synced('AAA'), Math.random)), 'AAA____');
  const laid = layTile(synced('ABCDEFG'), 3, 112);
  assert.equal(rackPlaces(shuffle(laid, seededRandom(3)))[3], undefined, 'the place of a laid tile stays free');
});

test('a draft survives being stored, and nonsense does not harm', () => {
  const draft = layTile(layTile(synced('ABCDE?G'), 0, 112), 5, 113, 'S');
  const stored = storedDraft(JSON.parse(JSON.stringify(draft)), 7);
  assert.deepEqual(stored, draft);
  for (const nonsense of [
    undefined,
    null,
    5,
    [],
    {},
    { places: 3 },
    { places: [5, 'a', { tile: 7 }, { tile: 'A', square: 'x' }] },
    { places: [{ tile: 'A', square: 3, face: 'B' }] },
  ]) {
    const { draft: fixed } = syncDraft(storedDraft(nonsense, 7), tableWith('AB'));
    assert.equal(ownTiles(fixed), 'AB');
    assert.deepEqual(draftTiles(fixed).size, 0);
  }
});

/** Something that a player does, at random. */
function playersDoing(draft, random, table) {
  const laid = [...draftTiles(draft).keys()];
  const square = () => Math.floor(random() * 225);
  const place = () => Math.floor(random() * 8);
  const free = () => {
    let found = square();
    while (table.board.has(found)) found = square();
    return found;
  };
  return pick(random, [
    () => layTile(draft, place(), free(), pick(random, ['A', 'q', undefined])),
    () => layTile(draft, place(), pick(random, laid) ?? free(), 'E'),
    () => moveTile(draft, pick(random, laid) ?? square(), free()),
    () => moveTile(draft, pick(random, laid) ?? square(), pick(random, laid) ?? free()),
    () => returnTile(draft, pick(random, laid) ?? square(), random() < 0.5 ? place() : undefined),
    () => recall(draft),
    () => shuffle(draft, random),
    () => swapPlaces(draft, place(), place()),
    () => storedDraft(JSON.parse(JSON.stringify(draft)), draft.places.length),
  ])();
}

/** Something that happens at the table, at random: of both players. */
function tablesDoing(table, random, draft) {
  const seat = table.seats[0];
  const tile = () => pick(random, [...'AABCDEEFGIOQ?']);
  const laid = [...draftTiles(draft)];
  const draw = () => {
    while (seat.rack.length < 7) seat.rack.push(tile());
  };
  const take = (face) => {
    const at = seat.rack.indexOf(tileOfFace(face));
    if (at >= 0) seat.rack.splice(at, 1);
  };
  pick(random, [
    () => {
      for (let i = 0; i < 4; i++) table.board.set(Math.floor(random() * 225), 'Z');
    },
    () => {
      for (const [square] of laid.slice(0, 2)) table.board.set(square, 'Z');
    },
    () => {
      // The own draft is played.
      for (const [square, face] of laid) {
        table.board.set(square, face);
        take(face);
      }
      if (random() < 0.5) draw();
    },
    () => {
      for (let i = 0; i < 3 && seat.rack.length > 0; i++) take(pick(random, seat.rack));
    }, // Exchanged on another device.
    draw,
    () => {
      // A play comes off.
      for (const square of [...table.board.keys()].slice(0, 4)) table.board.delete(square);
      while (seat.rack.length < 7) seat.rack.push(tile());
    },
    () => {
      seat.rack = [...seat.rack].reverse();
    },
  ])();
}

test('rack and draft are the own tiles after every sequence of events and operations', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const random = seededRandom(seed);
    const table = tableWith('ABCDE?G');
    let draft = newDraft(7);
    for (let step = 0; step < 60; step++) {
      if (step === 0 || random() < 0.3) {
        tablesDoing(table, random, draft);
        const before = draft;
        const after = syncDraft(draft, table);
        draft = after.draft;
        assert.equal(syncDraft(draft, table).draft, draft);
        // A tile that stays on the rack keeps its place.
        rackPlaces(draft).forEach((face, place) => {
          const old = before.places[place];
          if (old && old.square === undefined && face !== undefined && step > 0) {
            assert.ok(
              face === old.tile || !table.seats[0].rack.includes(old.tile) || ownTiles(before) !== ownTiles(draft),
            );
          }
        });
        if (after.returned.length > 0)
          assert.ok([...draftTiles(before).keys()].some((square) => table.board.has(square)));
      } else {
        draft = playersDoing(draft, random, table);
      }
      assert.equal(ownTiles(draft), [...table.seats[0].rack].sort().join(''), `seed ${seed}, step ${step}`);
      const squares = draft.places.filter((own) => own?.square !== undefined).map((own) => own.square);
      assert.equal(new Set(squares).size, squares.length, 'one tile on a square');
      assert.ok(squares.every((square) => !table.board.has(square)));
      for (const own of draft.places) if (own?.square !== undefined) assert.equal(tileOfFace(own.face), own.tile);
    }
  }
});
