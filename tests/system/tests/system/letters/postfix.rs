//! A game by correspondence with Debian's postfix, over STARTTLS, into mailboxes (Maildir). It needs root and postfix, so the
//! test is ignored by default; `tests/run --full` reports whether it ran.

use serde_json::{Value, json};
use tilewire_harness::mail::MailServer;

use super::faults::{certificate, failures};
use super::games::Correspondence;

/// Checks what a mail program makes of a letter about a turn: both texts, the picture within them, and a button that ends such
/// letters.
#[track_caller]
fn check_whole(letter: &Value) {
    let said = |name: &str| letter[name].as_str().expect("a text");
    assert!(said("html").contains("https://play.example/games/"));
    assert_eq!(letter["inline"], true, "{letter}");
    let link = said("unsubscribe");
    assert!(
        link.starts_with("https://play.example/unsubscribe/turn/"),
        "{link}"
    );
    assert_eq!(said("one_click"), "List-Unsubscribe=One-Click");
    let id = said("id");
    assert!(id.starts_with('<') && id.ends_with("@example.org>"), "{id}");
}

#[test]
#[ignore = "needs root and postfix"]
fn postfix_delivers_each_turn_once() {
    let postfix = MailServer::postfix(&certificate("localhost"));
    let mut all = Correspondence::begin_with("email-validated", postfix);
    all.act(0, "pass", json!({ "turn_no": 1 }));
    let letters = all.letters(1);
    all.check_turn(&letters, 1);
    check_whole(&letters[0]);

    // The turn happens while postfix is stopped.
    all.mail.stop();
    let before = all.mail.count();
    all.act(1, "pass", json!({ "turn_no": 2 }));
    all.server
        .until_figure(&failures("connect"), |value| value >= 1.0);
    assert_eq!(all.mail.count(), before);
    all.mail.start_again();
    let letters = all.letters(1);
    all.check_turn(&letters, 0);
    check_whole(&letters[0]);
    let sent = "tilewire_letters_sent_total{kind=\"turn\"}";
    all.server.until_figure(sent, |value| value >= 1.0);

    // The next letter comes, and no letter came twice.
    all.act(0, "pass", json!({ "turn_no": 3 }));
    let letters = all.letters(1);
    all.check_turn(&letters, 1);
    all.finish();
}
