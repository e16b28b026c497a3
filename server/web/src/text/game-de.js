// The texts of the game page, in German.

import { gameEn } from './game-en.js';

export const gameDe = gameEn;
