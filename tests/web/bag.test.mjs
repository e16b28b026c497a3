// SHA-256, ChaCha20 and the proof of a bag: published vectors, the vector of P-BAG-2, recorded games, and tampered
// ones.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { chacha20Stream } from '../../server/web/src/bag/chacha20.js';
import { bagSeed, mixedTiles, proveBag } from '../../server/web/src/bag/proof.js';
import { sha256 } from '../../server/web/src/bag/sha256.js';
import { recordEvents } from '../../server/web/src/model/history.js';
import { bytesOfText, bytesToText } from '../../server/web/src/bag/base64.js';
import { classicRules, readText } from './support.mjs';

const hex = (bytes) => Buffer.from(bytes).toString('hex');
const text = (string) => new TextEncoder().encode(string);

test('base64url', () => {
  for (const bytes of [[], [0], [255, 254], [1, 2, 3], [251, 255, 191, 62, 63]].map((list) => Uint8Array.from(list))) {
    assert.equal(bytesToText(bytes), Buffer.from(bytes).toString('base64url'));
    assert.deepEqual(bytesOfText(bytesToText(bytes)), bytes);
  }
  assert.equal(bytesOfText('no base64!').length, 0);
});

test('SHA-256: the examples of FIPS 180, and every length around a block', () => {
  assert.equal(hex(sha256(text('abc'))), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  assert.equal(hex(sha256(text(''))), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  for (const length of [1, 31, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1000]) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 7) % 256);
    assert.equal(hex(sha256(bytes)), createHash('sha256').update(bytes).digest('hex'));
  }
});

test('ChaCha20: the key streams of RFC 8439 for a nonce of zeros', () => {
  const stream = (key, count) => {
    const next = chacha20Stream(key);
    return Buffer.from(Uint32Array.from({ length: count }, () => next()).buffer).toString('hex');
  };
  assert.equal(
    stream(new Uint8Array(32), 32),
    '76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7da41597c5157488d7724e03fb8d84a37' +
      '6a43b8f41518a11cc387b669b2ee65869f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed29b721769ce64e43d57133b074d839d5' +
      '31ed1f28510afb45ace10a1f4b794d6f',
  );
  const key = Uint8Array.from({ length: 32 }, (_, i) => (i === 31 ? 1 : 0));
  assert.match(stream(key, 32), /3aeb5224ecf849929b9d828db1ced4dd/, 'the second block, appendix A.1');
});

test('the bag of P-BAG-2', () => {
  const secret = Uint8Array.from({ length: 32 }, (_, i) => i);
  assert.equal(hex(sha256(secret)), '630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd');
  const seed = bagSeed(secret, 'a-game', [text('first'), new Uint8Array(), new Uint8Array(32).fill(255)]);
  const tiles = classicRules().tiles.flatMap(({ face, count }) => Array(count).fill(face));
  assert.equal(
    mixedTiles(seed, 'bag', tiles).join(''),
    'LIASN?EOOGBAUOTOIOLVSJHYIIRELNNIH?MZTERTGFWTEFQGSODVEAENTERRUDWEMNANXPPCUAESYBIUKCLEAOREDIIRTOEIDAAA',
  );
});

const recorded = () => recordEvents(readText('rules/benches/played/game.jsonl'), classicRules());

/** Finished games of the server, as it keeps them. */
function keptGames() {
  const games = readText('tests/fixtures/data/v1/games.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return games
    .filter((game) => game.is_finished && game.records[0].event.created.options.rule_set === 'classic')
    .map((game) => {
      const header = { format: 'tilewire-record', version: 1, game: game.game };
      return recordEvents([header, ...game.records].map((line) => JSON.stringify(line)).join('\n'), classicRules());
    });
}

test('recorded games are proved, with everything shown and as a player saw them', () => {
  const events = recorded();
  assert.deepEqual(proveBag(events), { ok: true, draws: 22 });
  const seen = events.map((event) => {
    const { order, ...rest } = event;
    return event.kind === 'tiles_drawn' && event.seat === 1 ? { ...rest, tiles: undefined } : rest;
  });
  assert.deepEqual(proveBag(seen), { ok: true, draws: 22 });
  const games = keptGames();
  assert.ok(games.length > 0);
  for (const game of games) assert.equal(proveBag(game).ok, true);
});

/** A copy of the game in which one event is changed. */
function tampered(kind, change, skip = 0) {
  const events = structuredClone(recorded());
  const event = events.filter((one) => one.kind === kind)[skip];
  change(event, events);
  return [proveBag(events), event.seq];
}

test('what was tampered with is named by its event', () => {
  const swap = (list) => {
    [list[0], list[1]] = [list[1], list[0]];
  };
  const cases = [
    ['tiles_drawn', (event) => swap(event.tiles), 'draw', 0],
    [
      'tiles_drawn',
      (event) => {
        event.tiles[2] = 'Z';
      },
      'draw',
      5,
    ],
    [
      'tiles_drawn',
      (event) => {
        event.bag -= 1;
      },
      'draw',
      3,
    ],
    [
      'bag_shuffled',
      (event) => {
        event.order.reverse();
      },
      'bag',
      0,
    ],
    [
      'bag_shuffled',
      (event) => {
        event.label = 'exchange/1';
      },
      'bag',
      0,
    ],
    [
      'play_made',
      (event) => {
        event.tiles[0] = 'Q';
      },
      'rack',
      0,
    ],
    [
      'ended',
      (event) => {
        event.results[0].rack = ['A'];
      },
      'rack',
      0,
    ],
    [
      'ended',
      (event) => {
        event.secret = bytesToText(new Uint8Array(32));
      },
      'commitment',
      0,
    ],
    [
      'ended',
      (event) => {
        delete event.secret;
      },
      'no_secret',
      0,
    ],
    [
      'seat_ready',
      (event) => {
        event.nonce = 'AAAA';
      },
      'nonce',
      1,
    ],
    [
      'created',
      (event, events) => {
        event.setup.nonce_hashes = [{ seat: 0, hash: 'AAAA' }];
        events[1].nonce = 'AAAA';
      },
      'nonce',
      0,
    ],
  ];
  for (const [kind, change, what, skip] of cases) {
    const [proof, seq] = tampered(kind, change, skip);
    assert.deepEqual([proof.ok, proof.problem.what], [false, what]);
    if (kind !== 'created') assert.equal(proof.problem.seq, seq);
  }
  assert.deepEqual(proveBag(recorded().filter(({ seq }) => seq !== 20)).problem, { seq: 20, what: 'incomplete' });
  assert.deepEqual(proveBag([]).problem, { seq: 0, what: 'incomplete' });
});

/** A game with an exchange, a draw for first play and a dealt board, made with the stream itself. */
function madeGame() {
  const secret = Uint8Array.from({ length: 32 }, (_, i) => 200 - i);
  const nonce = text('my nonce');
  const ruleSet = classicRules();
  const seed = bagSeed(secret, 'g1', [nonce, new Uint8Array()]);
  const tiles = ruleSet.tiles.flatMap(({ face, count }) => Array(count).fill(face));
  const faces = ruleSet.tiles.map(({ face }) => face);
  const sorted = (list) => [...list].sort((a, b) => faces.indexOf(a) - faces.indexOf(b));
  const bag = mixedTiles(seed, 'bag', tiles);
  const [anna, ben] = [bag.slice(0, 7), bag.slice(7, 14)];
  const [drawn, rest] = [bag.slice(14, 16), bag.slice(16)];
  const back = anna.slice(0, 2);
  const after = mixedTiles(seed, 'exchange/1', sorted([...rest, ...back]));
  const symbols = [...ruleSet.board.layout.join('')];
  const [middle] = symbols.splice(112, 1);
  const mixed = mixedTiles(seed, 'layout', symbols);
  mixed.splice(112, 0, middle);
  const layout = Array.from({ length: 15 }, (_, row) => mixed.slice(row * 15, row * 15 + 15).join(''));
  const order = [1, 2].map((round) =>
    mixedTiles(seed, `order/${round}`, tiles)
      .slice(0, 2)
      .map((tile, seat) => ({ seat, tile })),
  );
  return [
    {
      kind: 'created',
      setup: {
        game: 'g1',
        rule_set: { ...ruleSet, board: { ...ruleSet.board, drawn: true } },
        seats: [{}, {}],
        commitment: bytesToText(sha256(secret)),
        nonce_hashes: [
          { seat: 0, hash: bytesToText(sha256(nonce)) },
          { seat: 1, hash: bytesToText(sha256(text('late'))) },
        ],
      },
    },
    { kind: 'seat_ready', seat: 0, nonce: bytesToText(nonce) },
    { kind: 'seat_ready', seat: 1 },
    { kind: 'board_drawn', layout },
    { kind: 'order_drawn', rounds: order, first: 0 },
    { kind: 'bag_shuffled', label: 'bag', count: 100 },
    { kind: 'tiles_drawn', seat: 0, count: 7, tiles: anna, bag: 93 },
    { kind: 'tiles_drawn', seat: 1, count: 7, bag: 86 },
    { kind: 'exchanged', turn_no: 1, seat: 0, count: 2, tiles: back },
    { kind: 'tiles_drawn', seat: 0, count: 2, tiles: drawn, bag: 84 },
    { kind: 'bag_shuffled', label: 'exchange/1', count: 86 },
    { kind: 'exchanged', turn_no: 2, seat: 1, count: 1 },
    { kind: 'tiles_drawn', seat: 1, count: 1, bag: 85 },
    { kind: 'bag_shuffled', label: 'exchange/2', count: 86 },
    {
      kind: 'ended',
      secret: bytesToText(secret),
      exchanges: [
        { turn_no: 1, seat: 0, tiles: back },
        { turn_no: 2, seat: 1, tiles: [ben[0]] },
      ],
      results: [
        { seat: 0, rack: [...anna.slice(2), ...drawn] },
        { seat: 1, rack: [...ben.slice(1), after[0]] },
      ],
    },
  ].map((event, i) => ({ seq: i + 1, ...event }));
}

test('boards, the draw for first play and exchanges are proved too', () => {
  assert.deepEqual(proveBag(madeGame()), { ok: true, draws: 6 });
  const changes = [
    [
      4,
      'board',
      (event) => {
        event.layout.reverse();
      },
    ],
    [
      5,
      'order',
      (event) => {
        event.rounds[1][0].tile = event.rounds[1][0].tile === 'A' ? 'B' : 'A';
      },
    ],
    [
      9,
      'exchange',
      (event) => {
        event.tiles = ['Z', 'Z'];
      },
    ],
    [
      11,
      'bag',
      (event) => {
        event.count = 5;
      },
    ],
    [
      15,
      'rack',
      (event) => {
        event.results[1].rack.pop();
      },
    ],
    [
      12,
      'exchange',
      (_, events) => {
        events[14].exchanges.pop();
      },
    ],
  ];
  for (const [seq, what, change] of changes) {
    const events = structuredClone(madeGame());
    change(events[seq - 1], events);
    assert.deepEqual(proveBag(events).problem, { seq, what });
  }
});

test('a record must begin with what was announced', () => {
  const events = recorded();
  const { setup } = events[0];
  assert.ok(proveBag(events, setup).ok);
  const commitment = bytesToText(sha256(text('another secret')));
  assert.deepEqual(proveBag(events, { ...setup, commitment }).problem, { seq: 1, what: 'commitment' });
  assert.deepEqual(proveBag(events, { ...setup, game: 'another' }).problem, { seq: 1, what: 'commitment' });
  const hashes = [{ seat: 0, hash: commitment }];
  assert.deepEqual(proveBag(events, { ...setup, nonce_hashes: hashes }).problem, { seq: 1, what: 'nonce' });
});
