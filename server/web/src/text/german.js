// The texts in German: a script of their own, which only a browser in German loads.

import { accountsDe } from './accounts-de.js';
import { archiveDe } from './archive-de.js';
import { chatDe } from './chat-de.js';
import { gameDe } from './game-de.js';
import { lobbyDe } from './lobby-de.js';
import { errorsDe } from './errors-de.js';
import { mannersDe } from './manners-de.js';
import { moderationDe } from './moderation-de.js';
import { pagesDe } from './pages-de.js';
import { recordDe } from './record-de.js';

/** All texts in German. */
export const german = {
  game: gameDe, lobby: lobbyDe, errors: errorsDe, pages: pagesDe, accounts: accountsDe, archive: archiveDe,
  moderation: moderationDe, record: recordDe, chat: chatDe, manners: mannersDe,
};
