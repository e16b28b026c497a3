// The server's rule sets. The page asks for each once.

import { words } from '../text/words.js';

/** @typedef {Record<string, any>} RuleSet The `rules` of the answer to `rule_set`. */

/** The rule sets of the server. */
export class Rulebook {
  /** @param {import('../wire/socket.js').Connection} connection */
  constructor(connection) {
    this.connection = connection;
    /** @type {Map<string, Promise<RuleSet>>} */
    this.asked = new Map();
  }

  /**
   * The names of all rule sets, as soon as the server has said them.
   *
   * @returns {Promise<{ id: string, name: string, summary?: string, languages?: string[] }[]>}
   */
  async names() {
    const { rule_sets: sets } = await helloOf(this.connection);
    return sets.map((/** @type {{ id: string }} */ set) => ({ ...set, name: this.nameOf(set.id) }));
  }

  /**
   * The name of a rule set, or its id until it is known.
   *
   * @param {string} id
   * @returns {string}
   */
  nameOf(id) {
    const known = this.connection.hello?.rule_sets ?? [];
    const { ruleSets } = words().lobby;
    return ruleSets[id] ?? known.find((/** @type {{ id: string }} */ set) => set.id === id)?.name ?? id;
  }

  /**
   * A rule set with its board and the tiles of a language.
   *
   * @param {string} id
   * @param {string} [language]
   * @returns {Promise<RuleSet>}
   */
  get(id, language) {
    const key = `${id} ${language ?? ''}`;
    const known = this.asked.get(key);
    if (known) return known;
    const body = language === undefined ? { rule_set: id } : { rule_set: id, language };
    const asked = this.connection.request('rule_set', body).then((/** @type {any} */ { rules }) => rules);
    this.asked.set(key, asked);
    asked.catch(() => this.asked.delete(key));
    return asked;
  }
}

/**
 * The server's `hello`, as soon as it is there.
 *
 * @param {import('../wire/socket.js').Connection} connection
 * @returns {Promise<Record<string, any>>}
 */
export function helloOf(connection) {
  if (connection.hello) return Promise.resolve(connection.hello);
  return new Promise((resolve) => {
    const off = connection.on('hello', (/** @type {Record<string, any>} */ hello) => {
      off();
      resolve(hello);
    });
  });
}
