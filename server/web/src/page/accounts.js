// The pages around accounts and players, by their paths.

import { logOut } from './logout.js';
import { openAccount } from './accountpage.js';
import { openLogIn, openRecover } from './login.js';
import { openProfile } from './profile.js';
import { openRegister } from './register.js';

/** @typedef {import('./routes.js').PageContext} PageContext */

/** @type {Record<string, (context: PageContext) => import('./routes.js').Page>} */
const ACCOUNT_PAGES = { account: openAccount, login: openLogIn, recover: openRecover, register: openRegister };

/** What the page does around accounts. */
export const accounts = {
  logOut,
  openProfile,
  /** @param {string} name @param {PageContext} context */
  open: (name, context) => ACCOUNT_PAGES[name](context),
};
