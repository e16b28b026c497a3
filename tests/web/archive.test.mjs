// Finished games: filters in an address, results from the side of a player, the file of an export.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { archiveQuery, filtersOf, fragmentOf, outcomeOf, seatOfPlayer } from '../../server/web/src/model/archive.js';
import { textOfZip } from '../../server/web/src/model/zip.js';
import { fileOfApi } from '../../server/web/src/wire/api.js';

const asked = (query) => Object.fromEntries(new URLSearchParams(query.split('?')[1]));

test('without a fragment the own games are meant, and filters survive the way through an address', () => {
  assert.deepEqual([filtersOf(''), fragmentOf(filtersOf(''))], [{ player: 'me' }, '']);
  const filters = { player: 'anna & bob', opponent: 'çelik', pool: 'classic/wordnik/rapid', rated: 'true', from: '2026-03-01', score_min: '-5' };
  assert.deepEqual(filtersOf(fragmentOf(filters)), filters);
  assert.deepEqual(filtersOf('opponent=bob&colour=red&reason='), { player: 'me', opponent: 'bob' });
});

test('filters of a seat need a player', () => {
  assert.deepEqual(filtersOf('player=&opponent=bob&result=won&score_min=3&rated=true'), { rated: 'true' });
  assert.deepEqual(filtersOf(fragmentOf({ player: '', rated: 'true' })), { rated: 'true' });
});

test('days are asked for from their beginning to their end, where the player is', () => {
  const { from, until, limit, before, player } = asked(archiveQuery({ player: 'me', from: '2026-03-31', until: '2026-03-31' }, 50, '17'));
  assert.deepEqual([Number(from), Number(until)], [new Date(2026, 2, 31).getTime(), new Date(2026, 3, 1).getTime()]);
  assert.deepEqual([limit, before, player], ['50', '17', 'me']);
  assert.equal('from' in asked(archiveQuery({ from: 'soon' }, 5)), false);
});

test('a result is told from the side of the player', () => {
  const seat = (identity, name, rank) => ({ identity, name, rank });
  const game = { seats: [seat('ia', 'anna', 2), seat('ib', 'Bob', 1)] };
  assert.equal(seatOfPlayer(game, 'me', 'ia'), game.seats[0]);
  assert.equal(seatOfPlayer(game, 'bob', 'ia'), game.seats[1]);
  assert.equal(seatOfPlayer(game, 'ib', 'ia'), game.seats[1]);
  assert.equal(seatOfPlayer(game, '', 'ia'), undefined);
  assert.deepEqual(game.seats.map((one) => outcomeOf(game, one)), ['lost', 'won']);
  const shared = { seats: [seat('ia', 'anna', 1), seat('ib', 'Bob', 1), seat('ic', 'cleo', 3)] };
  assert.deepEqual(shared.seats.map((one) => outcomeOf(shared, one)), ['shared', 'shared', 'lost']);
  assert.equal(outcomeOf(game, seat('ia', 'anna', 0)), 'none');
});

/** A ZIP file of these texts; every second one is compressed. */
function zipOf(files) {
  const [parts, list] = [[], []];
  let at = 0;
  Object.entries(files).forEach(([name, text], i) => {
    const method = i % 2 ? 8 : 0;
    const content = method ? deflateRawSync(text) : Buffer.from(text);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(content.length, 20);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at, 42);
    list.push(entry, Buffer.from(name));
    parts.push(local, Buffer.from(name), content);
    at += 30 + name.length + content.length;
  });
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(at, 16);
  const all = Buffer.concat([...parts, ...list, end]);
  return all.buffer.slice(all.byteOffset, all.byteOffset + all.length);
}

test('a file of an export says what is next, and one that ends early says nothing', async () => {
  const zip = zipOf({ 'results.jsonl': '{}\n', 'manifest.json': '{"next":"12"}', 'games/a.gcg': 'x' });
  assert.equal(await textOfZip(zip, 'manifest.json'), '{"next":"12"}');
  assert.equal(await textOfZip(zip, 'results.jsonl'), '{}\n');
  assert.equal(await textOfZip(zip, 'nothing'), undefined);
  for (let size = 0; size < zip.byteLength; size++) {
    assert.equal(await textOfZip(zip.slice(0, size), 'manifest.json'), undefined, `${size} bytes`);
  }
});

test('a file is the bytes of the answer, or a refusal', async () => {
  const answer = (status, body) => async (path, { headers }) => {
    assert.deepEqual([path, headers.Authorization], ['/api/v1/export', 'Bearer secret']);
    return new Response(body, { status });
  };
  const file = await fileOfApi('/export', { token: 'secret' }, answer(200, 'PK'));
  assert.equal(Buffer.from(file).toString(), 'PK');
  const refused = await fileOfApi('/export', { token: 'secret' }, answer(503, '{"code":"busy","retryable":true}')).catch((error) => error);
  assert.deepEqual([refused.code, refused.retryable], ['busy', true]);
});
