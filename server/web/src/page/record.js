// Reads the record of a finished game: its positions with all racks, and the proof of the bag. A script of its own,
// since nobody needs it before a game is over.

import { historyOf, recordEvents } from '../model/history.js';
import { proveBag } from '../bag/proof.js';

/**
 * @param {string} text A native record.
 * @param {Protocol.RuleSetInfo} ruleSet
 * @param {string | undefined} identity
 */
export function readRecord(text, ruleSet, identity) {
  const events = recordEvents(text, ruleSet);
  return { positions: historyOf(events, identity), proof: proveBag(events) };
}
