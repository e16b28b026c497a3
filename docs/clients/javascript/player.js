#!/usr/bin/env node
// Plays a game to its end: node player.js --server ws://localhost:7780 --name Anna --against-bot beginner

import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Game, finalText } from './game.js';
import { Client, Fatal, Refused, main } from './tilewire.js';
import { Words } from './words.js';

// The game has gone on in the meantime: its next event tells where it is.
const OVERTAKEN = new Set([
  'wrong_position', 'not_your_turn', 'window_closed', 'final_phase', 'game_over', 'not_started', 'already_ready',
  'already_accepted', 'already_challenged', 'no_challenge_pending', 'no_adjourn_request', 'adjourned', 'not_adjourned',
]);

const sha256 = (bytes) => new Uint8Array(createHash('sha256').update(bytes).digest());

class Player {
  #created = new Map();
  #played = new Set();

  constructor(client, args) {
    Object.assign(this, { client, args });
    client.onPush = (op, body) => {
      if (op === 'game_created') this.#created.set(body.seek, body.game);
      else if (op === 'chat') this.#show(body.line);
      else if (op === 'notice') console.error('notice:', body.text);
    };
  }

  async playAll() {
    for (let number = 0; number < Number(this.args.games); number++) {
      if (number > 0) await this.client.request('detach', { game: this.gameId });
      await this.#playOne();
    }
  }

  async #playOne() {
    this.nonce = new Uint8Array(randomBytes(16));
    this.announced = { nonce_hash: sha256(this.nonce) };
    this.gameId = await this.#findGame();
    this.#played.add(this.gameId);
    this.words = undefined;
    const game = (this.game = new Game(this.client.identity));
    console.log('game:', this.gameId);
    const stream = (this.stream = this.client.attach(this.gameId, game));
    let due = 0;
    let greeting = this.args.chat;
    while (!game.isOver) {
      if (greeting && stream.isCurrent) {
        await this.#greet(greeting);
        greeting = undefined;
      }
      // An answer may come before its event: what to do next is asked when that event is known.
      if (stream.isCurrent && stream.seq >= due) {
        const { seq } = stream;
        due = (await this.#act()) ?? seq + 1;
      } else {
        await this.client.changed();
      }
    }
    const { secret } = game.result;
    if (secret && Buffer.compare(sha256(secret), game.setup.commitment) !== 0) {
      throw new Fatal('the bag was not the one that was promised');
    }
    console.log(finalText(game.result));
    this.client.streams.delete(this.gameId);
  }

  // Chat. After a lost connection this client does not join the room again.

  /** Joins the room of the game's players, shows its lines and writes one. */
  async #greet(text) {
    try {
      const { chat } = await this.client.request('chat_join', { kind: 'players', game: this.gameId });
      chat.lines.forEach((line) => this.#show(line));
      await this.client.command('chat_say', { room: chat.room, text });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      console.error('no chat:', error.message);
    }
  }

  #show({ name, text }) {
    console.log(`chat: ${name}: ${text}`);
  }

  // Getting into a game.

  async #findGame() {
    const { rules, language, accept, seek, watchable, 'against-bot': bot } = this.args;
    const options = (await this.client.request('rule_set', { rule_set: rules, language })).rules.usual;
    const [unfinished] = this.#unfinished();
    if (unfinished) {
      this.nonce = undefined; // Whatever was announced for it is forgotten.
      return unfinished;
    }
    if (accept) return this.#join(options);
    const more = bot ? { bots: [bot], private: !watchable } : {};
    const op = bot || seek ? 'seek' : 'quick_match';
    return this.#gameOf(await this.client.command(op, { options, ...more, ...this.announced }));
  }

  /** Joins the first open seek with the wanted rules, as soon as there is one. */
  async #join(options) {
    for (;;) {
      const { seeks } = await this.client.request('lobby_subscribe');
      const isWanted = ({ options: { rule_set: rules, lexicon } }) => rules === options.rule_set && lexicon === options.lexicon;
      for (const { seek } of seeks.filter(isWanted)) {
        try {
          const answer = await this.client.command('join_seek', { seek, ...this.announced });
          await this.client.request('lobby_unsubscribe');
          return await this.#gameOf(answer);
        } catch (error) {
          if (!['unknown_seek', 'seek_full'].includes(error.code)) throw error;
        }
      }
      // The subscription pushes changes, but none that happened while the connection was lost.
      await Promise.race([this.client.changed(), sleep(2000)]);
    }
  }

  /** The game that a seek becomes: in the answer, in a push, or after a lost push in the next welcome. */
  async #gameOf(answer) {
    for (;;) {
      const game = answer.game ?? this.#created.get(answer.seek.seek) ?? this.#unfinished()[0];
      if (game) return game;
      await this.client.changed();
    }
  }

  #unfinished() {
    return this.client.games.map(({ game }) => game).filter((game) => !this.#played.has(game));
  }

  // Playing.

  /** Does what the position asks for; returns the seq that must be known before acting again, undefined: the next. */
  async #act() {
    const { phase, window, seat, ready, onTurn, sleep } = this.game;
    if (phase === 'waiting' && !ready.has(seat)) return this.#say('ready', { nonce: this.nonce });
    if (sleep) return sleep.ready.includes(seat) ? undefined : this.#say('resume_game');
    if (this.game.isAskedToAdjourn) return this.#say('answer_adjourn', { agree: true });
    if (window?.challenger !== undefined) {
      return window.author === seat ? this.#say('stand', { play_id: window.play_id }) : undefined;
    }
    if (window?.eligible.includes(seat) && !window.accepted.includes(seat)) {
      const isDoubtful = this.args.challenge && !this.game.lastPlay.words.every(([word]) => this.#list().has(word));
      return this.#say(isDoubtful ? 'challenge' : 'accept', { play_id: window.play_id });
    }
    return onTurn === seat ? this.#takeTurn() : undefined;
  }

  async #takeTurn() {
    const { turnNo: turn_no, rack, bag, setup } = this.game;
    const { seq } = this.stream;
    this.#list().remove(this.game.badWords);
    for (let play; (play = this.#list().find(this.game)); ) {
      try {
        return (await this.#command('play', { turn_no, ...play })).seq;
      } catch (error) {
        if (error.code !== 'invalid_words') return this.#overtaken(error, seq);
        this.#list().remove(error.detail.words);
      }
    }
    if (rack.length && bag >= Math.max(1, setup.rule_set.exchange_min_bag)) {
      return this.#say('exchange', { turn_no, tiles: rack.slice(0, bag) });
    }
    return this.#say('pass', { turn_no });
  }

  #list() {
    return (this.words ??= new Words(this.args.words, this.game.setup.rule_set.tiles));
  }

  #command(op, body) {
    return this.client.command(op, { game: this.gameId, ...body });
  }

  async #say(op, body) {
    const { seq } = this.stream;
    try {
      return (await this.#command(op, body)).seq;
    } catch (error) {
      return this.#overtaken(error, seq);
    }
  }

  #overtaken(error, seq) {
    if (error instanceof Refused && OVERTAKEN.has(error.code)) return seq + 1;
    throw error;
  }
}

const { values: args } = parseArgs({
  options: {
    server: { type: 'string' },
    name: { type: 'string' },
    encoding: { type: 'string', default: 'msgpack' },
    'token-file': { type: 'string' }, // Be the same guest as last time.
    rules: { type: 'string', default: 'classic' },
    language: { type: 'string' }, // Of the tiles and the words, if not the usual one.
    'against-bot': { type: 'string' }, // Its level.
    seek: { type: 'boolean' }, // Offer a game and wait for somebody.
    accept: { type: 'boolean' }, // Join an offered game, or wait for one.
    words: { type: 'string' }, // One word on each line; without it only exchanges and passes.
    challenge: { type: 'boolean' }, // Challenge words that are not in the list.
    chat: { type: 'string' }, // Join the chat of the players and write this.
    games: { type: 'string', default: '1' },
    watchable: { type: 'boolean' }, // Let others watch a game against a bot.
  },
});
if (!args.server || !args.name || !['msgpack', 'json'].includes(args.encoding)) {
  console.error('usage: player.js --server URL --name NAME [--encoding msgpack|json] [--rules NAME] [--words FILE] …');
  process.exit(2);
}
const client = new Client({ ...args, tokenFile: args['token-file'] });
await main('player', client, new Player(client, args).playAll());
