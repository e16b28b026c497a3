// The chat without a screen: the lines of a room, what is new, what is repeated, and a room over several connections.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  askAfter, beginLine, charactersOfLine, emptyRoom, hideLines, hideWriter, lastLine, lineRefused, lineStored, oneLine, takeJoined,
  takeLine, unanswered, unreadLines,
} from '../../server/web/src/model/chatroom.js';
import { ReadMarks } from '../../server/web/src/store/readmarks.js';
import { ChatRoom } from '../../server/web/src/page/chatroom.js';
import { fakeConnection, refusal, settled } from './fakes.mjs';

const ME = 'ia';
const line = (number, identity = 'ben', text = `text ${number}`) => (
  { line: number, at: 1000 * number, identity, name: identity, text });
const numbers = ({ lines }) => lines.map(({ line: number }) => number);

/** A room with lines of these numbers, as the server has told them. */
function roomWith(...known) {
  const room = emptyRoom();
  takeJoined(room, { lines: known.map((number) => line(number)), can_say: true });
  return room;
}

test('lines stand in order, and each once', () => {
  for (const [what, known, told, answer, expected] of [
    ['pushes in order', [], [1, 2], [], [1, 2]],
    ['a push twice', [1], [2, 2], [], [1, 2]],
    ['a push before the lines of the answer', [], [3], [1, 2, 3], [1, 2, 3]],
    ['numbers are missing', [1, 4], [7], [], [1, 4, 7]],
    ['after a pause', [1, 2], [], [3, 4], [1, 2, 3, 4]],
    ['a push out of order', [1], [3, 2], [], [1, 2, 3]],
  ]) {
    const room = roomWith(...known);
    for (const number of told) takeLine(room, line(number), ME);
    if (answer.length > 0) takeJoined(room, { lines: answer.map((number) => line(number)) });
    assert.deepEqual(numbers(room), expected, what);
  }
});

test('a line that is known is no news', () => {
  const room = roomWith(1);
  assert.equal(takeLine(room, line(1), ME), false);
  assert.equal(takeLine(room, line(2), ME), true);
});

test('lines before a gap go', () => {
  const range = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => line(from + i));
  const whole = roomWith(1, 2);
  takeJoined(whole, { lines: range(3, 202) });
  assert.equal(numbers(whole)[0], 1, '200 lines after the last one: nothing is missing');
  const cut = roomWith(1, 2);
  takeJoined(cut, { lines: range(4, 203) });
  assert.deepEqual([numbers(cut)[0], lastLine(cut)], [4, 203]);
  const hidden = roomWith(1, 2);
  takeJoined(hidden, { lines: [line(5), line(9)] });
  assert.deepEqual(numbers(hidden), [1, 2, 5, 9], 'lines of blocked players are missing');
});

test('a room keeps its newest lines', () => {
  const room = roomWith();
  for (let number = 1; number <= 600; number++) takeLine(room, line(number), ME);
  assert.deepEqual([numbers(room).length, numbers(room)[0], lastLine(room)], [500, 101, 600]);
});

test('the first question asks for the newest lines, the next one for what came after', () => {
  const room = emptyRoom();
  takeLine(room, line(7), ME);
  assert.equal(askAfter(room), undefined, 'a push alone is no history');
  takeJoined(room, { lines: [line(6), line(7)] });
  assert.equal(askAfter(room), 7);
  assert.equal(askAfter(roomWith()), undefined);
});

test('new are the lines of others after the mark and after the own last line', () => {
  for (const [what, lines, read, expected] of [
    ['nothing read', [line(1), line(2)], 0, 2],
    ['some read', [line(1), line(2), line(3)], 2, 1],
    ['all read', [line(1)], 1, 0],
    ['own lines', [line(1), line(2, ME)], 0, 0],
    ['an answer was given elsewhere', [line(1), line(2, ME), line(3)], 0, 1],
    ['an empty room', [], 4, 0],
  ]) {
    const room = emptyRoom();
    takeJoined(room, { lines });
    assert.equal(unreadLines(room, read, ME), expected, what);
  }
});

test('a line is on its way until it stands among the others, in whichever order answer and push come', () => {
  for (const order of [['push', 'answer'], ['answer', 'push']]) {
    const room = roomWith(1);
    const sending = beginLine(room, ' good   luck ', 'c1');
    assert.equal(unanswered(room), sending);
    for (const step of order) {
      if (step === 'push') takeLine(room, line(2, ME, 'good luck'), ME);
      else lineStored(room, 'c1', 2);
      assert.equal(room.sending?.isSeen ?? true, step === 'push' || order[0] === 'push', `${order}: shown once`);
    }
    assert.deepEqual([room.sending, numbers(room)], [undefined, [1, 2]], `${order}`);
  }
});

test('the same words of another player are not the own line', () => {
  const room = roomWith();
  beginLine(room, 'hello', 'c1');
  takeLine(room, line(1, 'ben', 'hello'), ME);
  assert.equal(room.sending.isSeen, false);
});

test('a line that was refused goes out again under its old id, another one under a new id', () => {
  const room = roomWith();
  beginLine(room, 'hello', 'c1');
  lineRefused(room, 'c1');
  assert.equal(room.sending, undefined);
  assert.equal(beginLine(room, 'hello', 'c2').cmdId, 'c1');
  lineRefused(room, 'c1');
  assert.equal(beginLine(room, 'hello!', 'c3').cmdId, 'c3');
  lineStored(room, 'c1', 5);
  assert.equal(unanswered(room)?.cmdId, 'c3', 'an answer to an older line says nothing about this one');
});

test('a block takes the lines of a player away', () => {
  const room = roomWith(1, 2);
  takeLine(room, line(3, 'mallory'), ME);
  hideWriter(room, 'mallory');
  assert.deepEqual(numbers(room), [1, 2]);
});

test('lines that a moderator hides go', () => {
  const room = roomWith(1, 2, 3);
  assert.equal(hideLines(room, [2, 9]), true);
  assert.deepEqual(numbers(room), [1, 3]);
  assert.equal(hideLines(room, [2]), false);
});

test('characters are counted as the server counts them', () => {
  for (const [text, count] of [['', 0], ['  a \n b ', 3], ['👩‍🔬', 3], ['🙂'.repeat(300), 300], ['   ', 0]]) {
    assert.equal(charactersOfLine(text), count, JSON.stringify(text));
  }
  assert.equal(oneLine(' a\t\nb '), 'a b');
});

test('read marks only grow, and are kept', () => {
  const kept = new Map();
  const storage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) };
  const full = { getItem: () => null, setItem() { throw new Error('full'); } };
  for (const [name, place] of [['memory', storage], ['a full storage', full], ['no storage', undefined]]) {
    const marks = new ReadMarks(place);
    assert.deepEqual([marks.of('r'), marks.keep('r', 3), marks.keep('r', 2), marks.of('r')], [0, true, false, 3], name);
  }
  const other = new ReadMarks(storage);
  assert.equal(other.of('r'), 3);
  new ReadMarks(storage).keep('r', 8);
  assert.deepEqual([other.takeStorageEvent({ key: 'other' }), other.takeStorageEvent({ key: 'tilewire.read' })], [false, true]);
  assert.equal(other.of('r'), 8, 'another tab has read');
  for (let i = 0; i < 300; i++) new ReadMarks(storage).keep(`r${i}`, 1);
  assert.deepEqual([new ReadMarks(storage).of('r'), new ReadMarks(storage).of('r299')], [0, 1]);
  kept.set('tilewire.read', '{"broken"');
  assert.equal(new ReadMarks(storage).of('r'), 0);
  kept.set('tilewire.read', '[null, 3, ["r"], ["r", "4"], ["s", 5]]');
  assert.deepEqual([new ReadMarks(storage).of('r'), new ReadMarks(storage).of('s')], [0, 5]);
});

/** A room on a connection that a test scripts, and what it has told its observer. */
async function scripted({ mayJoin } = {}) {
  const made = fakeConnection();
  const chat = {
    connection: made.connection, rooms: new Set(), left: new Set(), generation: 1, changed() {}, isOpen: true,
    turnOff: () => void (chat.isOff = true), newCmdId: () => `id-${++chat.ids}`, ids: 0,
  };
  const refused = [];
  const room = new ChatRoom(chat, { kind: 'players', game: 'g1' }, { mayJoin });
  room.observers.add({ changed() {}, refused: (text, { code }) => refused.push([text, code]) });
  await made.socket.welcome();
  const answer = (op, body) => made.socket.gets('ok', made.socket.of(op).at(-1)[1], { chat: { room: 'p-g1', ...body } });
  const refuse = (op, error) => made.socket.gets('error', made.socket.of(op).at(-1)[1], error);
  const joined = async (body = { lines: [], can_say: true }) => {
    answer('chat_join', body);
    await settled();
  };
  const reconnect = async () => {
    await made.socket.ends(1006);
    room.lost();
    await made.clock.pass(20_000);
    chat.generation += 1;
    await made.socket.welcome();
  };
  return { ...made, made, chat, room, refused, answer, refuse, joined, reconnect, sent: (op) => made.socket.of(op) };
}

test('a room is joined with what it asks for, and again after its last line', async () => {
  const { room, sent, joined, reconnect } = await scripted();
  void room.join();
  assert.deepEqual(sent('chat_join').map(([, , body]) => body), [{ kind: 'players', game: 'g1' }]);
  await joined({ lines: [line(1), line(2)] });
  assert.deepEqual([room.isJoined, room.id], [true, 'p-g1']);
  void room.join();
  assert.equal(sent('chat_join').length, 1, 'a joined room is not joined again');
  await reconnect();
  void room.join();
  assert.deepEqual(sent('chat_join').map(([, , body]) => body.after), [2]);
});

test('a line that was not answered is repeated with the same id, after the room is joined again', async () => {
  const { room, sent, joined, answer, refuse, refused, reconnect } = await scripted();
  void room.join();
  await joined();
  void room.say('hello');
  const [[, , first]] = sent('chat_say');
  await reconnect();
  // The connection repeats the request before the room can be joined.
  assert.deepEqual(sent('chat_say').map(([, , body]) => body), [first]);
  void room.join();
  refuse('chat_say', refusal('not_in_room'));
  await settled();
  assert.equal(sent('chat_say').length, 1, 'it waits for the room');
  await joined();
  assert.deepEqual(sent('chat_say').map(([, , body]) => body), [first, first]);
  answer('chat_say', { line: 1 });
  room.take(line(1, ME, 'hello'));
  await settled();
  assert.deepEqual([numbers(room.state), room.state.sending, refused], [[1], undefined, []]);
});

test('a refused line goes back to the player at once, also when it would pass later', async () => {
  for (const error of [
    refusal('too_many_lines', { retryable: true, detail: { retry_after_ms: 2000 } }),
    refusal('busy', { retryable: true }), refusal('repeated_line', { detail: { retry_after_ms: 9000 } }),
    refusal('cannot_say'), refusal('bad_text'),
  ]) {
    const { room, made, sent, joined, refuse, refused } = await scripted();
    void room.join();
    await joined();
    void room.say('hello');
    refuse('chat_say', error);
    await settled();
    assert.deepEqual(refused, [['hello', error.code]]);
    await made.clock.pass(20_000);
    assert.equal(sent('chat_say').length, 1, `${error.code} is not sent again by itself`);
    assert.equal(room.state.sending, undefined);
  }
});

test('a line that is never taken is given up', async () => {
  const { room, sent, joined, refuse, refused } = await scripted();
  void room.join();
  await joined();
  void room.say('hello');
  for (let tries = 0; tries < 3; tries++) {
    refuse('chat_say', refusal('not_in_room'));
    await settled();
  }
  assert.deepEqual([sent('chat_say').length, refused], [3, [['hello', 'not_in_room']]]);
});

test('a room waits until it can be joined, and a refusal is known', async () => {
  let isAttached = false;
  const { room, chat, sent, refuse } = await scripted({ mayJoin: () => isAttached });
  void room.join();
  assert.equal(sent('chat_join').length, 0);
  isAttached = true;
  void room.join();
  refuse('chat_join', refusal('no_such_room'));
  await settled();
  assert.deepEqual([room.refused, room.isJoined, chat.isOff], ['no_such_room', false, undefined]);
  void room.join();
  refuse('chat_join', refusal('chat_off'));
  await settled();
  assert.deepEqual([room.refused, chat.isOff], ['chat_off', true]);
});

test('a room that is left is left on the server, also when the answer comes later', async () => {
  const early = await scripted();
  void early.room.join();
  await early.joined();
  early.room.close();
  assert.deepEqual(early.sent('chat_leave').map(([, , body]) => body), [{ room: 'p-g1' }]);
  assert.equal(early.chat.rooms.size, 0);
  const late = await scripted();
  void late.room.join();
  late.room.close();
  assert.equal(late.sent('chat_leave').length, 0);
  await late.joined();
  assert.equal(late.sent('chat_leave').length, 1);
});

test('a connection that was put out comes back if it was too slow, and stays out otherwise', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { room, sent, joined } = await scripted();
  void room.join();
  await joined({ lines: [line(4)], can_say: true });
  room.putOut('too_slow');
  t.mock.timers.tick(5000);
  assert.deepEqual(sent('chat_join').map(([, , { after }]) => after), [undefined, 4]);
  await joined();
  room.putOut('not_friends');
  t.mock.timers.tick(5000);
  assert.deepEqual([room.isJoined, room.refused, sent('chat_join').length], [false, 'not_friends', 2]);
});
