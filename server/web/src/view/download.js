// Saves a text as a file of the player's.

import { el } from './dom.js';

/** Browsers fetch the file some time after the press. */
const DOWNLOAD_WITHIN_MS = 10_000;

/**
 * @param {string} text
 * @param {string} name The name of the file.
 */
export function saveText(text, name) {
  const href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  el('a', { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), DOWNLOAD_WITHIN_MS);
}
