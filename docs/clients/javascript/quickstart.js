// Plays two-letter words against a house bot: node quickstart.js ws://127.0.0.1:7780
import { randomUUID } from 'node:crypto';
import WebSocket from 'ws'; // A web page uses its own WebSocket.

const WORDS = 'AH AM AN AS AT AX BE BY DO ED EN ER GO HE HI IF IN IS IT LA ME MY NO OF OH ON OR OX RE SO TO UP US WE'.split(' ');
const RUN = randomUUID().slice(0, 13); // The id of a command is used once, so the next run of the program uses others.
const board = new Map(); // From squares such as H8 to faces.
const rack = [];
let [lexicon, game, turnNo, plays, lastId] = ['', '', 0, [], 0];

const ws = new WebSocket(`${process.argv.at(-1)}/ws`, ['tilewire.v1.json'], { perMessageDeflate: false });
const send = (op, body) => ws.send(JSON.stringify([op, ++lastId, body]));
const square = (row, column) => `${String.fromCharCode(column)}${row}`;

/** The squares of a play: `8F` runs across from row 8, column F; `F8` runs down. */
function squares(start, count) {
  const [row, column] = [parseInt(start.replace(/\D/, ''), 10), start.replace(/\d/g, '').charCodeAt(0)];
  const isAcross = /^\d/.test(start);
  return Array.from({ length: count }, (_, i) => (isAcross ? square(row, column + i) : square(row + i, column)));
}

/** A word on the start square, or one tile behind another; the server refuses what does not fit. */
function possiblePlays() {
  const canLay = (word) => [...word].every((tile) => rack.includes(tile));
  if (board.size === 0) return WORDS.filter(canLay).map((word) => ['8G', [...word]]);
  const behind = ([at, face]) => WORDS.filter(([first, second]) => first === face.toUpperCase() && rack.includes(second))
    .filter(() => !board.has(square(at.slice(1), at.charCodeAt(0) + 1)))
    .map(([, second]) => [`${at.slice(1)}${at[0]}`, ['.', second]]);
  return [...board].flatMap(behind).slice(0, 8);
}

/** Tries the next play; the last one is a pass. */
function act() {
  const turn = { game, turn_no: turnNo, cmd_id: `${RUN}-${lastId}` };
  const [start, tiles] = plays.shift();
  if (start) send('play', { ...turn, start, tiles });
  else send('pass', turn);
}

ws.on('open', () => send('auth', { name: 'Quick', client: 'quickstart/1.0' }));
ws.on('message', (frame) => {
  const [op, , body] = JSON.parse(frame);
  const kind = body.kind ?? op;
  if (op === 'hello') {
    lexicon = body.lexica.find(({ language }) => language === 'english').name;
  } else if (op === 'welcome') {
    const options = { rule_set: 'classic', seats: 2, lexicon, challenge: { kind: 'void' } };
    send('seek', { cmd_id: `${RUN}-seek`, options, bots: ['beginner'] }); // The owner of a seek has seat 0.
  } else if (op === 'ok' && body.seek) {
    game = body.game;
    send('attach', { game, seq: 0 });
    send('ready', { game, cmd_id: `${RUN}-ready` });
  } else if (op === 'error') {
    console.log('refused:', body.code);
    if (plays.length === 0) throw new Error(body.message);
    act();
  } else if (kind === 'tiles_drawn') {
    rack.push(...(body.tiles ?? [])); // Only the own tiles are shown.
  } else if (kind === 'turn_started' && body.seat === 0) {
    [turnNo, plays] = [body.turn_no, [...possiblePlays(), []]];
    act();
  } else if (kind === 'play_made') {
    console.log(body.start, ...body.tiles, 'scores', body.score);
    squares(body.start, body.tiles.length).forEach((at, i) => {
      if (body.tiles[i] === '.') return;
      board.set(at, body.tiles[i]);
      if (body.seat === 0) rack.splice(rack.indexOf(body.tiles[i]), 1);
    });
  } else if (kind === 'ended') {
    console.log('ended:', body.reason, JSON.stringify(body.results.map((result) => result.final_score)));
    ws.close(1000);
  }
});
