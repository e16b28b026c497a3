// The texts about finished games that come with their records, in German. The same keys as record-en.js.

import { deForm } from './game-de.js';
import { rich } from './rich.js';

/**
 * The texts about finished games, in German.
 *
 * @type {typeof import('./record-en.js').recordEn}
 */
export const recordDe = {
  decisions: {
    before: (tie, before) => (
      `Gleichstand bei ${tie}; es entscheiden die Punkte vor dem Abzug der Reststeine: ${before.join(':')}.`),
    tied: 'Gleichstand, auch vor dem Abzug der Reststeine.', equal: 'Die Endstände sind gleich.',
    share: 'Es entscheidet, wer seinem Ziel näher gekommen ist.',
    last: 'Der letzte verbliebene Spieler gewinnt.',
  },
  rating: (change) => `Deine Wertung: ${change}.`,
  bagFaults: {
    incomplete: 'die Aufzeichnung ist unvollständig',
    no_secret: 'das Geheimnis fehlt',
    commitment: 'das Geheimnis ist nicht das angekündigte',
    nonce: 'eine Zufallszahl ist nicht die angekündigte',
    board: 'das Brett weicht ab',
    order: 'die Auslosung weicht ab',
    bag: 'die Reihenfolge des Beutels weicht ab',
    draw: 'gezogene Steine weichen ab',
    exchange: 'getauschte Steine weichen ab',
    rack: 'eine Bank am Ende weicht ab',
  },
  rematches: {
    playAgain: 'Noch einmal',
    offer: 'Revanche',
    wanted: (who) => rich`${who} ${deForm(who, 'möchtest', 'möchte')} eine Revanche.`,
    waiting: (names) => `Du möchtest eine Revanche. Warten auf ${names}.`,
    expired: 'Das Revanche-Angebot ist abgelaufen.',
    over: (who, why) =>
      why === 'withdrawn'
        ? rich`${who} ${deForm(who, 'hast', 'hat')} das Revanche-Angebot zurückgenommen.`
        : rich`${who} ${deForm(who, 'hast', 'hat')} die Revanche abgelehnt.`,
    agree: 'Annehmen',
    decline: 'Ablehnen',
    takeBack: 'Angebot zurücknehmen',
    watch: 'Bei der Revanche zusehen',
    series: (n, scores) => `Nach ${n} Partien: ${scores.join(', ')}`,
  },
};
