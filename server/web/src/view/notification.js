// A notification of the browser, for players who asked for it and do not look at the page.

/**
 * @param {import('../store/settings.js').Settings} settings
 * @param {string} text
 * @param {() => void} [open] What a press on it does, beside showing the page.
 */
export function showNotification(settings, text, open) {
  if (!settings.get('notify') || document.visibilityState === 'visible') return;
  if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return;
  try {
    const note = new Notification(text, { icon: '/icon.svg', tag: 'tilewire' });
    note.onclick = () => {
      window.focus();
      note.close();
      open?.();
    };
  } catch {
    // Some browsers allow notifications from service workers only.
  }
}

/**
 * Asks the browser for the permission, which it gives after a press only.
 *
 * @returns {Promise<boolean>}
 */
export async function askToNotify() {
  if (typeof Notification === 'undefined') return false;
  return (await Notification.requestPermission()) === 'granted';
}
