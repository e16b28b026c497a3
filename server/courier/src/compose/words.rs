//! The words of letters, in each language.

use tilewire_people::accounts::Notice;
use tilewire_people::codes::{MAIL_CODE_MS, MailPurpose};
use tilewire_people::letters::Language;
use tilewire_rules::event::EndReason;
use tilewire_rules::time::Timestamp;

use super::sentences::{code, digest, invitation, result, security, test, turn, update};
use super::sheet::{Done, Sheet, TurnLine};
use tilewire_store::AwaitedAction;

/// The subject of a letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum About {
    /// A game waits for the reader.
    Turn {
        /// The action that the game waits for.
        asked: AwaitedAction,
        /// Until when.
        deadline: Option<Timestamp>,
        /// Whether the reader was asked before.
        is_reminder: bool,
    },
    /// A turn was completed.
    Update,
    /// A game has ended.
    Result {
        /// Why.
        reason: EndReason,
        /// Whether the reader has won, alone or with others.
        has_won: bool,
        /// Whether several players share the win.
        is_shared: bool,
    },
    /// An invitation.
    Invitation {
        /// The sender.
        from: String,
        /// The name of the rule set.
        rule_set: String,
        /// The lexicon.
        lexicon: String,
        /// The time for a turn, ms.
        limit_ms: Option<i64>,
        /// When the invitation expires.
        until: Timestamp,
    },
    /// The letters beyond the bound of a day, one line each.
    Digest(Vec<String>),
    /// A change of the account.
    Security {
        /// The change.
        notice: Notice,
        /// The handle.
        handle: String,
    },
    /// A code.
    Code {
        /// The digits.
        digits: String,
        /// The purpose of the code.
        purpose: MailPurpose,
    },
    /// The test of the operator.
    Test,
}

/// The words of a letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Body {
    /// The subject.
    pub(crate) subject: String,
    /// The paragraphs before the game.
    pub(crate) lead: Vec<String>,
    /// The digits of a code, which are shown large.
    pub(crate) digits: Option<String>,
    /// The turns, one line each.
    pub(crate) turns: Vec<String>,
    /// The labels around the game.
    pub(crate) labels: Labels,
    /// The paragraphs after the game.
    pub(crate) tail: Vec<String>,
}

/// The labels of a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Labels {
    pub(crate) language: &'static str,
    pub(crate) turns: &'static str,
    pub(crate) scores: &'static str,
    pub(crate) you: &'static str,
    pub(crate) bag: &'static str,
    pub(crate) open_game: &'static str,
    pub(crate) open_page: &'static str,
    pub(crate) terminal: &'static str,
    pub(crate) board: &'static str,
    pub(crate) settings: &'static str,
    pub(crate) unsubscribe: &'static str,
}

const EN: Labels = Labels {
    language: "en",
    turns: "Last turns",
    scores: "Scores",
    you: "you",
    bag: "Tiles in the bag",
    open_game: "Open the game",
    open_page: "Open the page",
    terminal: "In a terminal",
    board: "The board",
    settings: "Choose your letters",
    unsubscribe: "No more letters like this one",
};

const DE: Labels = Labels {
    language: "de",
    turns: "Letzte Züge",
    scores: "Punkte",
    you: "du",
    bag: "Steine im Beutel",
    open_game: "Partie öffnen",
    open_page: "Seite öffnen",
    terminal: "Im Terminal",
    board: "Das Brett",
    settings: "E-Mails auswählen",
    unsubscribe: "Keine E-Mails dieser Art mehr",
};

/// Returns the words of a letter. `sheet` is the game, if it is about one.
pub(crate) fn words(about: &About, sheet: Option<&Sheet>, language: Language) -> Body {
    let opponents = sheet.map_or_else(String::new, Sheet::opponents);
    let (subject, lead) = match about {
        About::Turn {
            asked,
            deadline,
            is_reminder,
        } => turn(*asked, *deadline, *is_reminder, &opponents, language),
        About::Update => update(&opponents, language),
        About::Result {
            reason,
            has_won,
            is_shared,
        } => result((*reason, *has_won, *is_shared), &opponents, language),
        About::Invitation { .. } => invitation(about, language),
        About::Digest(lines) => digest(lines, language),
        About::Security { notice, handle } => security(notice, handle, language),
        About::Code { purpose, .. } => code(*purpose, language),
        About::Test => test(language),
    };
    let turns = sheet.map(|sheet| sheet.turns.iter().map(|line| turn_line(line, language)));
    Body {
        subject,
        lead,
        digits: match about {
            About::Code { digits, .. } => Some(digits.clone()),
            _ => None,
        },
        turns: turns.into_iter().flatten().collect(),
        labels: match language {
            Language::En => EN,
            Language::De => DE,
        },
        tail: tail(about, language),
    }
}

fn tail(about: &About, language: Language) -> Vec<String> {
    match about {
        About::Code { .. } => {
            let minutes = MAIL_CODE_MS.0 / 60_000;
            vec![said!(
                language,
                format!(
                    "The code is valid for {minutes} minutes. If you did not ask for it, do nothing, and give it to nobody."
                ),
                format!(
                    "Der Code gilt {minutes} Minuten. Wenn du ihn nicht angefordert hast, tu nichts und gib ihn niemandem."
                )
            )]
        }
        About::Security { .. } => vec![said!(
            language,
            "If that was not you, recover the account and end all sessions.",
            "Wenn du das nicht warst, stelle das Konto wieder her und beende alle Sitzungen."
        )],
        About::Turn { .. }
        | About::Update
        | About::Result { .. }
        | About::Invitation { .. }
        | About::Digest(_)
        | About::Test => Vec::new(),
    }
}

fn turn_line(line: &TurnLine, language: Language) -> String {
    let TurnLine { name, what, total } = line;
    let what = match what {
        Done::Play {
            place,
            word,
            score,
            is_off,
        } => {
            let off = match is_off {
                true => said!(language, ", taken off", ", zurückgenommen"),
                false => String::new(),
            };
            said!(
                language,
                format!("{place} {word}, {score} points{off}"),
                format!("{place} {word}, {score} Punkte{off}")
            )
        }
        Done::Exchange(tiles) => said!(
            language,
            format!("exchange of {tiles}"),
            format!("{tiles} getauscht")
        ),
        Done::Pass => said!(language, "pass", "gepasst"),
        Done::Lost => said!(language, "turn lost", "Zug verloren"),
    };
    let sum = said!(language, "total", "gesamt");
    format!("{name}: {what}; {sum} {total}")
}
