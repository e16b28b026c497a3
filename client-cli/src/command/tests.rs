//! Tables of input lines and their commands.

use super::*;
use tilewire_client::GameView;
use tilewire_client::fixtures::{Story, faces};

fn wire(line: &str, view: &GameView) -> (String, String) {
    match Command::parse(line) {
        Ok(Command::Play(play)) => {
            let play = play.resolve(view);
            (play.start, play.tiles.concat())
        }
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn plays() {
    let mut story = Story::started(&["Anna", "Ben"], Some(1), "FARMOS?");
    story.play(0, "8F", "HORn", &[("HORn", 12)], 4, None);
    let view = story.view();
    for (line, start, tiles) in [
        ("9C FARM", "9C", "FARM"),
        ("play 9C FARM", "9C", "FARM"),
        ("  PLAY 9c FArM ", "9C", "FArM"),
        ("h6 FA.M", "H6", "FA.M"),
        // Typed letters that lie there already.
        ("h6 FARM", "H6", "FA.M"),
        ("8F HORNS", "8F", "....S"),
        ("8F hornS", "8F", "....S"),
        // A single lower-case letter is the blank, the S notwithstanding.
        ("8F ....s", "8F", "....s"),
        // All in lower case, more than there are blanks: as they lie on the rack.
        ("h6 fa.m", "H6", "FA.M"),
        ("9c farmz", "9C", "FARMz"),
        ("9c zzz", "9C", "zZZ"),
        ("9C [CH]A", "9C", "CHA"),
        ("O15 A", "O15", "A"),
    ] {
        assert_eq!(
            wire(line, view),
            (start.to_owned(), tiles.to_owned()),
            "{line}"
        );
    }
}

#[test]
fn everything_else() {
    for (line, command) in [
        ("pass", Command::Pass),
        ("PASS ", Command::Pass),
        ("exchange AEI", Command::Exchange(faces("AEI"))),
        ("exchange a e ?", Command::Exchange(faces("AE?"))),
        ("challenge", Command::Answer(Answer::Challenge)),
        ("hold", Command::Answer(Answer::Hold)),
        ("release", Command::Answer(Answer::Release)),
        ("accept", Command::Answer(Answer::Accept)),
        ("withdraw", Command::Answer(Answer::Withdraw)),
        ("stand", Command::Answer(Answer::Stand)),
        ("resign", Command::Resign),
        ("abort", Command::Abort),
        ("abort yes", Command::AnswerAbort(true)),
        ("abort no", Command::AnswerAbort(false)),
        ("nudge", Command::Nudge),
        ("adjourn", Command::Adjourn),
        ("adjourn no", Command::AnswerAdjourn(false)),
        ("Here", Command::Here),
        ("give", Command::Give(None)),
        ("give 15", Command::Give(Some(15))),
        ("hint", Command::Hint(3)),
        ("hint 1", Command::Hint(1)),
        ("refuse", Command::Refuse),
        ("claim", Command::Claim(None)),
        ("claim 2", Command::Claim(Some(2))),
        ("start", Command::Start),
        ("new", Command::New(Visibility::Public, vec![])),
        ("new private", Command::New(Visibility::Private, vec![])),
        (
            "new private --ties stand",
            Command::New(
                Visibility::Private,
                vec!["--ties".to_owned(), "stand".to_owned()],
            ),
        ),
        ("quick", Command::Quick(vec![])),
        ("join", Command::Join("1".to_owned())),
        ("join K7QM", Command::Join("K7QM".to_owned())),
        ("watch 2", Command::Watch("2".to_owned())),
        ("resume", Command::Resume("1".to_owned())),
        ("shuffle", Command::Shuffle),
        (
            "invite anna --rated",
            Command::Invite("anna".to_owned(), vec!["--rated".to_owned()]),
        ),
        ("accept 2", Command::AcceptInvitation("2".to_owned())),
        ("decline", Command::DeclineInvitation("1".to_owned(), None)),
        (
            "decline busy",
            Command::DeclineInvitation("1".to_owned(), Some(DeclineReason::Busy)),
        ),
        (
            "decline 2 other",
            Command::DeclineInvitation("2".to_owned(), Some(DeclineReason::OtherOptions)),
        ),
        ("report eve abuse", reported("eve", ReportReason::Abuse, "")),
        (
            "report Anna B  Other  let it  run",
            reported("Anna B", ReportReason::Other, "let it run"),
        ),
        (
            "report name name other words",
            reported("name", ReportReason::Name, "other words"),
        ),
        ("help", Command::Help),
        ("quit", Command::Quit),
    ] {
        assert_eq!(Command::parse(line), Ok(command), "{line}");
    }
}

fn reported(name: &str, reason: ReportReason, words: &str) -> Command {
    Command::Report(TypedReport {
        name: name.to_owned(),
        reason,
        words: words.to_owned(),
    })
}

#[test]
fn a_line_that_is_not_a_command_gets_a_reason() {
    for (line, why) in [
        ("fnord", "not a command"),
        ("give 4", "give 5 to 60 seconds"),
        ("give 61", "give 5 to 60 seconds"),
        ("hint 4", "`4` is not a hint"),
        (
            "chalenge",
            "`chalenge` is not a command; did you mean challenge?",
        ),
        ("apss", "did you mean pass?"),
        ("Exhcange AEI", "did you mean exchange?"),
        ("qit", "did you mean quit?"),
        ("xyz", "type a play such as 8F HORN"),
        ("pass please", "takes no argument"),
        ("play", "add a play"),
        ("play HORN", "not the start of a play"),
        ("8F", "one word"),
        ("8F HO RN", "one word"),
        ("8F H0RN", "`0` is not a tile"),
        ("8F [CH", "matching ]"),
        ("8F []", "is not a tile"),
        ("exchange", "add the tiles"),
        ("exchange A.", "of your rack"),
        ("claim Ben", "not a seat"),
        ("invite", "add the name of a player"),
        ("invite --rated", "add the name of a player"),
        ("report", "add a player and a reason"),
        ("report abuse", "add a player and a reason"),
        (
            "report eve rude",
            "abuse, cheating, stalling, name or other",
        ),
        ("decline 1 tired", "the reasons are busy, other and no"),
        ("\u{1b}[2J", "not a command"),
    ] {
        let error = Command::parse(line).unwrap_err().to_string();
        assert!(error.contains(why), "{line}: {error}");
    }
    assert!(Command::parse(&"8".repeat(LINE_MAX_BYTES + 1)).is_err());
}

#[test]
fn every_suggested_command_exists() {
    for verb in VERBS {
        if let Err(error) = Command::parse(verb) {
            assert!(!error.0.contains("is not a command"), "{verb}: {error}");
        }
    }
}
