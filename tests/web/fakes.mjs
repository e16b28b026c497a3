// A WebSocket that a test scripts, and a clock that moves when a test says so.

import { Connection } from '../../server/web/src/wire/socket.js';

/** Timers that fire in order as the time is moved on. */
export class FakeClock {
  time = 1000;
  #timers = new Map();
  #last = 0;

  setTimer = (act, ms) => {
    this.#timers.set(++this.#last, { act, due: this.time + ms });
    return this.#last;
  };

  clearTimer = (id) => void this.#timers.delete(id);

  now = () => this.time;

  async pass(ms) {
    const end = this.time + ms;
    for (;;) {
      await settled();
      const [next] = [...this.#timers].filter(([, { due }]) => due <= end).sort(([, a], [, b]) => a.due - b.due);
      if (!next) break;
      const [id, { act, due }] = next;
      this.#timers.delete(id);
      this.time = Math.max(this.time, due);
      act();
    }
    this.time = end;
    await settled();
  }
}

/** Lets promises that are due be kept. */
export const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A connection, the sockets that it has opened, and what it has told. */
export function fakeConnection(more = {}) {
  const clock = new FakeClock();
  const sockets = [];
  const told = [];
  class FakeSocket {
    sent = [];
    constructor(url, protocols) {
      Object.assign(this, { url, protocols });
      sockets.push(this);
    }

    send(text) {
      this.sent.push(JSON.parse(text));
    }

    /** Takes the codes that a browser takes, and no others. */
    close(code) {
      const isTaken = code === undefined || code === 1000 || (code >= 3000 && code <= 4999);
      if (!isTaken) throw new DOMException(`the code ${code} cannot be sent`, 'InvalidAccessError');
      this.closedWith = code ?? 'no code';
    }

    /** The server lets the client in. */
    async welcome(fields = {}) {
      this.onopen();
      const [, id] = this.sent[0];
      this.gets('hello', 0, { protocol: 1, heartbeat_ms: 10_000, server_time: 5_000_000 });
      this.gets('welcome', id, {
        identity: 'ia',
        name: 'Anna',
        token: 'tok1',
        server_time: 5_000_000,
        games: [],
        ...fields,
      });
      await settled();
      return this;
    }

    gets(op, id, body) {
      this.onmessage?.({ data: JSON.stringify([op, id, body]) });
    }

    async ends(code, reason = '') {
      this.onclose({ code, reason });
      await settled();
    }

    /** The requests of an op that were sent. */
    of(op) {
      return this.sent.filter(([sent]) => sent === op);
    }
  }
  const connection = new Connection({
    url: 'ws://test/ws',
    name: 'Anna',
    WebSocket: FakeSocket,
    now: clock.now,
    random: () => 0.5,
    setTimer: clock.setTimer,
    clearTimer: clock.clearTimer,
    ...more,
  });
  for (const type of ['hello', 'welcome', 'push', 'state', 'token', 'lag'])
    connection.on(type, (...args) => told.push([type, ...args]));
  connection.start();
  return {
    connection,
    clock,
    sockets,
    told,
    get socket() {
      return sockets[sockets.length - 1];
    },
    get states() {
      return told.filter(([type]) => type === 'state').map(([, { state }]) => state);
    },
  };
}

/** An observer of a stream that records its calls. */
export function fakeObserver() {
  const heard = [];
  return {
    heard,
    event: (body) => heard.push(`event ${body.seq}`),
    snapshot: (body) => heard.push(`snapshot ${body.seq}`),
    waiting: (body) => heard.push(body ? `waiting ${body.until}` : 'not waiting'),
    push: (op) => heard.push(op),
    attached: (ok) => heard.push(`attached ${ok.outcome}`),
    lost: (code) => heard.push(`lost ${code}`),
  };
}

/** Observes the state of a promise. */
export function fate(promise) {
  const result = { state: 'open' };
  promise.then(
    (value) => Object.assign(result, { state: 'kept', value }),
    (error) => Object.assign(result, { state: 'failed', error }),
  );
  return result;
}

/** The body of an `error`. */
export const refusal = (code, more = {}) => ({ code, message: code, retryable: false, ...more });

/** Lets time pass while the server answers every question for the time. */
export async function clockTo(made, ms) {
  for (let passed = 0; passed <= ms; passed += 1000) {
    await made.clock.pass(Math.min(1000, ms - passed));
    for (const request of made.socket.of('time')) {
      if (request.done) continue;
      request.done = true;
      if (ms > 0) made.socket.gets('notice', 0, {});
    }
  }
}
