// The texts around accounts and players, in German. The same keys as accounts-en.js.

import { agoText, dateText, shortDateText, timeText } from './dates.js';

/** @param {number} at Unix ms. */
const dateDe = (at) => dateText('de', at);
const HANDLE_FORM_DE = '3 bis 20 Buchstaben und Ziffern; dazwischen sind einzelne - und _ erlaubt.';
const NOT_YET_DE = 'Dieser Server kann das noch nicht.';
const SITE_DE = 'Die Website um diese Seite verwaltet deinen Namen und dein Passwort.';

/**
 * The texts of the pages around accounts and players, in German.
 *
 * @type {typeof import('./accounts-en.js').accountsEn}
 */
export const accountsDe = {
  date: dateDe, day: (at) => shortDateText('de', at), moment: (at) => `${dateDe(at)}, ${timeText('de', at)}`,
  ago: (ms) => agoText('de', ms),

  register: {
    title: 'Registrieren', act: 'Registrieren', busy: 'Wird registriert …',
    lead: (guest) => (guest ? `Du spielst als Gast ${guest}. Registriert behältst du deine Spiele und Plätze.`
      : 'Du behältst deine Spiele und Plätze.'),
    gains: [
      'Dein Benutzername gehört dir allein. Niemand sonst kann so heißen oder so ähnlich.',
      'Deine Spiele sind auf jedem Gerät da, auf dem du dich anmeldest.',
      'Du brauchst keine E-Mail-Adresse: Zehn Wiederherstellungscodes helfen, wenn du das Passwort vergisst.',
    ],
    address: 'E-Mail-Adresse (freiwillig)',
    addressHint: 'Zuerst kommt ein Code dorthin. Später kommst du mit so einem Code ohne Passwort hinein.',
    known: 'Schon registriert?',
    done: (handle) => `Du bist als ${handle} registriert.`,
  },
  logIn: {
    title: 'Anmelden', act: 'Anmelden', busy: 'Wird angemeldet …',
    forgot: 'Passwort vergessen? Mit Wiederherstellungscode', unknown: 'Noch nicht registriert?',
    byMail: 'Mit einem Code per E-Mail anmelden', notByMail: 'Mit dem Passwort anmelden',
    aside: (guest) => (
      `Der Gast ${guest} wartet auf diesem Gerät: Nach dem Abmelden bist du wieder ${guest}, mit dessen Spielen.`),
    done: (handle) => `Du bist als ${handle} angemeldet.`,
  },
  recover: {
    title: 'Konto wiederherstellen', act: 'Passwort setzen', busy: 'Passwort wird gesetzt …',
    lead: 'Mit jedem deiner zehn Wiederherstellungscodes lässt sich einmal ein neues Passwort setzen. Alle anderen '
      + 'Sitzungen enden.',
    leadByMail: 'Mit einem Code an die E-Mail-Adresse deines Kontos setzt du ein neues Passwort. Alle anderen Sitzungen enden.',
    byMail: 'Mit einem Code per E-Mail', notByMail: 'Mit einem Wiederherstellungscode',
    wrong: 'Benutzername oder Code ist falsch.', code: 'Wiederherstellungscode',
    codeHint: 'Groß- und Kleinschreibung, Leerzeichen und Bindestriche sind egal.',
    done: (handle) => `Das neue Passwort gilt. Du bist als ${handle} angemeldet.`,
  },
  logOut: {
    title: 'Abmelden?', gamesText: 'Deine Spiele gehen ohne dich weiter, und ihre Uhren auch. Melde dich wieder an, um '
      + 'weiterzuspielen.',
    asGuest: (guest) => `Du bist abgemeldet und wieder der Gast ${guest}.`,
    asNewGuest: 'Du bist abgemeldet und ein neuer Gast.',
  },

  field: {
    handle: 'Benutzername', handleHint: HANDLE_FORM_DE, password: 'Passwort', newPassword: 'Neues Passwort',
    current: 'Bisheriges Passwort',
    passwordHint: 'Mindestens 10 Zeichen. Gut sind mehrere ungewöhnliche Wörter.',
    show: 'Zeigen', hide: 'Verbergen', showWhat: 'Passwort zeigen', hideWhat: 'Passwort verbergen',
    missing: 'Bitte ausfüllen.',
  },
  wait: (time) => `Nächster Versuch in ${time}.`,
  again: 'Du kannst es jetzt wieder versuchen.',

  codesCard: {
    title: 'Deine Wiederherstellungscodes',
    lead: 'Bewahre diese Codes so auf, dass du sie ohne dieses Gerät findest: auf Papier oder im Passwortmanager. Mit '
      + 'jedem lässt sich einmal ein neues Passwort setzen. Sie werden nur dieses eine Mal gezeigt.',
    list: 'Wiederherstellungscodes', copy: 'Kopieren', copied: 'Die Codes sind kopiert.', download: 'Herunterladen',
    copySelf: 'Die Codes sind markiert: Kopiere sie mit der Tastatur.',
    file: (handle, host) => (
      `Wiederherstellungscodes von ${handle} auf ${host}. Mit jedem lässt sich einmal ein neues Passwort setzen.`),
    saved: 'Ich habe die Codes aufbewahrt.', savedFirst: 'Bewahre erst die Codes auf und setz dann das Häkchen.',
    done: 'Fertig',
    left: (left, hasMail) => (left === 0
      ? `Kein Wiederherstellungscode ist übrig: Ohne Passwort ${hasMail ? 'hilft nur ein Code per E-Mail' : 'kommt niemand mehr hinein'}.`
      : `Noch ${left === 1 ? 'ein Wiederherstellungscode' : `${left} Wiederherstellungscodes`}.`),
    unsaved: 'Du hast deine Wiederherstellungscodes noch nicht aufbewahrt.', showThem: 'Zeigen',
  },

  account: {
    title: 'Konto', guest: 'Du spielst als Gast', guestText: 'Registrierte Personen haben ein Konto.',
    site: 'Dein Konto gehört der Website', siteText: SITE_DE,
    sessions: 'Sitzungen',
    here: 'dieser Browser', used: (ago) => `genutzt ${ago}`, since: (date) => `seit ${date}`,
    unnamed: 'Ein unbekanntes Programm',
    end: 'Beenden', endNamed: (label) => `Sitzung ${label} beenden`, ended: 'Die Sitzung ist beendet.',
    endOthers: 'Alle anderen Sitzungen beenden', othersEnded: 'Alle anderen Sitzungen sind beendet.',
    password: 'Passwort ändern', passwordText: 'Alle anderen Sitzungen enden.', passwordAct: 'Passwort ändern',
    passwordDone: 'Das Passwort ist geändert, und alle anderen Sitzungen sind beendet.',
    byMail: 'Vergessen, oder nie eines gehabt? Mit einem Code an deine E-Mail-Adresse setzt du ein neues. Dafür meldest du dich '
      + 'hier ab.',
    byMailAct: 'Abmelden und per E-Mail ein Passwort setzen',
    handle: 'Benutzernamen ändern', newHandle: 'Neuer Benutzername', handleAct: 'Benutzernamen ändern',
    busy: 'Wird geändert …',
    handleText: 'Einmal in 30 Tagen. Der alte bleibt ein Jahr für dich reserviert; bestehende Spiele behalten ihn.',
    handleDone: (handle) => `Du heißt jetzt ${handle}.`,
    renew: 'Neue Wiederherstellungscodes', renewAct: 'Neue Codes holen',
    renewText: 'Du bekommst zehn neue Codes. Die bisherigen gelten dann nicht mehr.',
    points: (points) => `${points === 1 ? '1 Punkt' : `${points} Punkte`} für Partien, die du verlassen hast.`,
    waiting: (date) => `Keine öffentlichen Partien bis ${date}.`,
  },

  player: {
    title: 'Person', registered: (date) => `Registriert am ${date}`, rolesLabel: 'Aufgaben',
    unknownTitle: 'Niemand hat diesen Benutzernamen', unknownText: 'Vielleicht wurde er geändert.',
    bot: 'Bot', botText: 'Ein Programm spielt.',
    roles: { moderator: 'Moderation', director: 'Turnierleitung', admin: 'Verwaltung' },
  },

  relations: {
    title: 'Freunde', friends: 'Freunde', followedTitle: 'Du folgst', blockedTitle: 'Du blockierst',
    guestText: 'Registrierte Personen folgen einander und sehen, wer von ihren Freunden da ist.',
    none: 'Du hast noch keine Freunde. Folge anderen auf ihrer Seite: Wer einander folgt, ist befreundet und sieht, '
      + 'wann die andere Person da ist und was sie spielt.',
    online: 'online', offline: 'offline', plays: 'spielt gerade', watch: 'Zusehen',
    message: 'Nachricht', messageNamed: (handle) => `Nachricht an ${handle}`,
    watchNamed: (handle) => `Dem Spiel von ${handle} zusehen`, since: (date) => `seit ${date}`,
    report: 'Melden', follow: 'Folgen', unfollow: 'Nicht mehr folgen', block: 'Blockieren', unblock: 'Nicht mehr blockieren',
    unblockNamed: (handle) => `${handle} nicht mehr blockieren`,
    followed: (handle) => `Du folgst ${handle}.`, unfollowed: (handle) => `Du folgst ${handle} nicht mehr.`,
    blocked: (handle) => `Du blockierst ${handle}.`, unblocked: (handle) => `Du blockierst ${handle} nicht mehr.`,
    blockTitle: (handle) => `${handle} blockieren?`,
    blockText: (handle) => (
      'Kein Angebot und keine Suche nach einem Spiel bringt euch zusammen, und ihr folgt einander nicht mehr. Ein '
      + `Spiel, das ihr gerade spielt, geht weiter. ${handle} erfährt nichts davon.`),
    isFriend: 'Ihr seid befreundet: Ihr folgt einander.',
    isFollowed: (handle) => `Du folgst ${handle}. Ihr seid befreundet, sobald ${handle} auch dir folgt.`,
    isBlocked: (handle) => `Du blockierst ${handle}: Kein Angebot bringt euch zusammen.`,
  },

  moderated: {
    kinds: {
      mute: 'Ein Moderator hat dir den Chat gesperrt', no_rated: 'Ein Moderator hat dir gewertete Partien gesperrt',
      no_public: 'Ein Moderator hat dir öffentliche Partien gesperrt', suspend: 'Ein Moderator hat dich gesperrt',
      hide_lines: 'Ein Moderator hat Zeilen von dir verborgen',
      rename: 'Ein Moderator hat dir einen anderen Benutzernamen gegeben',
      undo: 'Ein Moderator hat eine Maßnahme gegen dich aufgehoben',
      wait: 'Du kannst keine öffentlichen Partien öffnen und keinen beitreten',
      forgive: 'Ein Moderator hat dir die Punkte für verlassene Partien erlassen',
    },
    other: 'Ein Moderator hat etwas wegen deines Kontos unternommen',
    sentence: (done, until, reason) => `${done}${until && ` bis ${until}`}: ${reason}`,
  },
  invitations: {
    open: 'Einladungen', invite: 'Einladen', inviteNamed: (handle) => `${handle} einladen`,
    isSent: 'Von dir eingeladen', isReceived: 'Lädt dich ein',
    send: (handle) => `${handle} zu diesem Spiel einladen`, sent: (handle) => `Du hast ${handle} eingeladen.`,
    arrived: (handle, game) => `${handle} lädt dich ein: ${game}.`,
    accept: 'Annehmen', decline: 'Ablehnen', cancel: 'Zurücknehmen', later: 'Später',
    acceptNamed: (handle) => `Die Einladung von ${handle} annehmen`,
    declineNamed: (handle) => `Die Einladung von ${handle} ablehnen`,
    cancelNamed: (handle) => `Die Einladung an ${handle} zurücknehmen`,
    blockNamed: (handle) => `${handle} blockieren`,
    declineTitle: (handle) => `Die Einladung von ${handle} ablehnen?`,
    declineText: 'Die andere Person erfährt den Grund.',
    reasons: { busy: 'Gerade keine Zeit', other_options: 'Lieber andere Regeln', no: 'Nein, danke' },
    declined: (handle, reason) => {
      const why = reason === 'busy' ? ': gerade keine Zeit' : reason === 'other_options' ? ': lieber andere Regeln' : '';
      return `${handle} lehnt deine Einladung ab${why}.`;
    },
    expired: (handle) => `Deine Einladung an ${handle} ist abgelaufen.`,
    from: 'Einladungen', fromText: 'Wessen Einladungen möchtest du bekommen? Niemand erfährt, was du wählst.',
    fromLabel: 'Einladungen von', saved: 'Deine Wahl ist gespeichert.',
    inviters: { anybody: 'allen', followed: 'Personen, denen ich folge', nobody: 'niemandem' },
  },
  person: {
    profile: 'Profil', players: 'Mitspielende',
    registerFirst: 'Registriere dich, um andere zu blockieren oder zu melden.',
    guest: 'Gäste kann niemand blockieren: sie kommen mit einem anderen Namen wieder.',
  },
  chat: {
    title: 'Chat', label: 'Ich möchte chatten',
    text: 'Ohne Chat bist du auf all deinen Geräten in keinem Raum, und niemand kann dir schreiben. Niemand erfährt, was du wählst.',
    isOn: 'Der Chat ist an.', isOff: 'Der Chat ist aus. Niemand kann dir schreiben.',
  },
  letters: {
    title: 'E-Mails',
    text: 'Der Server schreibt dir zu Fernpartien, wenn du nicht da bist. Nachrichten zu deinem Konto kommen immer.',
    none: 'Du hast hier keine E-Mail-Adresse: Es kommen keine E-Mails.',
    to: (/** @type {string} */ address) => `E-Mails kommen an ${address}.`,
    refused: (/** @type {string} */ address) => `Mailserver weisen ${address} ab. Gib die Adresse noch einmal an oder eine andere.`,
    kinds: 'E-Mails, die ich möchte',
    of: {
      turn: 'wenn ich am Zug bin', update: 'über Züge der anderen', reminder: 'wenn meine Zeit abläuft',
      result: 'wenn eine Partie zu Ende ist', invitation: 'wenn mich jemand einlädt',
    },
    language: 'Sprache der E-Mails', languages: { en: 'Englisch', de: 'Deutsch' }, saved: 'Deine Wahl ist gespeichert.',
    confirm: 'Adresse bestätigen', noPassword: 'Ohne Passwort setz erst eines: siehe „Passwort ändern“.',
    changed: 'Deine E-Mail-Adresse ist gesetzt.', remove: 'Adresse entfernen', removed: 'Deine E-Mail-Adresse ist entfernt.',
  },
  mailCode: {
    address: 'E-Mail-Adresse', code: 'Code in der E-Mail', ask: 'Code schicken', asking: 'Wird geschickt …',
    sent: (/** @type {string} */ address) => `Ein Code kommt an ${address}. Er gilt 15 Minuten.`,
    sentIfKnown: (/** @type {string} */ address) => (
      `Wenn ein Konto die Adresse ${address} hat, kommt dort ein Code an. Er gilt 15 Minuten.`),
    again: 'Neuen Code schicken', other: 'Andere Adresse',
  },
  pushes: {
    title: 'Benachrichtigungen', kinds: 'Benachrichtigungen, die ich möchte', devices: 'Browser, die sie bekommen',
    text: 'Dieser Browser kann dir zu Fernpartien Bescheid geben, auch wenn die Seite geschlossen ist. Der Server schickt sie über '
      + 'den Push-Dienst des Browsers, der sie nicht lesen kann. Sie enden, wenn du dich abmeldest.',
    off: 'Dieser Server verschickt keine Benachrichtigungen.', missing: 'Dieser Browser kann hier keine Benachrichtigungen bekommen.',
    denied: 'Dieser Browser erlaubt keine Benachrichtigungen dieser Seite. Du kannst das in seinen Einstellungen ändern.',
    here: 'Dieser Browser bekommt Benachrichtigungen.', notHere: 'Dieser Browser bekommt keine Benachrichtigungen.',
    start: 'In diesem Browser benachrichtigen', stop: 'Hier nicht mehr benachrichtigen',
    started: 'Benachrichtigungen kommen in diesen Browser.', stopped: 'Dorthin kommen keine Benachrichtigungen mehr.',
    failed: 'Der Browser hat seinen Push-Dienst nicht erreicht. Bitte versuche es noch einmal.',
    unused: 'noch keine Benachrichtigung', used: (ago) => `letzte Benachrichtigung ${ago}`,
    remove: 'Entfernen', removeNamed: (label) => `${label} entfernen`,
  },
  vacation: {
    title: 'Urlaub', days: 'Tage', take: 'In Urlaub gehen', busy: 'Wird gesendet …', end: 'Urlaub beenden',
    text: 'In Fernspielen mit Urlaub verschieben sich deine Fristen um diese Tage. Du hast 30 Tage in je 365.',
    here: 'Du bist nicht im Urlaub.', away: (date) => `Du bist bis zum ${date} im Urlaub.`,
    left: (days) => (days === 1 ? '1 Tag ist übrig.' : `${days} Tage sind übrig.`),
    taken: 'Deine Fristen sind verschoben.', ended: 'Der Urlaub ist zu Ende. Ganze Tage, die du nicht gebraucht hast, bleiben dir.',
    wrong: 'Schreib eine Zahl von 1 bis 30.',
  },
  ownData: {
    title: 'Deine Daten', export: 'Alles herunterladen', exporting: 'Wird heruntergeladen …',
    text: 'Eine ZIP-Datei mit allem, was der Server über dich hat: Konto, Spiele, Zeilen, Wertungen und mehr.',
    exported: 'Die Datei ist auf diesem Gerät.', failed: 'Die Datei ist unvollständig. Bitte versuch es noch einmal.',
    eraseTitle: 'Konto löschen',
    eraseText: 'Nach 14 Tagen, oder wie der Betreiber es festlegt, werden deine Spiele aufgegeben, und Konto, Zeilen und '
      + 'Freundschaften sind weg. Spiele bleiben, mit einem anderen Namen an deiner Stelle. Bis dahin kannst du es zurücknehmen.',
    confirm: 'Gib zur Bestätigung deinen Benutzernamen ein', erase: 'Alles über mich löschen', busy: 'Wird gesendet …',
    asked: (date) => `Du wirst am ${date} gelöscht.`, due: (date) => `Alles über dich wird am ${date} gelöscht.`,
    keep: 'Zurücknehmen', kept: 'Nichts wird gelöscht.',
  },

  ratings: {
    of: (pool) => `Wertung: ${pool}`,
    point: (date, rating, deviation, isProvisional) => (
      `${date}: ${rating} ± ${deviation}${isProvisional ? ', vorläufig' : ''}`),
    table: 'Als Tabelle', day: 'Tag', rating: 'Wertung', deviation: 'Abweichung',
  },
  versus: {
    title: 'Du gegen diese Person',
  },
  figures: {
    title: 'Statistik',
    names: {
      games: 'Spiele', won: 'Gewonnen (zu zweit)', lost: 'Verloren (zu zweit)', shared: 'Geteilt (zu zweit)',
      three: 'Nach Plätzen (zu dritt)', four: 'Nach Plätzen (zu viert)', finished: 'Bis zum Ende geblieben',
      counted: 'Gezählte Spiele', perTurn: 'Punkte je Zug', perGame: 'Punkte je Spiel',
      high: 'Höchstes Ergebnis', low: 'Niedrigstes Ergebnis', highestPlay: 'Höchster Zug', bingos: 'Bingos je Spiel',
      phonies: 'Falsche Wörter gelegt', caught: 'Falsche Wörter entdeckt', challengesWon: 'Anzweiflungen gewonnen',
      challengesLost: 'Anzweiflungen verloren', exchanges: 'Getauscht', first: 'Zuerst am Zug', turnTime: 'Zeit je Zug',
    },
  },

  codes: {
    unreachable: 'Der Server ist nicht erreichbar. Bitte versuch es noch einmal.',
    handle_too_short: 'Ein Benutzername hat mindestens 3 Zeichen.',
    handle_too_long: 'Ein Benutzername hat höchstens 20 Zeichen.',
    handle_character: HANDLE_FORM_DE, handle_no_letter: 'Ein Benutzername braucht mindestens einen Buchstaben.',
    handle_mixed_scripts: 'Die Buchstaben gehören zu einer Schrift: lateinisch, griechisch, kyrillisch …',
    handle_reserved: 'Dieser Benutzername ist reserviert. Bitte wähl einen anderen.',
    handle_taken: 'Dieser Benutzername, oder einer, der so aussieht, gehört schon jemandem.',
    handle_changed_recently: ({ until }) => (
      until === undefined ? 'Du hast deinen Benutzernamen in den letzten 30 Tagen geändert.'
        : `Du kannst deinen Benutzernamen ab dem ${dateDe(until)} wieder ändern.`),
    password_too_short: 'Ein Passwort hat mindestens 10 Zeichen.',
    password_too_long: 'Ein Passwort hat höchstens 128 Zeichen.',
    password_too_weak: 'Dieses Passwort ist leicht zu erraten. Nimm mehrere ungewöhnliche Wörter ohne deinen '
      + 'Benutzernamen, oder lass deinen Browser eines erzeugen.',
    bad_credentials: 'Benutzername oder Passwort ist falsch.',
    wrong_proof: 'Das ist nicht dein bisheriges Passwort.', too_many_tries: 'Das war zu oft falsch.',
    session_ended: 'Deine Sitzung ist beendet. Bitte melde dich wieder an.',
    no_such_session: 'Diese Sitzung ist schon beendet.',
    already_registered: 'Du bist schon registriert.', no_change: 'So heißt du schon.',
    push_off: 'Dieser Server verschickt keine Benachrichtigungen.',
    unknown_device: 'Dieser Browser bekommt schon keine Benachrichtigungen mehr.',
    bad_endpoint: 'Der Push-Dienst dieses Browsers kann nicht verwendet werden.',
    bad_push_keys: 'Dieser Browser hat keine brauchbaren Schlüssel.',
    push_key_changed: 'Der Schlüssel des Servers hat sich geändert. Bitte versuche es noch einmal.',
    too_many_devices: 'Zu viele Browser bekommen schon Benachrichtigungen. Entferne zuerst einen.',
    mail_off: 'Dieser Server verschickt keine E-Mails.', mail_taken: 'Ein anderes Konto hat diese E-Mail-Adresse.',
    mail_code_wrong: 'Das ist nicht der Code in der E-Mail.',
    mail_code_invalid: 'Dieser Code gilt nicht mehr. Fordere einen neuen an.',
    bad_address: 'Das ist keine E-Mail-Adresse.', no_credential: 'Ein Konto ohne Passwort braucht seine E-Mail-Adresse.',
    not_registered: 'Das können nur registrierte Personen.', site_account: SITE_DE,
    suspended: ({ until, reason = '' }) => (until === undefined ? `Dein Konto ist gesperrt: ${reason}`
      : `Dein Konto ist bis zum ${dateDe(until)} gesperrt: ${reason}`),
    bad_words: 'Schreib höchstens 500 Zeichen.', bad_reason: 'Nenne einen Grund mit 1 bis 500 Zeichen.',
    bad_until: 'Das Ende muss in der Zukunft liegen, und nur eine Sperre hat eines.',
    bad_lines: 'Nenne 1 bis 50 Zeilen eines Raums.',
    unknown_line: 'Diese Zeile gibt es nicht.', unknown_report: 'Diese Meldung gibt es nicht.',
    unknown_act: 'Diese Maßnahme gibt es nicht.', cannot_undo: 'Das lässt sich nicht aufheben.',
    no_effect: 'Das ändert nichts: Es ist vorbei, oder etwas anderes ist an seine Stelle getreten.',
    too_many_reports: 'Du hast in 24 Stunden 10 Meldungen geschickt.',
    forbidden: 'Das darfst du nicht.', origin: 'Der Server erlaubt das Seiten dieser Adresse nicht.',
    yourself: 'Das bist du.', blocked_by_you: 'Du blockierst diese Person. Hebe das zuerst auf.',
    too_many_followed: 'Du folgst schon 500 Personen.', too_many_blocked: 'Du blockierst schon 1.000 Personen.',
    unknown_player: 'Niemand hat diesen Benutzernamen.',
    bad_days: 'Schreib eine Zahl von 1 bis 30.', too_few_days: 'So viele Tage hast du nicht mehr.',
    not_on_vacation: 'Du bist nicht im Urlaub.',
    not_confirmed: 'Das ist nicht dein Benutzername.', no_erasure: 'Es gibt nichts zurückzunehmen.',
    already_invited: 'Du hast diese Person schon zu so einem Spiel eingeladen.',
    too_many_invitations: 'Mehr offene Einladungen sind nicht möglich. Nimm zuerst eine zurück.',
    unknown_invitation: 'Diese Einladung ist nicht mehr offen.', not_found: NOT_YET_DE,
    method_not_allowed: NOT_YET_DE,
  },
};
