// Bytes as the JSON of the protocol writes them: base64url without padding.

/**
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function bytesToText(bytes) {
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');
}

/**
 * The bytes of a text; none if it is not base64url.
 *
 * @param {string} text
 * @returns {Uint8Array}
 */
export function bytesOfText(text) {
  try {
    const binary = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
    return Uint8Array.from(binary, (byte) => byte.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
