// The texts of the page in the language that the player chose.

import { gameEn } from './game-en.js';
import { lobbyEn } from './lobby-en.js';
import { errorsEn } from './errors-en.js';

/**
 * `pages`, `accounts`, `archive`, `record`, `chat` and `manners` are there once the script with those texts is.
 *
 * @typedef {{
 *   game: typeof gameEn, lobby: typeof lobbyEn, errors: typeof errorsEn, pages: typeof import('./pages-en.js').pagesEn,
 *   accounts: typeof import('./accounts-en.js').accountsEn, archive: typeof import('./archive-en.js').archiveEn,
 *   moderation: typeof import('./moderation-en.js').moderationEn, record: typeof import('./record-en.js').recordEn,
 *   chat: typeof import('./chat-en.js').chatEn, manners: typeof import('./manners-en.js').mannersEn,
 * }} Words
 */

const WORDS_ENGLISH = /** @type {Words} */ ({ game: gameEn, lobby: lobbyEn, errors: errorsEn });
/** @type {Record<string, Words>} */
const WORDS_BY_LANGUAGE = { en: WORDS_ENGLISH };
const WORDS_LANGUAGES = ['en', 'de'];
let wordsLanguage = 'en';

/**
 * Chooses the language of all texts, and loads them if they are not here yet. If they cannot be loaded, the texts stay in
 * the language in use.
 *
 * @param {'system' | 'en' | 'de'} choice
 * @param {readonly string[]} preferred The languages of the device, the best first.
 * @param {(language: string) => Promise<Words>} load
 * @returns {Promise<string>} The language in use.
 */
export async function chooseLanguage(choice, preferred, load) {
  const known = preferred.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => WORDS_LANGUAGES.includes(tag));
  const wanted = choice === 'system' ? known ?? 'en' : choice;
  try {
    WORDS_BY_LANGUAGE[wanted] ??= await load(wanted);
    wordsLanguage = wanted;
  } catch {
    // The browser is offline, or the page is older than the server.
  }
  return wordsLanguage;
}

/**
 * Adds the English texts that come with another script.
 *
 * @param {Partial<Words>} texts
 */
export function addEnglish(texts) {
  Object.assign(WORDS_ENGLISH, texts);
}

/**
 * The texts in the language in use.
 *
 * @returns {Words}
 */
export function words() {
  return WORDS_BY_LANGUAGE[wordsLanguage];
}

/**
 * A refusal in a sentence for players, with the wait if there is one. The server's own words stand for codes of a later
 * version.
 *
 * @param {{ code: string, message?: string, retryable?: boolean, detail?: Record<string, any> }} refused
 * @returns {string}
 */
export function refusedText(refused) {
  const { errors, pages, accounts } = words();
  const { codes, wait, unknown, later, said } = errors;
  const { code = '', message = '' } = refused;
  const wait_ms = refused.detail?.retry_after_ms;
  /** @type {Record<string, string | ((detail: Record<string, any>) => string)>} */
  const texts = { ...codes, ...pages?.codes, ...accounts?.codes };
  const known = texts[code];
  const text = typeof known === 'function' ? known(refused.detail ?? {}) : known;
  const sentence = text ?? (refused.retryable ? later : message ? said(message) : unknown(code));
  return wait_ms > 999 ? `${sentence} ${wait(wait_ms)}` : sentence;
}
