// The site whose page contains this one: it can say who the player is (docs/page.md).

/** The longest wait for the first token; then the player is a guest as without a site. */
const TOKEN_WITHIN_MS = 3000;
/** The longest token that the server accepts. */
const TOKEN_MAX_LENGTH = 2048;

/**
 * The browser's interfaces for an embedding.
 *
 * @typedef {object} EmbeddingUse
 * @property {any} window
 * @property {() => Promise<readonly string[]>} origins Those from which a token is taken.
 * @property {(act: () => void, ms: number) => any} setTimer
 */

/** Tokens from the page that contains this one. They are kept in memory only. */
export class Embedding {
  /** @type {(token: string) => void} */
  #take;
  #origins;
  #window;

  /**
   * @param {readonly string[]} origins
   * @param {EmbeddingUse} use
   */
  constructor(origins, { window, setTimer }) {
    this.#origins = origins;
    this.#window = window;
    this.#take = () => {};
    /** The first token; nothing if none has come in time. */
    this.first = new Promise((/** @type {(token: string | undefined) => void} */ resolve) => {
      this.#take = resolve;
      setTimer(() => resolve(undefined), TOKEN_WITHIN_MS);
    });
    window.addEventListener('message', (/** @type {MessageEvent} */ event) => this.#hear(event));
    // It says nothing of the player, and only pages of the listed origins can contain this one.
    window.parent.postMessage({ type: 'tilewire-ready' }, '*');
  }

  /**
   * Listens to the page around this one, if there is one and the server lists origins.
   *
   * @param {EmbeddingUse} [use]
   * @returns {Promise<Embedding | undefined>}
   */
  static async open(use = browserUse()) {
    if (use.window.parent === use.window) return undefined;
    const origins = await use.origins();
    return origins.length > 0 ? new Embedding(origins, use) : undefined;
  }

  /**
   * Sets the receiver of the tokens after the first one.
   *
   * @param {(token: string) => void} take
   */
  onLater(take) {
    this.#take = take;
  }

  /** @param {MessageEvent} event */
  #hear({ source, origin, data }) {
    if (source !== this.#window.parent || !this.#origins.includes(origin)) return;
    const { type, token } = data ?? {};
    const isToken = typeof token === 'string' && token !== '' && token.length <= TOKEN_MAX_LENGTH;
    if (type === 'tilewire-token' && isToken) this.#take(token);
  }
}

/** @returns {EmbeddingUse} */
function browserUse() {
  return { window, origins: listedOrigins, setTimer: (act, ms) => setTimeout(act, ms) };
}

/**
 * The origins that the operator has listed.
 *
 * @returns {Promise<string[]>}
 */
async function listedOrigins() {
  try {
    const response = await fetch('/status');
    const { page_origins: origins = [] } = await response.json();
    return origins;
  } catch {
    return []; // The server is full or gone, which the connection will say.
  }
}
