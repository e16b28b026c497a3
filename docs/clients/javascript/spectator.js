#!/usr/bin/env node
// Prints a game move by move: node spectator.js --server ws://localhost:7780 GAME

import { parseArgs } from 'node:util';
import { Game, finalText } from './game.js';
import { Client, main } from './tilewire.js';

/** A game that says what happens in it; after a snapshot, what happened while nobody told us. */
class Spectated extends Game {
  #printed = 0;

  constructor(client) {
    super(client.identity);
    this.client = client;
  }

  snapshot(body) {
    super.snapshot(body);
    for (const turn of body.turns) this.#turn(turn.kind, turn);
  }

  event(body) {
    super.event(body);
    if (['play_made', 'exchanged', 'passed', 'turn_lost'].includes(body.kind)) {
      this.#turn(body.kind, body);
    } else if (body.kind === 'challenge_decided') {
      const verdict = body.upheld ? 'comes off' : 'stands';
      console.log(`    ${this.#name(body)} challenges: the play ${verdict}`, ...body.bad_words);
    }
  }

  #turn(kind, turn) {
    if (turn.turn_no <= this.#printed) return;
    this.#printed = turn.turn_no;
    let text = kind.replace('_', ' ');
    if (turn.start) {
      text = `${turn.start} ${turn.tiles.join(' ')}  ${turn.words[0][0]} +${turn.score}${turn.off ? ' (taken off)' : ''}`;
    } else if (turn.count) {
      text += ` ${turn.count}`;
    }
    const clocks = this.clockText(this.client.now());
    console.log(`${String(turn.turn_no).padStart(3)}. ${this.#name(turn).padEnd(12)} ${text}  [${clocks}]`);
  }

  #name({ seat }) {
    return this.setup.seats[seat].name;
  }
}

async function watch(client, id, code) {
  const game = new Spectated(client);
  client.attach(id, game, code);
  while (!game.isOver) await client.changed();
  console.log(finalText(game.result));
}

const { values: args, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    server: { type: 'string' },
    name: { type: 'string', default: 'spectator' },
    encoding: { type: 'string', default: 'msgpack' },
    code: { type: 'string' }, // Of a private game.
  },
});
if (!args.server || positionals.length !== 1 || !['msgpack', 'json'].includes(args.encoding)) {
  console.error('usage: spectator.js --server URL [--encoding msgpack|json] [--code CODE] GAME');
  process.exit(2);
}
const client = new Client(args);
await main('spectator', client, watch(client, positionals[0], args.code));
