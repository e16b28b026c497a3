// The texts around the games, in German: bar, lobby, offers, finished games. The same keys as lobby-en.js.

import { lobbyEn } from './lobby-en.js';

/** @type {typeof lobbyEn} */
export const lobbyDe = lobbyEn;
