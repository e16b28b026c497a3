// The texts about what players ask of each other in a game, in German. The same keys as manners-en.js.

import { deForm } from './game-de.js';
import { lobbyDe } from './lobby-de.js';
import { rich } from './rich.js';

/** @typedef {import('./rich.js').Part} Part */
/** @typedef {import('./game-de.js').Who} Who */

/** @param {Date | number} at */
function mannersDateDe(at) {
  return new Date(at).toLocaleString('de', { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' });
}

/** The texts about questions between players, in German. */
export const mannersDe = {
  news: /** @type {Record<string, (who: Who, event?: any, target?: Who) => Part[]>} */ ({
    abort_requested: (who) => rich`${who} ${deForm(who, 'möchtest', 'möchte')} die Partie abbrechen`,
    abort_declined: (who, { reason }) => {
      if (reason === 'refused') return [who.you ? 'Dein Gegner möchte weiterspielen' : 'Die Partie geht weiter'];
      if (reason !== 'expired') return ['Die Partie geht weiter'];
      return who.you ? ['Dein Gegner hat nicht geantwortet'] : rich`${who} bekam keine Antwort`;
    },
    nudged: (who, _, target = who) =>
      rich`${who} ${deForm(who, 'fragst', 'fragt')}, ob ${target} noch da ${deForm(target, 'bist', 'ist')}`,
    nudge_answered: (who) => rich`${who} ${deForm(who, 'bist', 'ist')} noch da`,
    adjourn_requested: (who) => rich`${who} ${deForm(who, 'möchtest', 'möchte')} die Partie vertagen`,
    adjourn_agreed: (who) => rich`${who} ${deForm(who, 'bist', 'ist')} mit der Vertagung einverstanden`,
    adjourn_declined: (who, { reason }) => {
      if (reason !== 'expired') return ['Die Partie geht weiter'];
      return who.you ? ['Dein Gegner hat nicht geantwortet'] : rich`${who} bekam keine Antwort`;
    },
    adjourned: () => ['Die Partie ist vertagt'],
    ready_to_resume: (who) => rich`${who} ${deForm(who, 'bist', 'ist')} bereit weiterzuspielen`,
    not_ready_to_resume: (who) => rich`${who} ${deForm(who, 'hast', 'hat')} die Verbindung verloren`,
    resumed: () => ['Die Partie geht weiter'],
    paused: () => ['Die Aufsicht hat die Partie angehalten'],
    time_given: (who, { seat, target: to, time_ms: timeMs }, target = who) => (seat === to
      ? rich`${target} ${deForm(target, 'bekommst', 'bekommt')} ${lobbyDe.duration(timeMs)} von der Aufsicht`
      : rich`${who} ${deForm(who, 'hast', 'hat')} ${target.you ? 'dir' : target} ${lobbyDe.duration(timeMs)} gegeben`),
    hint_used: (who) => rich`${who} ${deForm(who, 'hast', 'hat')} einen Tipp benutzt`,
    time_refused: (who) => rich`${who} ${deForm(who, 'nimmst', 'nimmt')} keine Zusatzzeit an`,
    vacation: (who, { at, until }) => (until > at
      ? rich`${who} ${deForm(who, 'bist', 'ist')} bis ${mannersDateDe(until)} im Urlaub`
      : rich`${who} ${deForm(who, 'bist', 'ist')} aus dem Urlaub zurück`),
  }),
  adjourn: 'Vertagen (an einem anderen Tag weiterspielen)',
  adjournWhy: 'alle Uhren werden angehalten',
  adjournYes: 'Vertagen',
  adjournNo: 'Weiterspielen',
  asleep: (/** @type {Date} */ until) => `Vertagt – weiter bis spätestens ${mannersDateDe(until)}`,
  sleepOver: 'Die Frist der Vertagung ist um: Wer bereit ist, kann den Sieg beanspruchen',
  waitsFor: (/** @type {string} */ names) => `warten auf ${names}`,
  resume: 'Ich bin bereit',
  abortWhy: 'ohne Ergebnis',
  abortYes: 'Abbrechen',
  abortNo: 'Weiterspielen',
  here: 'Ich bin da',
  hereWhy: 'sonst kann dein Gegner den Sieg beanspruchen',
  ask: (/** @type {string} */ name) => `${name} anstupsen`,
  give: (/** @type {string} */ name, /** @type {number | undefined} */ seconds) =>
    seconds === undefined ? `${name} Zeit für einen Zug geben` : `${name} ${seconds} Sekunden geben`,
  refuse: 'In dieser Partie keine Zusatzzeit annehmen',
  hint: {
    ask: (/** @type {number} */ left) => `Zeig mir einen Zug (${left})`,
    left: (/** @type {number} */ left) => (left === 1 ? 'noch 1 Tipp' : `noch ${left} Tipps`),
    finding: 'Zug wird gesucht …',
    play: (/** @type {string} */ word, /** @type {string} */ at, /** @type {number} */ points) =>
      rich`Versuch ${{ word }} auf ${at} für ${String(points)} Punkte`,
    exchange: (/** @type {string} */ tiles) => [`Tausch ${tiles}`],
    pass: 'Kein Zug lohnt sich: passe',
    lay: 'Steine legen',
  },
  tooEarly: (/** @type {string} */ time) => `Du kannst in ${time} anstupsen, wenn dein Gegner bis dahin nicht zieht.`,
};
