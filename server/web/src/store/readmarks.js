// How far the player has read each chat room on this device: the number of the last line.

const READ_KEY = 'tilewire.read';
const READ_KEPT = 200;

/** The read marks of the rooms that were read last. */
export class ReadMarks {
  /** @param {Storage | undefined} storage The browser's storage; without one the marks last as long as the page. */
  constructor(storage) {
    this.storage = storage;
    this.marks = new Map(this.#read());
  }

  /**
   * The last line that was read; 0: none.
   *
   * @param {string} room
   */
  of(room) {
    return this.marks.get(room) ?? 0;
  }

  /**
   * A line was read. Returns whether it is later than those that were read before.
   *
   * @param {string} room
   * @param {number} line
   */
  keep(room, line) {
    if (line <= this.of(room)) return false;
    // Another tab may have kept other marks.
    const kept = this.#read().filter(([other]) => other !== room);
    this.#take([...kept, [room, line]]);
    try {
      this.storage?.setItem(READ_KEY, JSON.stringify([...kept, [room, line]].slice(-READ_KEPT)));
    } catch {
      // A full or forbidden storage: the marks last as long as the page.
    }
    return true;
  }

  /**
   * Takes over what another tab has read. Returns whether it is about read marks.
   *
   * @param {StorageEvent} event
   */
  takeStorageEvent({ key }) {
    if (!this.storage || key !== READ_KEY) return false;
    this.#take(this.#read());
    return true;
  }

  /** Marks only grow. @param {[string, number][]} marks */
  #take(marks) {
    for (const [room, line] of marks) this.marks.set(room, Math.max(line, this.of(room)));
  }

  /** @returns {[string, number][]} */
  #read() {
    try {
      const marks = JSON.parse(this.storage?.getItem(READ_KEY) ?? '[]');
      return Array.isArray(marks) ? marks.filter((mark) => Number.isInteger(mark?.[1])) : [];
    } catch {
      return [];
    }
  }
}
