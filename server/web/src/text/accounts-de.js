// The texts around accounts and players, in German. The same keys as accounts-en.js.

import { agoText, dateText, shortDateText, timeText } from './dates.js';

/** @param {number} at Unix ms. */
const dateDe = (at) => dateText('de', at);
const HANDLE_FORM_DE = '3 bis 20 Buchstaben und Ziffern; dazwischen sind einzelne - und _ erlaubt.';
const NOT_YET_DE = 'Dieser Server kann das noch nicht.';
const SITE_DE = 'Deinen Namen und dein Passwort verwaltet die Website, von der du kommst.';

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
    lead: (guest) => (guest ? `Du spielst als Gast ${guest}. Registriert behältst du deine Partien und Plätze.`
      : 'Du behältst deine Partien und Plätze.'),
    gains: [
      'Niemand sonst kann deinen Benutzernamen oder einen zum Verwechseln ähnlichen annehmen.',
      'Deine Partien findest du auf jedem Gerät, auf dem du dich anmeldest.',
      'Du brauchst keine E-Mail-Adresse: Zehn Wiederherstellungscodes helfen, wenn du das Passwort vergisst.',
    ],
    address: 'E-Mail-Adresse (freiwillig)',
    addressHint: 'Du bekommst einen Code zur Bestätigung. Später kannst du dich mit so einem Code statt mit dem Passwort anmelden.',
    known: 'Schon registriert?',
    done: (handle) => `Du bist als ${handle} registriert.`,
  },
  logIn: {
    title: 'Anmelden', act: 'Anmelden', busy: 'Wird angemeldet …',
    forgot: 'Passwort vergessen? Mit Wiederherstellungscode', unknown: 'Noch nicht registriert?',
    byMail: 'Mit einem Code per E-Mail anmelden', notByMail: 'Mit dem Passwort anmelden',
    aside: (guest) => (
      `Dein Gast ${guest} bleibt auf diesem Gerät: Nach dem Abmelden bist du wieder ${guest}, mit dessen Partien.`),
    done: (handle) => `Du bist als ${handle} angemeldet.`,
  },
  recover: {
    title: 'Konto wiederherstellen', act: 'Passwort setzen', busy: 'Passwort wird gesetzt …',
    lead: 'Mit jedem deiner zehn Wiederherstellungscodes lässt sich einmal ein neues Passwort setzen. Auf '
      + 'allen anderen Geräten wirst du abgemeldet.',
    leadByMail: 'Mit einem Code an die E-Mail-Adresse deines Kontos setzt du ein neues Passwort. Auf allen anderen Geräten wirst du '
      + 'abgemeldet.',
    byMail: 'Mit einem Code per E-Mail', notByMail: 'Mit einem Wiederherstellungscode',
    wrong: 'Benutzername oder Code ist falsch.', code: 'Wiederherstellungscode',
    codeHint: 'Groß- und Kleinschreibung, Leerzeichen und Bindestriche sind egal.',
    done: (handle) => `Dein neues Passwort ist gesetzt. Du bist als ${handle} angemeldet.`,
  },
  logOut: {
    title: 'Abmelden?', gamesText: 'Deine Partien gehen ohne dich weiter, und die Uhren laufen. Melde dich wieder an, um '
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
    saved: 'Ich habe diese Codes gesichert.', savedFirst: 'Sichere erst die Codes und setz dann das Häkchen.',
    done: 'Fertig',
    left: (left, hasMail) => (left === 0
      ? `Keine Wiederherstellungscodes mehr: Ohne Passwort ${hasMail ? 'hilft nur ein Code per E-Mail' : 'verlierst du dein Konto'}.`
      : `Noch ${left === 1 ? 'ein Wiederherstellungscode' : `${left} Wiederherstellungscodes`}.`),
    unsaved: 'Du hast deine Wiederherstellungscodes noch nicht gesichert.', showThem: 'Zeigen',
  },

  account: {
    title: 'Konto', guest: 'Du spielst als Gast', guestText: 'Registrierte Spieler haben ein Konto.',
    site: 'Die Website verwaltet dein Konto', siteText: SITE_DE,
    sessions: 'Sitzungen',
    here: 'dieser Browser', used: (ago) => `genutzt ${ago}`, since: (date) => `seit ${date}`,
    unnamed: 'Unbekanntes Programm',
    end: 'Abmelden', endNamed: (label) => `${label} abmelden`, ended: 'Dort abgemeldet.',
    endOthers: 'Überall sonst abmelden', othersEnded: 'Du bist überall sonst abgemeldet.',
    password: 'Passwort ändern', passwordText: 'Auf allen anderen Geräten wirst du abgemeldet.', passwordAct: 'Passwort ändern',
    passwordDone: 'Das Passwort ist geändert. Auf allen anderen Geräten bist du abgemeldet.',
    byMail: 'Vergessen, oder nie eines gehabt? Mit einem Code an deine E-Mail-Adresse setzt du ein neues. Dafür meldest du dich '
      + 'hier ab.',
    byMailAct: 'Abmelden und per E-Mail ein Passwort setzen',
    handle: 'Benutzernamen ändern', newHandle: 'Neuer Benutzername', handleAct: 'Benutzernamen ändern',
    busy: 'Wird geändert …',
    handleText: 'Einmal in 30 Tagen. Der alte bleibt ein Jahr für dich reserviert; bestehende Partien behalten ihn.',
    handleDone: (handle) => `Du heißt jetzt ${handle}.`,
    renew: 'Neue Wiederherstellungscodes', renewAct: 'Neue Codes holen',
    renewText: 'Du bekommst zehn neue Codes. Die bisherigen gelten dann nicht mehr.',
    points: (points) => `${points === 1 ? '1 Strafpunkt' : `${points} Strafpunkte`} für verlassene Partien.`,
    waiting: (date) => `Keine öffentlichen Partien bis ${date}.`,
  },

  player: {
    title: 'Spieler', registered: (date) => `Registriert am ${date}`, rolesLabel: 'Aufgaben',
    unknownTitle: 'Spieler nicht gefunden', unknownText: 'Vielleicht wurde der Benutzername geändert.',
    bot: 'Bot', botText: 'Ein Computergegner.',
    roles: { moderator: 'Moderation', director: 'Turnierleitung', admin: 'Verwaltung' },
  },

  relations: {
    title: 'Freunde', friends: 'Freunde', followedTitle: 'Du folgst', blockedTitle: 'Blockiert',
    guestText: 'Registriere dich, um anderen zu folgen und zu sehen, welche Freunde online sind.',
    none: 'Du hast noch keine Freunde. Folge anderen in ihrem Profil: Wer einander folgt, ist befreundet und sieht, '
      + 'wann der andere online ist und spielt.',
    online: 'online', offline: 'offline', plays: 'spielt gerade', watch: 'Zusehen',
    message: 'Nachricht', messageNamed: (handle) => `Nachricht an ${handle}`,
    watchNamed: (handle) => `Der Partie von ${handle} zusehen`, since: (date) => `seit ${date}`,
    report: 'Melden', follow: 'Folgen', unfollow: 'Nicht mehr folgen', block: 'Blockieren', unblock: 'Blockierung aufheben',
    unblockNamed: (handle) => `Blockierung von ${handle} aufheben`,
    followed: (handle) => `Du folgst ${handle}.`, unfollowed: (handle) => `Du folgst ${handle} nicht mehr.`,
    blocked: (handle) => `Du hast ${handle} blockiert.`, unblocked: (handle) => `${handle} ist nicht mehr blockiert.`,
    blockTitle: (handle) => `${handle} blockieren?`,
    blockText: (handle) => (
      `Ihr werdet nicht mehr gepaart, seht die Angebote des anderen nicht, und du folgst ${handle} nicht mehr. Eine `
      + `laufende Partie geht weiter. ${handle} erfährt nichts davon.`),
    isFriend: 'Ihr seid befreundet: Ihr folgt einander.',
    isFollowed: (handle) => `Du folgst ${handle}. Ihr seid befreundet, sobald ${handle} auch dir folgt.`,
    isBlocked: (handle) => `Du hast ${handle} blockiert: Ihr werdet nicht gepaart und seht die Angebote des anderen nicht.`,
  },

  moderated: {
    kinds: {
      mute: 'Ein Moderator hat dich im Chat stumm geschaltet', no_rated: 'Du kannst keine gewerteten Partien spielen',
      no_public: 'Du kannst keine öffentlichen Partien spielen', suspend: 'Ein Moderator hat dein Konto gesperrt',
      hide_lines: 'Ein Moderator hat Nachrichten von dir ausgeblendet',
      rename: 'Ein Moderator hat deinen Benutzernamen geändert',
      undo: 'Ein Moderator hat eine Maßnahme gegen dich aufgehoben',
      wait: 'Du kannst keine öffentlichen Partien anbieten und keinen beitreten',
      forgive: 'Ein Moderator hat dir die Strafpunkte für verlassene Partien erlassen',
    },
    other: 'Ein Moderator hat eine Maßnahme zu deinem Konto getroffen',
    sentence: (done, until, reason) => `${done}${until && ` bis ${until}`}: ${reason}`,
  },
  invitations: {
    open: 'Einladungen', invite: 'Einladen', inviteNamed: (handle) => `${handle} einladen`,
    isSent: 'Von dir eingeladen', isReceived: 'Lädt dich ein',
    send: (handle) => `${handle} zu dieser Partie einladen`, sent: (handle) => `Du hast ${handle} eingeladen.`,
    arrived: (handle, game) => `${handle} lädt dich ein: ${game}.`,
    accept: 'Annehmen', decline: 'Ablehnen', cancel: 'Zurücknehmen', later: 'Später',
    acceptNamed: (handle) => `Die Einladung von ${handle} annehmen`,
    declineNamed: (handle) => `Die Einladung von ${handle} ablehnen`,
    cancelNamed: (handle) => `Die Einladung an ${handle} zurücknehmen`,
    blockNamed: (handle) => `${handle} blockieren`,
    declineTitle: (handle) => `Die Einladung von ${handle} ablehnen?`,
    declineText: 'Der Grund wird angezeigt.',
    reasons: { busy: 'Gerade keine Zeit', other_options: 'Lieber andere Regeln', no: 'Nein, danke' },
    declined: (handle, reason) => {
      const why = reason === 'busy' ? ': gerade keine Zeit' : reason === 'other_options' ? ': lieber andere Regeln' : '';
      return `${handle} hat deine Einladung abgelehnt${why}.`;
    },
    expired: (handle) => `Deine Einladung an ${handle} ist abgelaufen.`,
    from: 'Einladungen', fromText: 'Wer darf dich einladen? Niemand erfährt, was du wählst.',
    fromLabel: 'Einladungen erlauben von', saved: 'Gespeichert.',
    inviters: { anybody: 'allen', followed: 'Spielern, denen ich folge', nobody: 'niemandem' },
  },
  person: {
    profile: 'Profil', players: 'Spieler',
    registerFirst: 'Registriere dich, um andere zu blockieren oder zu melden.',
    guest: 'Gäste lassen sich nicht blockieren: Sie könnten unter einem anderen Namen wiederkommen.',
  },
  chat: {
    title: 'Chat', label: 'Chat einschalten',
    text: 'Schaltet den Chat auf all deinen Geräten aus: Du siehst und bekommst keine Nachrichten. Niemand erfährt, was du wählst.',
    isOn: 'Der Chat ist an.', isOff: 'Der Chat ist aus. Niemand kann dir schreiben.',
  },
  letters: {
    title: 'E-Mail-Benachrichtigungen',
    text: 'E-Mails zu deinen Fernpartien, wenn du nicht da bist. E-Mails zu deinem Konto kommen immer.',
    none: 'Du hast keine E-Mail-Adresse angegeben: Es kommen keine E-Mails.',
    to: (/** @type {string} */ address) => `E-Mails gehen an ${address}.`,
    refused: (/** @type {string} */ address) => `E-Mails an ${address} kommen zurück. Gib die Adresse noch einmal an oder eine andere.`,
    kinds: 'E-Mails an mich',
    of: {
      turn: 'wenn ich am Zug bin', update: 'über Züge der anderen', reminder: 'wenn meine Zeit abläuft',
      result: 'wenn eine Partie zu Ende ist', invitation: 'wenn mich jemand einlädt',
    },
    language: 'Sprache der E-Mails', languages: { en: 'Englisch', de: 'Deutsch' }, saved: 'Gespeichert.',
    confirm: 'Adresse bestätigen', noPassword: 'Noch kein Passwort? Setz erst eines unter „Passwort ändern“.',
    changed: 'Deine E-Mail-Adresse ist gesetzt.', remove: 'Adresse entfernen', removed: 'Deine E-Mail-Adresse ist entfernt.',
  },
  mailCode: {
    address: 'E-Mail-Adresse', code: 'Code aus der E-Mail', ask: 'Code schicken', asking: 'Wird geschickt …',
    sent: (/** @type {string} */ address) => `Ein Code wurde an ${address} geschickt. Er gilt 15 Minuten.`,
    sentIfKnown: (/** @type {string} */ address) => (
      `Wenn ein Konto die Adresse ${address} hat, wurde ein Code dorthin geschickt. Er gilt 15 Minuten.`),
    delayed: () => 'Dieser Server kann gerade keine E-Mails verschicken. Der Code kommt später; sonst versuch es später noch einmal.',
    again: 'Neuen Code schicken', other: 'Andere Adresse',
  },
  pushes: {
    title: 'Benachrichtigungen', kinds: 'Benachrichtigungen an mich', devices: 'Browser mit Benachrichtigungen',
    text: 'Dieser Browser benachrichtigt dich zu deinen Fernpartien, auch wenn die Seite geschlossen ist. Die Nachrichten gehen '
      + 'über den Push-Dienst des Browsers, der sie nicht lesen kann, und enden, wenn du dich abmeldest.',
    off: 'Dieser Server verschickt keine Benachrichtigungen.', missing: 'Dieser Browser unterstützt hier keine Benachrichtigungen.',
    denied: 'Dieser Browser blockiert Benachrichtigungen dieser Seite. Du kannst das in seinen Einstellungen ändern.',
    here: 'Benachrichtigungen sind in diesem Browser an.', notHere: 'Benachrichtigungen sind in diesem Browser aus.',
    start: 'In diesem Browser benachrichtigen', stop: 'Benachrichtigungen in diesem Browser beenden',
    started: 'Benachrichtigungen eingeschaltet.', stopped: 'Benachrichtigungen ausgeschaltet.',
    failed: 'Der Browser hat seinen Push-Dienst nicht erreicht. Bitte versuche es noch einmal.',
    unused: 'noch keine Benachrichtigung', used: (ago) => `letzte Benachrichtigung ${ago}`,
    remove: 'Entfernen', removeNamed: (label) => `${label} entfernen`,
  },
  vacation: {
    title: 'Urlaub', days: 'Tage', take: 'In Urlaub gehen', busy: 'Wird gesendet …', end: 'Urlaub beenden',
    text: 'In Fernpartien mit Urlaub verlängern sich deine Fristen um diese Tage. Du hast 30 Tage in je 365.',
    here: 'Du bist nicht im Urlaub.', away: (date) => `Du bist bis zum ${date} im Urlaub.`,
    left: (days) => (days === 1 ? '1 Tag ist übrig.' : `${days} Tage sind übrig.`),
    taken: 'Deine Fristen sind verlängert.', ended: 'Der Urlaub ist zu Ende. Ganze Tage, die du nicht gebraucht hast, bleiben dir.',
    wrong: 'Gib eine Zahl von 1 bis 30 ein.',
  },
  ownData: {
    title: 'Deine Daten', export: 'Alles herunterladen', exporting: 'Wird heruntergeladen …',
    text: 'Eine ZIP-Datei mit allem, was der Server über dich speichert: Konto, Partien, Nachrichten, Wertungen und mehr.',
    exported: 'Deine Daten sind heruntergeladen.', failed: 'Das Herunterladen brach ab. Bitte versuch es noch einmal.',
    eraseTitle: 'Konto löschen',
    eraseText: 'Nach einer Wartezeit (meist 14 Tage) werden deine laufenden Partien aufgegeben und dein Konto, deine Nachrichten '
      + 'und Freundschaften gelöscht. Deine Partien bleiben unter einem anderen Namen. Bis dahin kannst du es abbrechen.',
    confirm: 'Gib zur Bestätigung deinen Benutzernamen ein', erase: 'Konto löschen', busy: 'Wird gesendet …',
    asked: (date) => `Löschung beantragt: Dein Konto wird am ${date} gelöscht.`, due: (date) => `Dein Konto wird am ${date} gelöscht.`,
    keep: 'Löschung abbrechen', kept: 'Dein Konto wird nicht gelöscht.',
  },

  ratings: {
    of: (pool) => `Wertung: ${pool}`,
    point: (date, rating, deviation, isProvisional) => (
      `${date}: ${rating} ± ${deviation}${isProvisional ? ', vorläufig' : ''}`),
    table: 'Als Tabelle', day: 'Tag', rating: 'Wertung', deviation: 'Abweichung',
  },
  versus: {
    title: 'Du gegen diesen Spieler',
  },
  figures: {
    title: 'Statistik',
    names: {
      games: 'Partien', won: 'Gewonnen (zu zweit)', lost: 'Verloren (zu zweit)', shared: 'Unentschieden (zu zweit)',
      three: 'Nach Plätzen (zu dritt)', four: 'Nach Plätzen (zu viert)', finished: 'Zu Ende gespielt',
      counted: 'Gezählte Partien', perTurn: 'Punkte pro Zug', perGame: 'Punkte pro Partie',
      high: 'Höchstes Ergebnis', low: 'Niedrigstes Ergebnis', highestPlay: 'Bester Zug', bingos: 'Bingos pro Partie',
      phonies: 'Ungültige Wörter gelegt', caught: 'Ungültige Wörter entdeckt', challengesWon: 'Anzweiflungen gewonnen',
      challengesLost: 'Anzweiflungen verloren', exchanges: 'Getauscht', first: 'Angefangen', turnTime: 'Mittlere Zeit pro Zug',
    },
  },

  codes: {
    unreachable: 'Der Server ist nicht erreichbar. Bitte versuch es noch einmal.',
    handle_too_short: 'Ein Benutzername hat mindestens 3 Zeichen.',
    handle_too_long: 'Ein Benutzername hat höchstens 20 Zeichen.',
    handle_character: HANDLE_FORM_DE, handle_no_letter: 'Ein Benutzername braucht mindestens einen Buchstaben.',
    handle_mixed_scripts: 'Die Buchstaben gehören zu einer Schrift: lateinisch, griechisch, kyrillisch …',
    handle_reserved: 'Dieser Benutzername ist reserviert. Bitte wähl einen anderen.',
    handle_taken: 'Dieser Benutzername oder einer, der so aussieht, ist schon vergeben.',
    handle_changed_recently: ({ until }) => (
      until === undefined ? 'Du hast deinen Benutzernamen in den letzten 30 Tagen geändert.'
        : `Du kannst deinen Benutzernamen ab dem ${dateDe(until)} wieder ändern.`),
    password_too_short: 'Ein Passwort hat mindestens 10 Zeichen.',
    password_too_long: 'Ein Passwort hat höchstens 128 Zeichen.',
    password_too_weak: 'Dieses Passwort ist leicht zu erraten. Nimm mehrere ungewöhnliche Wörter ohne deinen '
      + 'Benutzernamen, oder lass deinen Browser eines erzeugen.',
    bad_credentials: 'Benutzername oder Passwort ist falsch.',
    wrong_proof: 'Das ist nicht dein bisheriges Passwort.', too_many_tries: 'Zu viele falsche Versuche.',
    session_ended: 'Deine Sitzung ist beendet. Bitte melde dich wieder an.',
    no_such_session: 'Diese Sitzung ist schon beendet.',
    already_registered: 'Du bist schon registriert.', no_change: 'So heißt du schon.',
    push_off: 'Dieser Server verschickt keine Benachrichtigungen.',
    unknown_device: 'In diesem Browser sind Benachrichtigungen schon aus.',
    bad_endpoint: 'Der Push-Dienst dieses Browsers kann nicht verwendet werden.',
    bad_push_keys: 'Dieser Browser hat keine brauchbaren Schlüssel.',
    push_key_changed: 'Der Schlüssel des Servers hat sich geändert. Bitte versuche es noch einmal.',
    too_many_devices: 'In zu vielen Browsern sind Benachrichtigungen an. Entferne zuerst einen.',
    mail_off: 'Dieser Server verschickt keine E-Mails.', mail_taken: 'Ein anderes Konto hat diese E-Mail-Adresse.',
    mail_code_wrong: 'Das ist nicht der Code aus der E-Mail.',
    mail_code_invalid: 'Dieser Code gilt nicht mehr. Fordere einen neuen an.',
    bad_address: 'Das ist keine E-Mail-Adresse.', no_credential: 'Ein Konto ohne Passwort braucht seine E-Mail-Adresse.',
    not_registered: 'Das können nur registrierte Spieler.', site_account: SITE_DE,
    suspended: ({ until, reason = '' }) => (until === undefined ? `Dein Konto ist gesperrt: ${reason}`
      : `Dein Konto ist bis zum ${dateDe(until)} gesperrt: ${reason}`),
    bad_words: 'Höchstens 500 Zeichen.', bad_reason: 'Nenne einen Grund mit 1 bis 500 Zeichen.',
    bad_until: 'Das Ende muss in der Zukunft liegen, und nur eine Sperre hat eines.',
    bad_lines: 'Wähle 1 bis 50 Nachrichten eines Raums.',
    unknown_line: 'Diese Nachricht gibt es nicht.', unknown_report: 'Diese Meldung gibt es nicht.',
    unknown_act: 'Diese Maßnahme gibt es nicht.', cannot_undo: 'Das lässt sich nicht aufheben.',
    no_effect: 'Ohne Wirkung: Das ist vorbei oder wurde ersetzt.',
    too_many_reports: 'Du hast in den letzten 24 Stunden 10 Meldungen geschickt.',
    forbidden: 'Das darfst du nicht.', origin: 'Der Server erlaubt das Seiten dieser Adresse nicht.',
    yourself: 'Das bist du.', blocked_by_you: 'Du hast diesen Spieler blockiert. Hebe das zuerst auf.',
    too_many_followed: 'Du folgst schon 500 Spielern.', too_many_blocked: 'Du hast schon 1.000 Spieler blockiert.',
    unknown_player: 'Spieler nicht gefunden.',
    bad_days: 'Gib eine Zahl von 1 bis 30 ein.', too_few_days: 'So viele Tage hast du nicht mehr.',
    not_on_vacation: 'Du bist nicht im Urlaub.',
    not_confirmed: 'Das ist nicht dein Benutzername.', no_erasure: 'Es gibt keine Löschung abzubrechen.',
    already_invited: 'Du hast diesen Spieler schon zu so einer Partie eingeladen.',
    too_many_invitations: 'Du hast zu viele offene Einladungen. Nimm zuerst eine zurück.',
    unknown_invitation: 'Diese Einladung ist nicht mehr offen.', not_found: NOT_YET_DE,
    method_not_allowed: NOT_YET_DE,
  },
};
