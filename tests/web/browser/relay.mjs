// A network between browser and server that a test can cut.

import { connect, createServer } from 'node:net';

/** Passes bytes to a server until it is cut. */
export class Relay {
  static async start(port) {
    const relay = new Relay();
    relay.ends = new Set();
    relay.listener = createServer((near) => relay.pass(near, port));
    await new Promise((resolve) => relay.listener.listen(0, '127.0.0.1', resolve));
    // A test that has failed does not close it.
    relay.listener.unref();
    return relay;
  }

  /** Where a browser connects. */
  get url() {
    return `http://127.0.0.1:${this.listener.address().port}`;
  }

  pass(near, port) {
    const far = connect(port, '127.0.0.1');
    for (const end of [near, far]) {
      this.ends.add(end);
      end.on('error', () => {});
      end.on('close', () => {
        this.ends.delete(end);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  }

  /** Breaks every connection without a word. */
  cut() {
    for (const end of this.ends) end.resetAndDestroy?.() ?? end.destroy();
  }

  close() {
    this.cut();
    this.listener.close();
  }
}
