// Copies texts.

/**
 * Copies a text, if the browser lets us: on plain HTTP in a network there is no clipboard.
 *
 * @param {string} text
 * @returns {Promise<boolean>} Whether it is copied.
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
