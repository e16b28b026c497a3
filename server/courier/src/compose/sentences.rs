//! The subject and the first paragraphs of each kind of letter.

use tilewire_people::accounts::Notice;
use tilewire_people::codes::MailPurpose;
use tilewire_people::letters::Language;
use tilewire_rules::event::EndReason;
use tilewire_rules::time::Timestamp;

use super::sheet::one_line;
use super::words::About;
use tilewire_base::clock::time_text;
use tilewire_store::AwaitedAction;

/// Characters of a time in RFC 3339 up to its minutes.
const MINUTES: usize = 16;

/// A subject and paragraphs.
pub(super) type Sentences = (String, Vec<String>);

pub(super) fn turn(
    asked: AwaitedAction,
    deadline: Option<Timestamp>,
    is_reminder: bool,
    opponents: &str,
    language: Language,
) -> Sentences {
    let subject = match (is_reminder, asked) {
        (false, AwaitedAction::Turn(_)) => said!(
            language,
            format!("Your turn against {opponents}"),
            format!("Du bist am Zug gegen {opponents}")
        ),
        (false, AwaitedAction::Consent(_)) => said!(
            language,
            format!("{opponents} challenges your play"),
            format!("{opponents} zweifelt deinen Zug an")
        ),
        (false, AwaitedAction::Final(_)) => said!(
            language,
            format!("The last play of {opponents}"),
            format!("Der letzte Zug von {opponents}")
        ),
        (true, _) => said!(
            language,
            format!("Your time against {opponents} runs out"),
            format!("Deine Zeit gegen {opponents} läuft ab")
        ),
    };
    let mut lead = vec![match asked {
        AwaitedAction::Turn(_) => said!(
            language,
            format!("It is your turn in the game with {opponents}."),
            format!("In der Partie mit {opponents} bist du am Zug.")
        ),
        AwaitedAction::Consent(_) => said!(
            language,
            "Your last play was challenged. You can take it back, or let it stand; then the lexicon decides.",
            "Dein letzter Zug wurde angezweifelt. Du kannst ihn zurücknehmen oder stehen lassen; dann entscheidet das Wörterbuch."
        ),
        AwaitedAction::Final(_) => said!(
            language,
            format!("{opponents} has played all tiles. You can challenge the play, or accept it."),
            format!(
                "{opponents} hat alle Steine gelegt. Du kannst den Zug anzweifeln oder annehmen."
            )
        ),
    }];
    if let Some(deadline) = deadline {
        let until = moment(deadline);
        lead.push(match asked {
            AwaitedAction::Turn(_) => said!(
                language,
                format!("Play until {until}. After that you lose the game on time."),
                format!(
                    "Ziehe bis {until}. Danach verlierst du die Partie durch Zeitüberschreitung."
                )
            ),
            AwaitedAction::Consent(_) | AwaitedAction::Final(_) => said!(
                language,
                format!("Answer until {until}."),
                format!("Antworte bis {until}.")
            ),
        });
    }
    (subject, lead)
}

pub(super) fn update(opponents: &str, language: Language) -> Sentences {
    (
        said!(
            language,
            format!("A turn in your game with {opponents}"),
            format!("Ein Zug in deiner Partie mit {opponents}")
        ),
        vec![said!(
            language,
            format!("There is a new turn in your game with {opponents}."),
            format!("In deiner Partie mit {opponents} wurde gezogen.")
        )],
    )
}

pub(super) fn result(
    (reason, has_won, is_shared): (EndReason, bool, bool),
    opponents: &str,
    language: Language,
) -> Sentences {
    let subject = match (reason.has_result(), has_won, is_shared) {
        (false, ..) => said!(
            language,
            format!("Your game with {opponents} has ended without a result"),
            format!("Deine Partie mit {opponents} ist ohne Ergebnis zu Ende")
        ),
        (true, true, false) => said!(
            language,
            format!("You have won against {opponents}"),
            format!("Du hast gegen {opponents} gewonnen")
        ),
        (true, true, true) => said!(
            language,
            format!("You share the win with {opponents}"),
            format!("Du teilst den Sieg mit {opponents}")
        ),
        (true, false, _) => said!(
            language,
            format!("You have lost against {opponents}"),
            format!("Du hast gegen {opponents} verloren")
        ),
    };
    let told = format!("{subject}.");
    (subject, vec![told, why_ended(reason, language)])
}

fn why_ended(reason: EndReason, language: Language) -> String {
    match reason {
        EndReason::OutPlay => said!(
            language,
            "A player has played all tiles.",
            "Ein Spieler hat alle Steine gelegt."
        ),
        EndReason::ScorelessTurns | EndReason::TurnCap => said!(
            language,
            "Too many turns in a row had no points.",
            "Zu viele Züge nacheinander brachten keine Punkte."
        ),
        EndReason::Passes => said!(
            language,
            "All players have passed too often in a row.",
            "Alle haben zu oft nacheinander gepasst."
        ),
        EndReason::Target => said!(
            language,
            "A player has reached the target score.",
            "Ein Spieler hat die Zielpunktzahl erreicht."
        ),
        EndReason::AllPlayed => said!(
            language,
            "No player could play any more.",
            "Niemand konnte noch legen."
        ),
        EndReason::Uncatchable => said!(
            language,
            "The lead could not be caught up any more.",
            "Der Vorsprung war nicht mehr einzuholen."
        ),
        EndReason::Resignation => said!(
            language,
            "A player has resigned.",
            "Ein Spieler hat aufgegeben."
        ),
        EndReason::Time => said!(
            language,
            "The time of a player was over.",
            "Die Zeit eines Spielers war abgelaufen."
        ),
        EndReason::Abandonment => {
            said!(language, "A player stayed away.", "Ein Spieler blieb weg.")
        }
        EndReason::TripleChallenge => said!(
            language,
            "A challenge has decided the game.",
            "Eine Anzweiflung hat die Partie entschieden."
        ),
        EndReason::Aborted | EndReason::Cancelled => said!(
            language,
            "The game was called off.",
            "Die Partie wurde abgebrochen."
        ),
        EndReason::Adjudicated => said!(
            language,
            "The operator has decided the game.",
            "Der Betreiber hat die Partie entschieden."
        ),
    }
}

pub(super) fn invitation(about: &About, language: Language) -> Sentences {
    let About::Invitation {
        from,
        rule_set,
        lexicon,
        limit_ms,
        until,
    } = about
    else {
        return Sentences::default();
    };
    let (from, until) = (one_line(from), moment(*until));
    let hours = limit_ms.map(|limit| limit / 3_600_000);
    let mut lead = vec![said!(
        language,
        format!("{from} invites you to a game: {rule_set}, lexicon {lexicon}."),
        format!("{from} lädt dich zu einer Partie ein: {rule_set}, Wörterbuch {lexicon}.")
    )];
    if let Some(hours) = hours {
        lead.push(said!(
            language,
            format!("Each player has {hours} hours for a turn."),
            format!("Jeder hat {hours} Stunden für einen Zug.")
        ));
    }
    lead.push(said!(
        language,
        format!("The invitation is open until {until}. Joining means agreeing to the lexicon."),
        format!("Die Einladung gilt bis {until}. Wer annimmt, stimmt dem Wörterbuch zu.")
    ));
    let subject = said!(
        language,
        format!("{from} invites you"),
        format!("{from} lädt dich ein")
    );
    (subject, lead)
}

pub(super) fn digest(lines: &[String], language: Language) -> Sentences {
    let mut lead = vec![said!(
        language,
        "You had so many letters that the rest of them come in this one.",
        "Du hattest so viele E-Mails, dass die übrigen in dieser einen kommen."
    )];
    lead.extend(lines.iter().map(|line| format!("- {line}")));
    let subject = said!(language, "Your games today", "Deine Partien heute");
    (subject, lead)
}

pub(super) fn security(notice: &Notice, handle: &str, language: Language) -> Sentences {
    let what = match notice {
        Notice::PasswordChanged => said!(
            language,
            "The password was changed. All other sessions have ended.",
            "Das Passwort wurde geändert. Alle anderen Sitzungen sind beendet."
        ),
        Notice::Recovered { codes_left } => said!(
            language,
            format!(
                "The account was recovered: it has a new password, and all other sessions have ended. Recovery codes left: {codes_left}."
            ),
            format!(
                "Das Konto wurde wiederhergestellt: Es hat ein neues Passwort, und alle anderen Sitzungen sind beendet. Wiederherstellungscodes übrig: {codes_left}."
            )
        ),
        Notice::RecoveryCodesReplaced => said!(
            language,
            "The recovery codes were replaced.",
            "Die Wiederherstellungscodes wurden ersetzt."
        ),
        Notice::MailChanged { new: Some(_), .. } => said!(
            language,
            "The mail address was changed.",
            "Die E-Mail-Adresse wurde geändert."
        ),
        Notice::MailChanged { new: None, .. } => said!(
            language,
            "The mail address was removed.",
            "Die E-Mail-Adresse wurde entfernt."
        ),
        Notice::RolesChanged => said!(
            language,
            "The roles were changed.",
            "Die Rollen wurden geändert."
        ),
        Notice::Suspended { until, reason } => {
            let until = until.map_or_else(String::new, |until| format!(" ({})", moment(until)));
            let reason = one_line(reason);
            said!(
                language,
                format!("The account was suspended{until}: {reason}"),
                format!("Das Konto wurde gesperrt{until}: {reason}")
            )
        }
        Notice::Restored => said!(
            language,
            "The suspension was ended.",
            "Die Sperre wurde aufgehoben."
        ),
    };
    let subject = said!(
        language,
        format!("Your account {handle} was changed"),
        format!("Dein Konto {handle} wurde geändert")
    );
    (subject, vec![what])
}

pub(super) fn code(purpose: MailPurpose, language: Language) -> Sentences {
    let (subject, what) = match purpose {
        MailPurpose::Register => (
            said!(
                language,
                "Your code for this address",
                "Dein Code für diese Adresse"
            ),
            said!(
                language,
                "Enter this code to confirm the address:",
                "Gib diesen Code ein, um die Adresse zu bestätigen:"
            ),
        ),
        MailPurpose::LogIn => (
            said!(language, "Your code to log in", "Dein Code zum Anmelden"),
            said!(
                language,
                "Enter this code to log in or to confirm a change:",
                "Gib diesen Code ein, um dich anzumelden oder eine Änderung zu bestätigen:"
            ),
        ),
        MailPurpose::Recover => (
            said!(
                language,
                "Your code for a new password",
                "Dein Code für ein neues Passwort"
            ),
            said!(
                language,
                "Enter this code to choose a new password:",
                "Gib diesen Code ein, um ein neues Passwort zu wählen:"
            ),
        ),
    };
    (subject, vec![what])
}

pub(super) fn test(language: Language) -> Sentences {
    let subject = said!(language, "A test letter", "Eine Test-E-Mail");
    let lead = said!(
        language,
        "The mail settings of the server work.",
        "Die Mail-Einstellungen des Servers funktionieren."
    );
    (subject, vec![lead])
}

/// Returns a time in words, to the minute.
fn moment(at: Timestamp) -> String {
    let text = time_text(at);
    match text.get(..MINUTES) {
        Some(start) if text.ends_with('Z') => format!("{} UTC", start.replace('T', " ")),
        _ => text,
    }
}
