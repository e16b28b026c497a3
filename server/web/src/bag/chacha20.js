// The key stream of ChaCha20 (RFC 8439), from which every draw of a game follows, and what is made of it (P-BAG-2).

const CHACHA_WORDS = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];
/** The columns and then the diagonals of the 4 x 4 words. */
const CHACHA_QUARTERS = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
];

/**
 * The key stream as 32-bit words: a nonce of zeros, the counter from 0.
 *
 * @param {Uint8Array} key 32 bytes.
 * @returns {() => number} The next word.
 */
export function chacha20Stream(key) {
  const view = new DataView(key.buffer, key.byteOffset, 32);
  const keyWords = Array.from({ length: 8 }, (_, i) => view.getUint32(4 * i, true));
  let counter = 0;
  let block = new Uint32Array(0);
  let at = 0;
  return () => {
    if (at === block.length) {
      block = chachaBlock(Uint32Array.from([...CHACHA_WORDS, ...keyWords, counter++, 0, 0, 0]));
      at = 0;
    }
    return block[at++];
  };
}

/** @param {Uint32Array} start */
function chachaBlock(start) {
  const state = Uint32Array.from(start);
  for (let round = 0; round < 10; round++) {
    for (const [a, b, c, d] of CHACHA_QUARTERS) {
      chachaMix(state, a, b, d, 16);
      chachaMix(state, c, d, b, 12);
      chachaMix(state, a, b, d, 8);
      chachaMix(state, c, d, b, 7);
    }
  }
  return state.map((word, i) => word + start[i]);
}

/**
 * @param {Uint32Array} state
 * @param {number} x
 * @param {number} y
 * @param {number} z
 * @param {number} by
 */
function chachaMix(state, x, y, z, by) {
  state[x] += state[y];
  const mixed = state[z] ^ state[x];
  state[z] = (mixed << by) | (mixed >>> (32 - by));
}

/**
 * Shuffles with the words of a stream.
 *
 * @template T
 * @param {() => number} nextWord
 * @param {readonly T[]} items
 * @returns {T[]}
 */
export function shuffledBy(nextWord, items) {
  const mixed = [...items];
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = numberBelow(nextWord, i + 1);
    [mixed[i], mixed[j]] = [mixed[j], mixed[i]];
  }
  return mixed;
}

/**
 * @param {() => number} nextWord
 * @param {number} n
 */
function numberBelow(nextWord, n) {
  const limit = 2 ** 32 - (2 ** 32 % n);
  let word = nextWord();
  while (word >= limit) word = nextWord();
  return word % n;
}
