// Keys on the page of a game. Translates keys to actions; the page decides on the effect.

/**
 * @typedef {object} KeyActs
 * @property {(letter: string, isBlank: boolean) => void} letter
 * @property {(dx: number, dy: number, event: KeyboardEvent) => boolean} arrow Whether the arrow was of use.
 * @property {(step: 'first' | 'previous' | 'next' | 'last') => boolean} step Earlier and later turns.
 * @property {(isSplit: boolean) => boolean} back
 * @property {() => boolean} turn
 * @property {() => boolean} enter
 * @property {() => boolean} escape
 * @property {() => void} command
 * @property {(what: string) => void} read
 */

/** The text that Alt and a letter read out, by the position of the key, because Alt makes other letters on some systems. */
const KEY_READS = /** @type {Record<string, string>} */ ({
  KeyC: 'clock',
  KeyL: 'last',
  KeyR: 'rack',
  KeyW: 'window',
  KeyP: 'pool',
});

const KEY_ARROWS = /** @type {Record<string, [number, number]>} */ ({
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
});

/**
 * Listens to the keys of the document until it is closed.
 *
 * @param {KeyActs} acts
 * @returns {() => void} Ends it.
 */
export function listenToKeys(acts) {
  /** @param {KeyboardEvent} event */
  const down = (event) => {
    if (event.defaultPrevented || event.isComposing || event.keyCode === 229 || keyIsElsewhere(event.target)) return;
    if (keyAct(event, acts)) event.preventDefault();
  };
  document.addEventListener('keydown', down);
  return () => document.removeEventListener('keydown', down);
}

/**
 * Fields and dialogs have their keys for themselves.
 *
 * @param {EventTarget | null} target
 */
function keyIsElsewhere(target) {
  return (
    target instanceof Element &&
    target.closest('input, textarea, select, [contenteditable], dialog, [popover]') !== null
  );
}

/**
 * @param {KeyboardEvent} event
 * @param {KeyActs} acts
 * @returns {boolean} Whether the key was of use.
 */
function keyAct(event, acts) {
  const { key, code } = event;
  if (event.altKey && !event.ctrlKey && !event.metaKey) return keyWithAlt(event, acts);
  if (event.metaKey || (event.ctrlKey && key !== 'Backspace')) return false;
  const onButton = event.target instanceof Element && event.target.closest('button, a, summary') !== null;
  if (KEY_ARROWS[key]) {
    const [dx, dy] = KEY_ARROWS[key];
    return acts.arrow(dx, dy, event);
  }
  if (key === 'Backspace' || key === 'Delete') return acts.back(event.ctrlKey);
  if (key === 'Escape') return acts.escape();
  if (key === 'Home') return acts.step('first');
  if (key === 'End') return acts.step('last');
  if (key === '/' && code !== 'Numpad7') {
    acts.command();
    return true;
  }
  if (onButton && (key === ' ' || key === 'Enter')) return false;
  if (key === ' ') return acts.turn();
  if (key === 'Enter') return acts.enter();
  if (/^[\p{L}\p{M}·.-]$/u.test(key)) {
    acts.letter(key, event.shiftKey && key.toLowerCase() !== key.toUpperCase());
    return true;
  }
  return false;
}

/** @param {KeyboardEvent} event @param {KeyActs} acts */
function keyWithAlt(event, acts) {
  const what = KEY_READS[event.code];
  if (what) {
    acts.read(what);
    return true;
  }
  if (event.key === 'ArrowLeft') return acts.step('previous');
  if (event.key === 'ArrowRight') return acts.step('next');
  return false;
}
