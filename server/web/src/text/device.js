// Names a browser and its system, for the list of sessions.

/** Later ones also call themselves by the names of earlier ones, so the order counts. */
const DEVICE_BROWSERS = [
  ['Edg', 'Edge'], ['OPR', 'Opera'], ['SamsungBrowser', 'Samsung Internet'], ['FxiOS', 'Firefox'], ['CriOS', 'Chrome'],
  ['Firefox'], ['Chrome'], ['Safari'],
];
const DEVICE_SYSTEMS = [
  ['Android'], ['iPhone'], ['iPad'], ['CrOS', 'ChromeOS'], ['Windows'], ['Mac OS', 'macOS'], ['Linux'],
];

/**
 * A label such as "Firefox, Android". A browser that is not known is "Browser".
 *
 * @param {string} agent What the browser calls itself.
 * @returns {string}
 */
export function deviceLabel(agent) {
  const named = (/** @type {string[][]} */ names) => names.find(([mark]) => agent.includes(mark))?.at(-1);
  return [named(DEVICE_BROWSERS) ?? 'Browser', named(DEVICE_SYSTEMS)].filter(Boolean).join(', ');
}
