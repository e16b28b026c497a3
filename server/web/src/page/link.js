// The connection as the player sees it: the line while it is gone, the ends that need a decision, notices.

import { el } from '../view/dom.js';
import { words } from '../text/words.js';
import { loadScript } from './scripts.js';

const LINK_PATIENCE_MS = 1000;

/**
 * @typedef {{
 *   frame: import('../view/frame.js').Frame, connection: import('../wire/socket.js').Connection,
 *   lost(): { text: string, label: string, run: () => void } | undefined,
 * }} LinkOptions `lost`: what to say when the token is not taken any more.
 */

/** Shows the state of the connection. */
export class Link {
  /** @param {LinkOptions} options */
  constructor(options) {
    this.options = options;
    this.isOpen = false;
    this.lag_ms = /** @type {number | undefined} */ (undefined);
    this.timer = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);
    const { connection } = options;
    connection.on('state', (/** @type {any} */ state) => this.#takeState(state));
    connection.on('lag', (/** @type {number} */ ms) => this.#takeLag(ms));
    connection.on('push', (/** @type {string} */ op, /** @type {any} */ body) => {
      if (op === 'notice') this.#notice(body);
      if (op === 'moderation') void this.#moderated(body);
    });
    for (const type of ['online', 'pageshow']) window.addEventListener(type, () => connection.wake());
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') connection.wake();
    });
  }

  /** @param {Record<string, any>} state */
  #takeState(state) {
    const { frame } = this.options;
    clearTimeout(this.timer);
    this.isOpen = state.state === 'open';
    frame.bar.setLag(this.lag_ms, this.isOpen);
    if (this.isOpen) frame.setLine('connection');
    else if (state.state === 'stopped') this.#stopped(state.reason ?? {});
    else {
      const patience_ms = state.since + LINK_PATIENCE_MS - performance.now();
      this.timer = setTimeout(() => this.#offline(state), Math.max(0, Math.min(patience_ms, LINK_PATIENCE_MS)));
    }
  }

  /** @param {number} ms */
  #takeLag(ms) {
    this.lag_ms = ms;
    this.options.frame.bar.setLag(ms, this.isOpen);
  }

  /**
   * A line with the time until the next attempt, counted down.
   *
   * @param {Record<string, any>} state
   */
  #offline(state) {
    const { errors } = words();
    const { frame, connection } = this.options;
    const seconds = Math.ceil(((state.retryAt ?? 0) - performance.now()) / 1000);
    const code = state.reason?.code;
    let text = seconds > 1 ? errors.offlineFor(seconds) : errors.offline;
    if (code === 4006) text = errors.restarting;
    else if (code === 429 || code === 503) text = errors.full;
    else if (code === 4007) text = errors.tooManyTabs;
    frame.setLine('connection', text, { label: errors.tryNow, run: () => connection.wake() });
    if (seconds > 1 && text !== errors.restarting) this.timer = setTimeout(() => this.#offline(state), 1000);
  }

  /**
   * The connection does not come back by itself.
   *
   * @param {{ code?: number | string, text?: string }} reason
   */
  #stopped(reason) {
    const { errors } = words();
    const { frame, connection } = this.options;
    if (reason.code === 4009 || reason.code === 'revoked') return this.#revoked(reason.text ?? '');
    if (reason.code === 4002 || reason.code === 'bad_token') {
      const lost = this.options.lost();
      if (lost) frame.setLine('connection', lost.text, lost);
    } else if (reason.code === 1000 || reason.code === undefined) {
      frame.setLine('connection', errors.stopped, { label: errors.reconnect, run: () => connection.start() });
    } else {
      frame.setLine('connection', errors.fault, { label: errors.reload, run: () => location.reload() });
    }
  }

  /** @param {string} text The operator's reason, which may be empty. */
  #revoked(text) {
    const { errors } = words();
    const { frame } = this.options;
    frame.setLine('connection');
    frame.setTitle(errors.revokedTitle);
    frame.show(el(
      'div', { class: 'page alone' },
      el('h1', { text: errors.revokedTitle }), el('p', { class: 'lead', text: errors.revokedText }),
      text !== '' && el('p', { class: 'lead', text: errors.revokedReason(text) }),
    ), true);
  }

  /** @param {any} told */
  async #moderated(told) {
    const script = await loadScript(this.options.frame, 'people');
    this.#notice({ text: script?.people.moderatedText(told) ?? told.reason });
  }

  /** @param {{ text: string, until?: number }} notice */
  #notice({ text, until }) {
    const { frame, connection } = this.options;
    const close = () => frame.setLine('notice');
    frame.setLine('notice', words().lobby.notice(text), { label: '', run: close });
    if (until !== undefined) setTimeout(close, Math.min(Math.max(0, until - connection.serverNow()), 86_400_000));
  }
}
