// The words of a finished game: the server says of each whether it is in the lexicon, once the player presses it
// (P-SEE-11).

import { shownWord } from '../text/rich.js';
import { refusedText, words } from '../text/words.js';

/** The words of the game, and the answers about them. */
export class GameWords {
  /** @param {import('./game.js').GamePage} page */
  constructor(page) {
    this.page = page;
    /** Whether a word is in the lexicon; `undefined` until the answer has come. */
    this.known = /** @type {Map<string, boolean | undefined>} */ (new Map());
  }

  /**
   * The words of a turn, each of which can be pressed.
   *
   * @param {import('../model/table.js').Turn} turn
   * @returns {import('../text/rich.js').Part[]}
   */
  parts(turn) {
    const texts = words().game;
    return turn.words.flatMap(([word], i) => {
      const valid = this.known.get(word);
      const label = valid === undefined ? texts.wordAsk(shownWord(word)) : this.#says(word, valid);
      const part = { word, valid, label, act: () => void this.ask(word) };
      return i ? [', ', part] : [part];
    });
  }

  /** @param {string} word */
  async ask(word) {
    const { page } = this;
    if (this.known.has(word)) return;
    this.known.set(word, undefined);
    try {
      const body = { game: page.game, words: [word], ...(page.code ? { code: page.code } : {}) };
      const answer = await page.connection.request('look_up', body);
      const valid = answer.words?.[0]?.valid === true;
      this.known.set(word, valid);
      page.frame.announce(this.#says(word, valid));
      page.changed();
    } catch (/** @type {any} */ refused) {
      this.known.delete(word);
      if (!page.isClosed) page.frame.toast(refusedText(refused ?? {}));
    }
  }

  /** @param {string} word @param {boolean} valid */
  #says(word, valid) {
    return words().game.wordIs(shownWord(word), valid, this.page.table.setup.lexicon.name);
  }
}
