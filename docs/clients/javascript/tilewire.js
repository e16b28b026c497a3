// The Tilewire protocol, version 1, as docs/PROTOCOL.md has it; knows nothing of tiles and words.
//
// Guarantees: every request is answered once, over as many connections as it takes, and the events of a game
// reach its observer in order, each once, whatever happens to the connection in between.

import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import * as msgpack from '@msgpack/msgpack';
import WebSocket from 'ws';

// The tables of errors and of close codes. Codes of later versions are missing; an unknown close code means: reconnect
// after a pause.
const FATAL_CLOSES = new Map([
  [1000, 'normal'], [1002, 'protocol_error'], [1003, 'wrong_frame_type'], [1007, 'bad_utf8'], [1009, 'too_large'],
  [4000, 'bad_handshake'], [4002, 'bad_token'], [4008, 'unsupported_protocol'], [4009, 'revoked'],
]);
// 1005 and 1006 stand for a connection that broke without a close code.
const AT_ONCE_CLOSES = new Set([1001, 1005, 1006, 4001, 4003, 4005]);
const SLOW_CLOSES = new Set([4004, 4007]); // Flood, too many connections.
// A `detached` has a code without `retryable`; these are the ones the table marks "later".
const LATER_ERRORS = new Set(['rate_limited', 'busy', 'shutting_down', 'internal', 'storage_paused', 'command_in_flight']);
const BYTES_FIELDS = new Set(['hash', 'nonce_hash', 'commitment', 'secret', 'nonce']);
const TRIES = 60;
const GIVE_UP_AFTER_MS = 120_000;

/** Nothing more can be done; the message says why. */
export class Fatal extends Error {}

/** The server answered `error`. */
export class Refused extends Error {
  constructor({ code, message = '', detail = {} }) {
    super(`${code}: ${message}`);
    Object.assign(this, { code, detail });
  }
}

// JSON has no bytes: those that are sent are base64url, those that come are known by the names of their fields. The
// bytes must be plain arrays, since a Buffer turns itself into something else before the replacer sees it.
const toJson = (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString('base64url') : value);
const fromJson = (name, value) =>
  BYTES_FIELDS.has(name) && typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64url')) : value;
const CODECS = {
  json: { encode: (message) => JSON.stringify(message, toJson), decode: (data) => JSON.parse(data.toString(), fromJson) },
  // A field without a value is left out, as it is in JSON; `null` is refused.
  msgpack: { encode: (message) => msgpack.encode(message, { ignoreUndefined: true }), decode: msgpack.decode },
};

/** How far the events of one game have come. `observer` has the methods event, snapshot and turnWaits. */
class Stream {
  // Epoch and seq belong together: a new epoch counts only with the seq that was learnt with it.
  epoch = undefined;
  seq = 0;
  head = 1;
  isAttaching = false;
  awaitsSnapshot = false;

  constructor(game, observer, code) {
    Object.assign(this, { game, observer, code });
  }

  /** Whether everything that had happened when it was attached has been applied. */
  get isCurrent() {
    return !this.isAttaching && !this.awaitsSnapshot && this.seq >= this.head;
  }
}

/** One identity on one server. Everything is done by `run`, which the program runs beside its own work. */
export class Client {
  streams = new Map();
  games = [];
  identity = undefined;
  lagMs = 0;
  onPush = () => {};
  #unanswered = new Map();
  #attaching = new Map();
  #isWelcome = false;
  #clockDifferenceMs = 0;
  #lastId = 0;
  #lastCommand = 0;
  #attempt = 0;
  #prefix = randomBytes(9).toString('base64url');
  #waiting = [];

  constructor({ server, name, encoding = 'msgpack', tokenFile }) {
    this.url = new URL(server);
    if (this.url.pathname === '/') this.url.pathname = '/ws';
    Object.assign(this, { name, encoding, tokenFile, codec: CODECS[encoding] });
    try {
      if (tokenFile) this.token = readFileSync(tokenFile, 'utf8').trim();
    } catch {
      // The first time there is none.
    }
  }

  // The methods for programs.

  /** Connects, again and again. Never returns; throws Fatal when there is no point in going on. */
  async run() {
    let lastWelcome = performance.now();
    for (;;) {
      const pause = await this.#connection();
      if (this.#isWelcome) lastWelcome = performance.now();
      this.#isWelcome = false;
      if (performance.now() - lastWelcome > GIVE_UP_AFTER_MS) throw new Fatal('the server cannot be reached');
      // Growing, and different for everybody: all clients lose a server at the same moment.
      const growing = Math.min(10_000, 100 * 2 ** Math.min(this.#attempt++, 10)) * (0.5 + Math.random() / 2);
      await sleep(pause + growing);
    }
  }

  /**
   * Returns the answer. Asks again as long as it may (`retryable`); throws Refused.
   *
   * A request that was never answered goes out again on the next connection. That is safe for commands, which have a
   * cmd_id; the others change nothing.
   */
  async request(op, body = {}) {
    for (let tries = 1; ; tries++) {
      const [kind, fields] = await new Promise((answer) => {
        this.#unanswered.set(++this.#lastId, { op, body, answer });
        if (this.#isWelcome) this.#send(op, this.#lastId, body);
      });
      if (kind === 'ok') return fields;
      if (!fields.retryable || tries === TRIES) throw new Refused(fields);
      await sleep(fields.detail?.retry_after_ms ?? Math.min(2000, 50 * 2 ** Math.min(tries, 6)));
    }
  }

  /** Sends a command under a new cmd_id, so that it is carried out once however often it is sent. */
  command(op, body) {
    return this.request(op, { cmd_id: `${this.#prefix}-${++this.#lastCommand}`, ...body });
  }

  /** Starts the events of a game, from the first one if the server still has it. */
  attach(game, observer, code) {
    const stream = new Stream(game, observer, code);
    this.streams.set(game, stream);
    if (this.#isWelcome) this.#sendAttach(stream);
    return stream;
  }

  /** Waits until something has come from the server. */
  changed() {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** The server's clock, in ms of unix time. A move that is sent now is charged up to now, whatever its way takes. */
  now() {
    return Date.now() + this.#clockDifferenceMs + this.lagMs;
  }

  /** Says goodbye, if there is a connection, and waits a little for the answer. */
  async close() {
    const { ws } = this;
    if (ws?.readyState !== WebSocket.OPEN) return;
    const closed = new Promise((resolve) => ws.once('close', resolve));
    ws.close(1000);
    await Promise.race([closed, sleep(2000)]);
  }

  // One connection.

  /** Lives through one connection; returns the pause after it in ms. */
  #connection() {
    return new Promise((resolve, reject) => {
      const ws = (this.ws = new WebSocket(this.url, [`tilewire.v1.${this.encoding}`], {
        perMessageDeflate: false, handshakeTimeout: 10_000, maxPayload: 2 ** 20,
      }));
      // The server pings; when nothing at all comes any more, the connection has died without a word.
      let watchdog;
      let silenceMs = 25_000;
      const heard = () => {
        clearTimeout(watchdog);
        watchdog = setTimeout(() => ws.terminate(), silenceMs);
      };
      heard();
      ws.on('ping', heard);
      ws.on('open', () => this.#authenticate());
      ws.on('message', (data) => {
        heard();
        try {
          const message = this.codec.decode(data);
          if (message[0] === 'hello') silenceMs = 2.5 * message[2].heartbeat_ms;
          this.#take(message);
        } catch (error) {
          reject(error);
          ws.terminate();
        }
      });
      ws.on('unexpected-response', (_, { statusCode: status }) => {
        if (status >= 400 && status < 500 && status !== 429) reject(new Fatal(`the server answers HTTP ${status}`));
        resolve(1000);
        ws.terminate();
      });
      ws.on('error', () => {}); // 'close' follows.
      ws.on('close', (code, reason) => {
        clearTimeout(watchdog);
        try {
          resolve(this.#closed(code, reason.toString()));
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  #closed(code, reason) {
    if (code === 4002 && this.token && !this.identity) {
      this.token = undefined; // It is of another server, or of another time: begin as a new guest.
      return 0;
    }
    if (FATAL_CLOSES.has(code)) throw new Fatal(`closed by the server: ${code} ${FATAL_CLOSES.get(code)} ${reason}`.trim());
    if (code === 4006) return Number(/^retry_after_ms=(\d+)/.exec(reason)?.[1] ?? 1000) * (1 + Math.random());
    if (SLOW_CLOSES.has(code)) return 5000;
    return AT_ONCE_CLOSES.has(code) ? 0 : 1000;
  }

  #send(op, id, body) {
    // If the connection is lost the answer never comes, and the request is sent again.
    this.ws.send(this.codec.encode([op, id, body]), () => {});
  }

  #authenticate() {
    this.#attaching.clear();
    this.authId = ++this.#lastId;
    this.authSent = Date.now();
    this.#send('auth', this.authId, { token: this.token, name: this.name, client: 'tilewire-example-javascript/1.0' });
  }

  #take([op, id, body]) {
    const stream = this.streams.get(body.game);
    if (op === 'welcome') {
      this.#welcome(body);
    } else if (id && id === this.authId && op === 'error') {
      // The close code that follows decides whether to try again, but for a new token it is known what to do.
      if (body.code !== 'bad_token' && !body.retryable) throw new Fatal(`not let in: ${body.code}: ${body.message ?? ''}`);
    } else if (this.#attaching.has(id)) {
      this.#attached(this.#attaching.get(id), op, body);
      this.#attaching.delete(id);
    } else if (this.#unanswered.has(id)) {
      this.#unanswered.get(id).answer([op, body]);
      this.#unanswered.delete(id);
    } else if (op === 'event') {
      if (stream) this.#event(stream, body);
    } else if (op === 'snapshot' && stream) {
      Object.assign(stream, { epoch: body.epoch, seq: body.seq, awaitsSnapshot: false });
      stream.observer.snapshot(body);
    } else if (op === 'turn_waiting' && stream) {
      if (!stream.isAttaching && !stream.awaitsSnapshot) stream.observer.turnWaits(body);
    } else if (op === 'detached' && stream) {
      this.#detached(stream, body, LATER_ERRORS.has(body.code));
    } else if (op === 'lag') {
      this.lagMs = body.lag_ms;
    } else {
      this.onPush(op, body); // Also what later versions say: to be ignored by whoever does not know it.
    }
    if (this.#isWelcome && op !== 'welcome') this.#attempt = 0; // Only a connection that was of use makes the next pause short.
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #welcome(body) {
    // The server said its time one way ago; half a round trip, until it says what it has measured.
    this.#clockDifferenceMs = body.server_time - Date.now();
    this.lagMs = (Date.now() - this.authSent) / 2;
    Object.assign(this, { identity: body.identity, token: body.token, games: body.games });
    if (this.tokenFile) writeFileSync(this.tokenFile, this.token, { mode: 0o600 });
    this.#isWelcome = true;
    // First the games, then the commands in their old order, under new request ids.
    for (const stream of this.streams.values()) this.#sendAttach(stream);
    const waiting = [...this.#unanswered.values()];
    this.#unanswered.clear();
    for (const request of waiting) {
      this.#unanswered.set(++this.#lastId, request);
      this.#send(request.op, this.#lastId, request.body);
    }
  }

  // Games.

  #sendAttach(stream) {
    this.#attaching.set(++this.#lastId, stream);
    Object.assign(stream, { isAttaching: true, awaitsSnapshot: false });
    // A seq means nothing without its epoch, but for 0, which asks for everything from the first event.
    const { game, epoch, seq, code } = stream;
    this.#send('attach', this.#lastId, { game, epoch, seq: epoch === undefined ? 0 : seq, code });
  }

  #attached(stream, op, body) {
    stream.isAttaching = false;
    if (op === 'error') return this.#detached(stream, body, body.retryable);
    stream.head = body.head;
    stream.observer.turnWaits(undefined); // The server says it again if a turn waits.
    // No event counts before the snapshot, and the old position is kept until then.
    if (body.outcome === 'snapshot') stream.awaitsSnapshot = true;
    else stream.epoch = body.epoch;
  }

  #detached(stream, body, isRetryable) {
    if (!isRetryable) throw new Fatal(`game ${stream.game}: ${body.code}: ${body.message ?? ''}`);
    setTimeout(() => this.#isWelcome && !stream.isAttaching && this.#sendAttach(stream), 1000);
  }

  #event(stream, body) {
    // An event between an attach and its answer, or before its snapshot, is repeated later or part of the snapshot.
    if (stream.isAttaching || stream.awaitsSnapshot || body.seq <= stream.seq) return;
    if (body.seq === stream.seq + 1) {
      stream.seq = body.seq;
      stream.observer.event(body);
    } else {
      this.#sendAttach(stream); // A gap.
    }
  }
}

/** Runs a program: `work` while the client keeps its connection; the first of the two to end ends both. */
export async function main(program, client, work) {
  let status = 0;
  try {
    await Promise.race([client.run(), work]);
  } catch (error) {
    console.error(error instanceof Fatal || error instanceof Refused ? `${program}: ${error.message}` : error);
    status = 1;
  }
  await client.close();
  process.exit(status);
}
