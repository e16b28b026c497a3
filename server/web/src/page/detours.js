// Detours: a player leaves a page to sign in or to change a setting, and comes back to it. Where a detour began is in the
// state of its entry of the browser's history, so that it survives a reload and is in no address.

/** The pages on which a guest becomes a player. They lead back when that is done. */
const SIGNING_PATHS = new Set(['/login', '/recover', '/register']);
/** Other pages that a player opens in the middle of something. */
const ASIDE_PATHS = new Set(['/account', '/settings']);

/**
 * Where a detour began; `under`: the detour that was being made there.
 *
 * @typedef {{ from: string, under?: Detour }} Detour
 */

/** @param {string} path */
function detourKind(path) {
  const [name] = path.split('#');
  if (SIGNING_PATHS.has(name)) return 'signing';
  return ASIDE_PATHS.has(name) ? 'aside' : undefined;
}

/**
 * The detour that is kept in a state of the history; nothing if it leads to another origin, or is of another program.
 *
 * @param {any} state
 * @returns {Detour | undefined}
 */
export function detourOf(state) {
  const { from, under } = state ?? {};
  if (typeof from !== 'string' || !/^\/(?![/\\])/.test(from)) return undefined;
  const below = detourOf(under);
  return below ? { from, under: below } : { from };
}

/**
 * The detour that goes on, or begins, with a page.
 *
 * @param {string} target The path of the page.
 * @param {string} here The path of the page before, with its fragment.
 * @param {unknown} state That of the page before.
 * @returns {Detour | undefined} Nothing if the page is no detour.
 */
export function detourTo(target, here, state) {
  const kind = detourKind(target);
  if (!kind) return undefined;
  const present = detourOf(state);
  const before = detourKind(here);
  if (before === kind || before === 'signing') return present;
  if (before) return present ? { from: here, under: present } : { from: here };
  return { from: here };
}
