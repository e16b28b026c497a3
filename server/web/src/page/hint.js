// Hints in casual games: the button in the own turn, and what a hint says. Part of the script of manners.js.

import { isBlankFace } from '../play/faces.js';
import { layTile, placeForFace, recall } from '../play/draft.js';
import { laidSquares } from '../play/squares.js';
import { refusedText, words } from '../text/words.js';

/** @typedef {import('./game.js').GamePage} GamePage */
/** @typedef {import('../view/strip.js').StripAct} StripAct */

/** The page shows whole turns; the protocol has less telling grades, too. */
const HINT_GRADE = 3;

/**
 * The parts of the strip about hints, in the own turn.
 *
 * @param {GamePage} page The page of the player on turn, while no play can be challenged.
 * @returns {{ more?: import('../text/rich.js').Part[], acts: StripAct[] }}
 */
export function hintInTurn(page) {
  const { hint: texts } = words().manners;
  const { table } = page;
  const own = table.hints.filter(({ seat }) => seat === table.seat);
  const told = table.hint?.turn_no === table.turnNo ? table.hint : undefined;
  if (told?.grade === HINT_GRADE) {
    const lay = { id: 'hint-lay', label: texts.lay, isFlat: true, act: () => layHint(page) };
    return { more: hintWords(told), acts: told.start ? [lay] : [] };
  }
  const isAsked = own.some(({ turn_no: turnNo, grade }) => turnNo === table.turnNo && grade === HINT_GRADE);
  if (isAsked) return { more: [texts.finding], acts: [] };
  const left = (table.setup.options.hints ?? 0) - own.length;
  const ask = { id: 'hint', label: texts.ask(left), title: texts.left(left), isFlat: true, act: () => void sendHint(page) };
  return { acts: left > 0 ? [ask] : [] };
}

/** @param {Protocol.Hint} hint */
function hintWords({ theme, start = '', tiles = [], words: formed = [], score = 0 }) {
  const { hint: texts } = words().manners;
  if (theme === 'exchange') return texts.exchange(tiles.join(' '));
  return start ? texts.play(formed[0]?.[0] ?? '', start, score) : [texts.pass];
}

/** @param {GamePage} page */
export async function sendHint(page) {
  try {
    await page.command('hint', { turn_no: page.table.turnNo, grade: HINT_GRADE });
  } catch (/** @type {any} */ refused) {
    if (!page.isClosed) page.frame.toast(refusedText(refused ?? {}));
  }
}

/**
 * Lays the tiles of the hint as the player's draft.
 *
 * @param {GamePage} page
 */
export function layHint({ table, hand }) {
  const { start, tiles = [] } = table.hint ?? {};
  if (!start) return;
  let draft = recall(hand.draft);
  laidSquares(start, tiles, table.cols).forEach(([square, face]) => {
    const place = placeForFace(draft, face);
    if (place >= 0) draft = layTile(draft, place, square, isBlankFace(face) ? face : undefined);
  });
  hand.take(draft);
}
