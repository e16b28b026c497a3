// SHA-256 (FIPS 180-4). Browsers have it only where the page came over TLS, and a server in a local network has none.

const SHA256_NUMBERS = sha256Numbers();

/** The numbers of the standard: they are made of the first 64 primes. */
function sha256Numbers() {
  /** @type {number[]} */
  const primes = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  /** @param {number} root */
  const fraction = (root) => ((root - Math.floor(root)) * 2 ** 32) | 0;
  return {
    start: primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime))),
    rounds: primes.map((prime) => fraction(Math.cbrt(prime))),
  };
}

/**
 * The digest of bytes.
 *
 * @param {Uint8Array} bytes
 * @returns {Uint8Array} 32 bytes.
 */
export function sha256(bytes) {
  const padded = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / 64) * 64));
  new Uint8Array(padded.buffer).set(bytes);
  padded.setUint8(bytes.length, 0x80);
  padded.setUint32(padded.byteLength - 8, Math.floor(bytes.length / 2 ** 29));
  padded.setUint32(padded.byteLength - 4, bytes.length * 8);
  const state = Int32Array.from(SHA256_NUMBERS.start);
  for (let at = 0; at < padded.byteLength; at += 64) sha256Block(state, padded, at);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => digest.setInt32(4 * i, word));
  return new Uint8Array(digest.buffer);
}

/**
 * Mixes one block of 64 bytes into the state.
 *
 * @param {Int32Array} state
 * @param {DataView} blocks
 * @param {number} at
 */
function sha256Block(state, blocks, at) {
  const words = new Int32Array(64);
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i++) {
    if (i < 16) {
      words[i] = blocks.getInt32(at + 4 * i);
    } else {
      const [early, late] = [words[i - 15], words[i - 2]];
      const s0 = rotateRight(early, 7) ^ rotateRight(early, 18) ^ (early >>> 3);
      const s1 = rotateRight(late, 17) ^ rotateRight(late, 19) ^ (late >>> 10);
      words[i] = words[i - 16] + s0 + words[i - 7] + s1;
    }
    const choice = (rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25)) + ((e & f) ^ (~e & g));
    const majority = (rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    const mixed = (h + choice + SHA256_NUMBERS.rounds[i] + words[i]) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + mixed) | 0, c, b, a, (mixed + majority) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    state[i] += word;
  });
}

/**
 * @param {number} word
 * @param {number} by
 */
function rotateRight(word, by) {
  return (word >>> by) | (word << (32 - by));
}
