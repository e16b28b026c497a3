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
      `Gleichstand bei ${tie}; es entscheiden die Punkte vor der Wertung der Bänke: ${before.join(' zu ')}.`),
    tied: 'Gleichstand, auch vor der Wertung der Bänke.', equal: 'Die Endstände sind gleich.',
    share: 'Der größere Anteil am eigenen Ziel entscheidet.',
    last: 'Wer als Letztes im Spiel ist, gewinnt, egal wie die Punkte stehen.',
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
    waiting: (names) => `Du möchtest eine Revanche. Es fehlt noch: ${names}.`,
    expired: 'Niemand hat das Angebot einer Revanche rechtzeitig beantwortet.',
    over: (who, why) =>
      why === 'withdrawn'
        ? rich`${who} ${deForm(who, 'hast', 'hat')} das Angebot einer Revanche zurückgenommen.`
        : rich`${who} ${deForm(who, 'hast', 'hat')} die Revanche abgelehnt.`,
    agree: 'Annehmen',
    decline: 'Ablehnen',
    takeBack: 'Angebot zurücknehmen',
    watch: 'Bei der Revanche zusehen',
    series: (n, scores) => `Nach ${n} Spielen: ${scores.join(', ')}`,
  },
};
