// Follows games for their small boards, as many as are on the screen.

import { emptyTable, takeAttached, takeEvent, takePush, takeSnapshot, takeWaiting } from '../model/table.js';

/** @typedef {import('../model/table.js').Table} Table */

/** The games that are followed, with their tables. */
export class Boards {
  /**
   * @param {import('../wire/socket.js').Connection} connection
   * @param {(game: string) => void} onChange
   */
  constructor(connection, onChange) {
    this.connection = connection;
    this.onChange = onChange;
    /** @type {Map<string, { table: Table, stream: { detach(): void, isCurrent: boolean } }>} */
    this.followed = new Map();
    /** @type {Set<string>} */
    this.lost = new Set();
  }

  /**
   * Follows these games and no others.
   *
   * @param {string[]} games
   */
  follow(games) {
    for (const [game, { stream }] of this.followed) {
      if (games.includes(game)) continue;
      stream.detach();
      this.followed.delete(game);
    }
    for (const game of games) if (!this.followed.has(game) && !this.lost.has(game)) this.#attach(game);
  }

  /**
   * The table of a game, once all of it has come.
   *
   * @param {string} game
   * @returns {Table | undefined}
   */
  tableOf(game) {
    const known = this.followed.get(game);
    return known?.table.isKnown ? known.table : undefined;
  }

  close() {
    this.follow([]);
  }

  /** @param {string} game */
  #attach(game) {
    const table = emptyTable(game, this.connection.identity);
    const changed = () => {
      if (this.followed.get(game)?.stream.isCurrent) this.onChange(game);
    };
    const stream = this.connection.attach(game, {
      attached: (ok) => takeAttached(table, ok),
      snapshot: (body) => {
        takeSnapshot(table, body);
        changed();
      },
      event: (event) => {
        takeEvent(table, event);
        changed();
      },
      waiting: (body) => {
        takeWaiting(table, body);
        changed();
      },
      push: (op, body) => {
        takePush(table, op, body, this.connection.serverNow());
        changed();
      },
      lost: () => {
        this.followed.delete(game);
        this.lost.add(game);
        this.onChange(game);
      },
    });
    this.followed.set(game, { table, stream });
  }
}
