// The download of the own finished games: one file after the other, as the server limits the games of a file.

import { saveText } from '../view/download.js';
import { setAttribute, setText } from '../view/dom.js';
import { textOfZip } from '../model/zip.js';
import { fileAsPlayer } from './accountparts.js';
import { refusedText, words } from '../text/words.js';

/**
 * @param {import('./routes.js').PageContext} context
 * @param {HTMLElement} button Shows that it goes on.
 */
export async function exportGames(context, button) {
  const { games: texts } = words().archive;
  const { frame } = context;
  setText(button, texts.exporting);
  setAttribute(button, 'disabled', true);
  try {
    /** @type {string | null} */
    let next = null;
    let files = 0;
    do {
      const file = await fileAsPlayer(context, `/export${next === null ? '' : `?before=${encodeURIComponent(next)}`}`);
      // A file without its list of games ends early.
      const manifest = await textOfZip(file, 'manifest.json');
      if (manifest === undefined) return void frame.toast(texts.exportFailed);
      files += 1;
      saveText(file, `tilewire-games${files > 1 ? `-${files}` : ''}.zip`, 'application/zip');
      ({ next } = JSON.parse(manifest));
    } while (next !== null);
    frame.toast(texts.exported(files));
  } catch (refused) {
    frame.toast(refusedText(/** @type {any} */ (refused)));
  } finally {
    setText(button, texts.export);
    setAttribute(button, 'disabled', false);
  }
}
