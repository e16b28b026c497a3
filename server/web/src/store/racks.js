// How the player has arranged the own tiles in the games of late, kept by the browser over reloads.

const RACKS_KEY = 'tilewire.racks';
const RACKS_KEPT = 12;

/** Racks by game. */
export class RackStore {
  /** @param {Storage | undefined} storage */
  constructor(storage) {
    this.storage = storage;
  }

  /**
   * @param {string} game
   * @returns {unknown} What was kept, to be checked by its reader.
   */
  of(game) {
    return new Map(this.#read()).get(game);
  }

  /**
   * @param {string} game
   * @param {unknown} draft
   */
  keep(game, draft) {
    const racks = this.#read().filter(([other]) => other !== game);
    racks.push([game, draft]);
    try {
      this.storage?.setItem(RACKS_KEY, JSON.stringify(racks.slice(-RACKS_KEPT)));
    } catch {
      // A full or forbidden storage: the order lasts as long as the page.
    }
  }

  /** @returns {[string, unknown][]} */
  #read() {
    try {
      const racks = JSON.parse(this.storage?.getItem(RACKS_KEY) ?? '[]');
      return Array.isArray(racks) ? racks : [];
    } catch {
      return [];
    }
  }
}
