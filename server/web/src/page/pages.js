// The pages beside lobby and game, accounts among them, and the dialogs with all choices: a script of its own, since a
// first game needs none of them.

import { accountsEn } from '../text/accounts-en.js';
import { pagesEn } from '../text/pages-en.js';
import { addEnglish } from '../text/words.js';
import { accounts } from './accounts.js';
import { askForCommand, showMore } from './gamemore.js';
import { askForName } from './name.js';
import { openFinished } from './finished.js';
import { openNotFound } from './notfound.js';
import { askOptions } from './options.js';
import { openRules } from './rules.js';
import { openSeek } from './seek.js';
import { openSettings } from './settings.js';
import { openWatch } from './watch.js';

addEnglish({ pages: pagesEn, accounts: accountsEn });

/** What other scripts use of this one. */
export const pages = {
  accounts, askForCommand, askForName, askOptions, openFinished, openNotFound, openRules, openSeek, openSettings,
  openWatch, showMore,
};
