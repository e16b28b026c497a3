// Saves a text as a file of the player's.

import { el } from './dom.js';

/** Browsers fetch the file some time after the press. */
const DOWNLOAD_WITHIN_MS = 10_000;

/**
 * @param {BlobPart} text
 * @param {string} name The name of the file.
 * @param {string} [type] Its media type.
 */
export function saveText(text, name, type = 'text/plain') {
  const href = URL.createObjectURL(new Blob([text], { type }));
  el('a', { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), DOWNLOAD_WITHIN_MS);
}
