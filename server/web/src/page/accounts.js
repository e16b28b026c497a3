// The pages around accounts and players: a script of its own, since a first game needs none of them.

import { accountsEn } from '../text/accounts-en.js';
import { addEnglish } from '../text/words.js';
import { logOut } from './logout.js';
import { openAccount } from './accountpage.js';
import { openLogIn, openRecover } from './login.js';
import { openProfile } from './profile.js';
import { openRegister } from './register.js';

addEnglish({ accounts: accountsEn });

/** @type {Record<string, (context: import('./routes.js').PageContext) => import('./routes.js').Page>} */
const ACCOUNT_PAGES = { account: openAccount, login: openLogIn, recover: openRecover, register: openRegister };

/** What other scripts use of this one. */
export const accounts = {
  logOut,
  openProfile,
  /** @param {string} name @param {import('./routes.js').PageContext} context */
  open: (name, context) => ACCOUNT_PAGES[name](context),
};
