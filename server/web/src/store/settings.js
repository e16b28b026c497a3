// The player's settings, kept by the browser. Tabs of the same browser keep the same ones.

/**
 * The player's settings.
 *
 * - `theme`, `language`: `system` follows the device.
 * - `sounds`: whether the page makes sounds.
 * - `enter`: whether Enter plays the draft at once or asks for a second Enter (`confirm`).
 * - `tiles`: the size of the tiles on the rack, `normal` or `large` (also `data-tiles` of the root element).
 * - `announce`: whether every play is read to screen readers.
 * - `notify`: whether the browser shows a notification when the page is hidden and it is the player's turn.
 * - `chat`: whether this device shows the chat.
 * - `lastGame`: the options of the game that was set up last.
 *
 * @typedef {{
 *   theme: 'system' | 'light' | 'dark', language: 'system' | 'en' | 'de', sounds: boolean, enter: 'play' | 'confirm',
 *   tiles: 'normal' | 'large', announce: boolean, notify: boolean, chat: boolean,
 *   lastGame: Record<string, any> | undefined,
 * }} SettingsValues
 */

/** @type {SettingsValues} */
const SETTINGS_DEFAULT = {
  theme: 'system', language: 'system', sounds: true, enter: 'play', tiles: 'normal', announce: true, notify: false,
  chat: true, lastGame: undefined,
};
const SETTINGS_KEY = 'tilewire.settings';

/** The settings with their listeners. */
export class Settings {
  /** @param {Storage | undefined} storage The browser's storage; without one the settings last as long as the page. */
  constructor(storage) {
    this.storage = storage;
    /** @type {Set<(name: string) => void>} */
    this.listeners = new Set();
    this.values = this.#read();
  }

  /**
   * @template {keyof SettingsValues} Name
   * @param {Name} name
   * @returns {SettingsValues[Name]}
   */
  get(name) {
    return this.values[name];
  }

  /**
   * @template {keyof SettingsValues} Name
   * @param {Name} name
   * @param {SettingsValues[Name]} value
   */
  set(name, value) {
    if (this.values[name] === value) return;
    this.values = { ...this.values, [name]: value };
    try {
      this.storage?.setItem(SETTINGS_KEY, JSON.stringify(this.values));
    } catch {
      // A full or forbidden storage: the setting lasts as long as the page.
    }
    this.#tell([name]);
  }

  /**
   * Calls the listener with the name of each setting that changes, in this tab or another.
   *
   * @param {(name: string) => void} listener
   * @returns {() => void} Ends it.
   */
  on(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Takes over what another tab wrote.
   *
   * @param {StorageEvent} event
   */
  takeStorageEvent(event) {
    if (event.key !== SETTINGS_KEY && event.key !== null) return;
    const old = this.values;
    this.values = this.#read();
    const names = /** @type {(keyof SettingsValues)[]} */ (Object.keys(SETTINGS_DEFAULT));
    this.#tell(names.filter((name) => old[name] !== this.values[name]));
  }

  /** @returns {SettingsValues} */
  #read() {
    try {
      return { ...SETTINGS_DEFAULT, ...JSON.parse(this.storage?.getItem(SETTINGS_KEY) ?? '{}') };
    } catch {
      return { ...SETTINGS_DEFAULT };
    }
  }

  /** @param {string[]} names */
  #tell(names) {
    for (const name of names) for (const listener of [...this.listeners]) listener(name);
  }
}
