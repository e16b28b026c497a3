// The pages around accounts and players: accounts, profiles, friends, leaderboards,
// finished games. A script of its own: a guest
// who plays needs none of them.

import { accountsEn } from '../text/accounts-en.js';
import { archiveEn } from '../text/archive-en.js';
import { addEnglish } from '../text/words.js';
import { openAccount } from './accountpage.js';
import { openArchive } from './archive.js';
import { openFriends } from './friends.js';
import { takeInvitation } from './invitations.js';
import { openLeaderboards } from './leaderboards.js';
import { openLogIn, openRecover } from './login.js';
import { logOut } from './logout.js';
import { moderatedText, openModeration, reportLater } from './moderationlater.js';
import { watchOwnState } from './ownstate.js';
import { askAbout, watchNames } from './person.js';
import { openProfile } from './profile.js';
import { openRegister } from './register.js';
import { blockAfterAsking } from './relation.js';
import { watchSubscription } from './subscription.js';

addEnglish({ accounts: accountsEn, archive: archiveEn });

/** @typedef {import('./routes.js').PageContext} PageContext */

/**
 * The pages of the account by their paths.
 *
 * @type {Record<string, (context: PageContext) => import('./routes.js').Page>}
 */
const ACCOUNT_PAGES = {
  account: openAccount, login: openLogIn, moderation: openModeration, recover: openRecover, register: openRegister,
};

/** The functions that other scripts use. */
export const people = {
  askAbout, block: blockAfterAsking, logOut, moderatedText, openArchive, openFriends, openLeaderboards, openProfile,
  report: reportLater, takeInvitation,
  /** Starts the watchers that run on all pages of a player. @param {PageContext} context */
  watch(context) {
    watchNames(context);
    watchOwnState(context);
    watchSubscription(context);
  },
  /** @param {string} name @param {PageContext} context */
  openAccountPage: (name, context) => ACCOUNT_PAGES[name](context),
};
