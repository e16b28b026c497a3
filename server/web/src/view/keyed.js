// Lists that change by difference: an entry keeps its element, so nothing jumps and the focus stays.

/**
 * One entry on the screen.
 *
 * @template Item
 * @typedef {{ node: HTMLElement, update(item: Item): void, close?: () => void }} Entry
 */

/**
 * Shows the items of a list, each in an element of its own.
 *
 * @template Item
 */
export class KeyedList {
  /**
   * @param {HTMLElement} parent
   * @param {(item: Item) => string} keyOf
   * @param {(item: Item) => Entry<Item>} make
   */
  constructor(parent, keyOf, make) {
    this.parent = parent;
    this.keyOf = keyOf;
    this.make = make;
    /** @type {Map<string, Entry<Item>>} */
    this.entries = new Map();
  }

  /** @param {Item[]} items In the order in which they are to stand. */
  show(items) {
    const keys = new Set(items.map(this.keyOf));
    for (const [key, entry] of this.entries) {
      if (keys.has(key)) continue;
      entry.close?.();
      entry.node.remove();
      this.entries.delete(key);
    }
    /** @type {Element | null} */
    let next = this.parent.firstElementChild;
    for (const item of items) {
      const key = this.keyOf(item);
      let entry = this.entries.get(key);
      if (!entry) {
        entry = this.make(item);
        this.entries.set(key, entry);
      }
      entry.update(item);
      if (entry.node === next) next = next.nextElementSibling;
      else this.parent.insertBefore(entry.node, next);
    }
  }

  close() {
    for (const entry of this.entries.values()) entry.close?.();
    this.entries.clear();
  }
}
