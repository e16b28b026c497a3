// The pages beside lobby and game, and the dialogs with all choices: a script of its own, since a first game needs none
// of them.

import { pagesEn } from '../text/pages-en.js';
import { addEnglish } from '../text/words.js';
import { askForCommand, showMore } from './gamemore.js';
import { noteCriteria } from './criteria.js';
import { askForName } from './name.js';
import { openNotFound } from './notfound.js';
import { askOptions } from './options.js';
import { openRules } from './rules.js';
import { openSeek } from './seek.js';
import { openSettings } from './settings.js';
import { openWatch } from './watch.js';

addEnglish({ pages: pagesEn });
noteCriteria();

/** The functions that other scripts use. */
export const pages = {
  askForCommand, askForName, askOptions, openNotFound, openRules, openSeek, openSettings, openWatch, showMore,
};
