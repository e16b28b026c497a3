// Reads the record of a finished game: its positions with all racks, and the proof of the bag. A script of its own,
// since nobody needs it before a game is over.

import { historyOf, recordEvents } from '../model/history.js';
import { proveBag } from '../bag/proof.js';

/**
 * @param {string} text A native record.
 * @param {Protocol.GameSetup} setup The setup that the players saw before the first draw.
 * @param {string | undefined} identity
 */
export function readRecord(text, setup, identity) {
  const events = recordEvents(text, setup.rule_set);
  return { positions: historyOf(events, identity), proof: proveBag(events, setup) };
}
