// One identity on one server, over as many WebSockets as it takes. Knows the protocol, and nothing of tiles.

import { BAD_TOKEN_CLOSE, isFinalClose, pauseAfter } from './closing.js';
import { bytesToText } from '../bag/base64.js';
import { Heartbeat } from './heartbeat.js';
import { OpenRequests } from './requests.js';
import { ServerClock } from './server-clock.js';
import { Session } from './session.js';
import { Streams } from './streams.js';

/** @typedef {import('./stream.js').GameObserver} GameObserver */

/**
 * Why a connection waits or has stopped.
 *
 * @typedef {object} CloseReason
 * @property {number} code The close code.
 * @property {string} text For people; only of revocations is it shown.
 * @property {string} [error] The code of the error that came before.
 */

/**
 * @typedef {object} ConnectionState
 * @property {'connecting' | 'open' | 'waiting' | 'stopped'} state
 * @property {number} since On the page's monotonic clock; while it connects and waits in turn, since the connection was
 * lost.
 * @property {number} [retryAt] When the next attempt is made.
 * @property {CloseReason} [reason]
 */

/**
 * @typedef {object} ConnectionSetup
 * @property {string} url
 * @property {string} [token] Of an earlier run.
 * @property {() => string | undefined} [instead] The token to go on with when that of an earlier run is not taken.
 * @property {(token: string | undefined) => string | boolean} [newer] As for `Session`.
 * @property {string} [name]
 * @property {string} [client] Name and version of the program.
 * @property {new (url: string, protocols: string[]) => WebSocket} [WebSocket]
 * @property {() => number} [now] A monotonic clock, ms.
 * @property {() => number} [random]
 * @property {(act: () => void, ms: number) => any} [setTimer]
 * @property {(timer: any) => void} [clearTimer]
 */

/** Pushes that name a game and are for its players on every connection, attached or not. */
const PLAYER_PUSHES = new Set(['rating', 'rematch', 'invitation']);

/**
 * The events and their arguments: `state` (ConnectionState), `hello` and `welcome` (body), `push` (op, body), `token` (token or
 * `undefined`, expires_at), `lag` (ms). After each `welcome` a page repeats the requests whose effect lasts only for a connection,
 * such as `lobby_subscribe`.
 *
 * @typedef {'state' | 'hello' | 'welcome' | 'push' | 'token' | 'lag'} ConnectionEvent
 */

const SUBPROTOCOL = 'tilewire.v1.json';
/** The usual interval of the server's pings, until `hello` names it. */
const USUAL_HEARTBEAT_MS = 10_000;
/** The timeout of an attempt. */
const CONNECT_WITHIN_MS = 15_000;
/** How often a newer token is looked for. */
const TOKEN_LOOK_MS = 500;
/** A connection that lasts this long resets the pause between attempts. */
const USEFUL_MS = 5000;

/** A connection that comes back by itself. */
export class Connection {
  /** @type {string | undefined} */
  name = undefined;
  /** @type {Protocol.Hello | undefined} */
  hello = undefined;
  /**
   * The own unfinished games, as the last `welcome` named them.
   *
   * @type {Protocol.GameSummary[]}
   */
  games = [];
  /** Whether the identity may play rated games. */
  isRegistered = false;
  /** @type {ConnectionState} */
  state = { state: 'stopped', since: 0 };

  #setup;
  /** @type {WebSocket | undefined} */
  #ws = undefined;
  #lastId = 0;
  #lastCommand = 0;
  #commandPrefix;
  #attempt = 0;
  /** The token is refused, and another one is on its way. */
  #awaitsToken = false;
  #connectAt = 0;
  #auth = { id: 0, sentAt: 0 };
  /** @type {Protocol.ErrorBody | undefined} */
  #authError = undefined;
  /** @type {number | undefined} */
  #welcomeAt = undefined;
  /** @type {Record<string, any>} */
  #timers = {};
  /** @type {Map<ConnectionEvent, Set<(...args: any[]) => void>>} */
  #listeners = new Map();
  #clock;
  #session;
  #requests;
  #streams;
  #heartbeat;

  /** @param {ConnectionSetup} setup */
  constructor(setup) {
    const random = setup.random ?? (() => crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32);
    this.#setup = {
      client: 'tilewire-web/1.0',
      now: () => performance.now(),
      WebSocket: globalThis.WebSocket,
      setTimer: (/** @type {() => void} */ act, /** @type {number} */ ms) => setTimeout(act, ms),
      clearTimer: (/** @type {any} */ timer) => clearTimeout(timer),
      ...setup,
      random,
    };
    this.#commandPrefix = bytesToText(Uint8Array.from({ length: 9 }, () => Math.floor(random() * 256)));
    this.#clock = new ServerClock(this.#setup.now);
    const use = {
      ...this.#setup,
      send: this.#send.bind(this),
      serverNow: () => this.serverNow(),
      ask: () => this.#send('time', '{}'),
      lost: () => this.#closed(1006, ''),
      renew: () => this.request('renew'),
      changed: (/** @type {string | undefined} */ token, /** @type {number | undefined} */ expiresAt) => {
        this.#tell('token', token, expiresAt);
      },
    };
    this.#session = new Session(use);
    this.#requests = new OpenRequests(use);
    this.#streams = new Streams(use);
    this.#heartbeat = new Heartbeat(use);
  }

  // The interface for pages.

  /**
   * Adds a listener; returns a function that removes it.
   *
   * @param {ConnectionEvent} type
   * @param {(...args: any[]) => void} listener
   */
  on(type, listener) {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  /** Connects, and again whenever the connection is lost. */
  start() {
    if (this.state.state !== 'stopped') return;
    this.#attempt = 0;
    this.#connect();
  }

  /** Says goodbye. Unanswered requests are refused with the code `stopped`; streams wait for another start. */
  stop() {
    const ws = this.#forgetSocket();
    ws?.close(1000);
    this.#becomes('stopped', {});
    this.#requests.rejectAll();
  }

  /**
   * Goes on as the identity of another token, or as a new guest. Unanswered requests are asked again as that identity.
   *
   * @param {string | undefined} token
   */
  useToken(token) {
    this.#session.replace(token);
    if (this.state.state === 'stopped') return;
    this.#forgetSocket()?.close(1000);
    this.#attempt = 0;
    this.#connect();
  }

  /** The page is back, or the network is: tries at once, or asks whether the connection is still alive. */
  wake() {
    const { state } = this.state;
    if (state === 'waiting' || (state === 'connecting' && this.#setup.now() - this.#connectAt > USEFUL_MS)) {
      this.#forgetSocket()?.close();
      this.#retry();
    } else if (state === 'open') {
      this.#heartbeat.ask(USEFUL_MS);
    }
  }

  /**
   * Asks the server. The promise is kept over lost connections; it fails with `Refused`.
   *
   * @param {string} op
   * @param {any} [body]
   * @returns {Promise<any>}
   */
  request(op, body = {}) {
    return this.#requests.add(op, body);
  }

  /**
   * Sends a command under a `cmd_id` of its own, so that it is carried out once however often it is sent.
   *
   * @param {string} op
   * @param {any} [body]
   * @returns {Promise<any>}
   */
  command(op, body = {}) {
    return this.#requests.add(op, { cmd_id: `${this.#commandPrefix}-${++this.#lastCommand}`, ...body });
  }

  /**
   * Follows a game: from its first event while the server has all of them at hand, else from a snapshot.
   *
   * @param {string} game
   * @param {GameObserver} observer
   * @param {string} [code] Of a private game.
   */
  attach(game, observer, code) {
    return this.#streams.add(game, observer, code);
  }

  /** The own identity, once the server has said it. */
  get identity() {
    return this.#session.identity;
  }

  /** The server's time, unix ms. */
  serverNow() {
    return this.#clock.now();
  }

  // One connection.

  #connect() {
    const { WebSocket: Socket, url, setTimer } = this.#setup;
    this.#awaitsToken = false;
    this.#becomes('connecting', { reason: this.state.reason });
    this.#authError = undefined;
    this.#connectAt = this.#setup.now();
    const ws = new Socket(url, [SUBPROTOCOL]);
    this.#ws = ws;
    ws.onopen = () => this.#authenticate();
    ws.onmessage = ({ data }) => this.#read(data);
    ws.onclose = ({ code, reason }) => this.#closed(code, reason);
    this.#timers.connect = setTimer(() => this.#closed(1006, ''), CONNECT_WITHIN_MS);
  }

  /** Lets go of the socket and of everything that belongs to it. */
  #forgetSocket() {
    const ws = this.#ws;
    if (ws) ws.onopen = ws.onmessage = ws.onclose = null;
    for (const timer of Object.values(this.#timers)) this.#setup.clearTimer(timer);
    this.#timers = {};
    this.#ws = this.#welcomeAt = undefined;
    this.#heartbeat.stop();
    this.#session.lost();
    this.#requests.lost();
    this.#streams.lost();
    return ws;
  }

  /**
   * @param {number} code
   * @param {string} text
   */
  #closed(code, text) {
    const { now, random, setTimer } = this.#setup;
    const wasUseful = this.#welcomeAt !== undefined && now() - this.#welcomeAt >= USEFUL_MS;
    const error = this.#authError;
    this.#forgetSocket()?.close();
    const reason = { code, text: text || (error?.message ?? ''), error: error?.code };
    const goesOn = code === BAD_TOKEN_CLOSE ? this.#session.refused() : 'later';
    this.#awaitsToken = goesOn === 'later' && code === BAD_TOKEN_CLOSE;
    if (goesOn === true) return this.#connect();
    if (isFinalClose(code) || !goesOn) {
      this.#becomes('stopped', { reason });
      return this.#requests.rejectAll();
    }
    if (wasUseful) this.#attempt = 0;
    const ending = { code, text, wasUseful, attempt: this.#attempt++, retryAfterMs: error?.detail?.retry_after_ms };
    const pauseMs = this.#awaitsToken ? TOKEN_LOOK_MS : pauseAfter(ending, random);
    this.#becomes('waiting', { retryAt: now() + pauseMs, reason });
    this.#timers.retry = setTimer(() => this.#retry(), pauseMs);
  }

  /** A token that was refused is not tried again (P-AUTH-6). */
  #retry() {
    if (this.#awaitsToken) this.#closed(BAD_TOKEN_CLOSE, '');
    else this.#connect();
  }

  /**
   * @param {ConnectionState['state']} state
   * @param {{ retryAt?: number, reason?: CloseReason }} more
   */
  #becomes(state, more) {
    const wasLost = ['connecting', 'waiting'].includes(this.state.state);
    const isLost = ['connecting', 'waiting'].includes(state);
    this.state = { state, since: wasLost && isLost ? this.state.since : this.#setup.now(), ...more };
    this.#tell('state', this.state);
  }

  /**
   * @param {ConnectionEvent} type
   * @param {...any} args
   */
  #tell(type, ...args) {
    for (const listener of [...(this.#listeners.get(type) ?? [])]) listener(...args);
  }

  /**
   * @param {string} op
   * @param {string} text The body.
   */
  #send(op, text) {
    const id = ++this.#lastId;
    this.#ws?.send(`["${op}",${id},${text}]`);
    return id;
  }

  #authenticate() {
    this.#auth = { id: this.#send('auth', JSON.stringify(this.#session.authBody())), sentAt: this.#setup.now() };
  }

  /** @param {string} data */
  #read(data) {
    this.#heartbeat.heard();
    /** @type {unknown} */
    let message;
    try {
      message = JSON.parse(data);
    } catch {
      return; // The server would be at fault. Whatever is missing then shows as a gap or as silence.
    }
    if (Array.isArray(message) && message.length === 3) this.#take(message[0], message[1], message[2] ?? {});
  }

  /**
   * @param {string} op
   * @param {number} id
   * @param {any} body
   */
  #take(op, id, body) {
    if (op === 'hello') {
      this.hello = body;
      this.#tell('hello', body);
    } else if (op === 'welcome') {
      this.#welcome(body);
    } else if (op === 'error' && id === this.#auth.id) {
      this.#authError = body; // The close code that follows says what becomes of it.
    } else if (op === 'ok' || op === 'error') {
      this.#answered(op, id, body);
    } else if (op === 'lag') {
      this.#clock.lagged(body.lag_ms);
      this.#tell('lag', body.lag_ms);
    } else if (PLAYER_PUSHES.has(op) || (!this.#streams.pushed(op, body) && op !== 'event' && op !== 'snapshot')) {
      // A rating belongs to the player, whoever follows the game.
      this.#tell('push', op, body);
    }
  }

  /**
   * @param {string} op
   * @param {number} id
   * @param {any} body
   */
  #answered(op, id, body) {
    const askedAt = this.#heartbeat.answered(id);
    if (askedAt === undefined) return this.#streams.answered(id, op, body) || this.#requests.answered(id, op, body);
    if (op === 'ok') this.#clock.said(body.server_time, askedAt);
    return true;
  }

  /** @param {Protocol.Welcome} body */
  #welcome(body) {
    this.#setup.clearTimer(this.#timers.connect);
    this.#welcomeAt = this.#setup.now();
    this.#clock.reconnected();
    this.#clock.said(body.server_time, this.#auth.sentAt);
    Object.assign(this, { name: body.name, games: body.games, isRegistered: body.registered === true });
    this.#session.welcomed(body);
    this.#heartbeat.start(this.hello?.heartbeat_ms ?? USUAL_HEARTBEAT_MS);
    // First the games, then what was not answered.
    this.#streams.opened();
    this.#requests.opened();
    this.#becomes('open', {});
    this.#tell('welcome', body);
  }
}
