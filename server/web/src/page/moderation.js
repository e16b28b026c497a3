// Reports, and the page of moderators. A script of its own: few players report, and fewer moderate.

import { moderationEn } from '../text/moderation-en.js';
import { addEnglish } from '../text/words.js';
import { ModerationPage } from './moderationpage.js';
import { reportPlayer } from './reporting.js';

addEnglish({ moderation: moderationEn });

/**
 * Requests as the player. The script around players gives them: a module that two scripts import would be in the first one.
 *
 * @typedef {{
 *   callAsPlayer: typeof import('./accountparts.js').callAsPlayer, tryToDo: typeof import('./accountparts.js').tryToDo,
 *   countReports: typeof import('./ownstate.js').countReports,
 * }} ApiTools
 */

/** The functions that other scripts use. */
export const moderation = {
  reportPlayer,
  /** @param {import('./routes.js').PageContext} context @param {ApiTools} tools */
  openPage: (context, tools) => new ModerationPage(context, tools),
};
