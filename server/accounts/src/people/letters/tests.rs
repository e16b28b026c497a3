//! Codes by mail prove an address, log in and recover, and show nobody whether an account exists.

use tilewire_people::accounts::Refusal;
use tilewire_people::codes::MAIL_CODE_TRIES;
use tilewire_people::letters::{LetterChoices, LetterKind};

use super::*;
use crate::people::Registration;
use crate::people::tests::{Fixture, at, home};
use tilewire_config::Config;
use tilewire_store::StoredLetter;

const ANNA: &str = "Anna@Example.org";
const PASSWORD: &str = "seven crooked lanterns";
const OTHER: &str = "a blue window on tuesday";
const FAR: Timestamp = Timestamp(i64::MAX / 2);

/// The period in which codes are counted.
fn config_codes_ms() -> Millis {
    Config::default().mail.codes_ms
}

async fn fixture() -> Fixture {
    Fixture::new(|_| {}).await
}

/// Asks for a code. Returns the ticket.
async fn ask(all: &Fixture, address: &str, purpose: MailPurpose) -> Result<String, Failure> {
    ask_from(all, home(), address, purpose).await
}

async fn ask_from(
    all: &Fixture,
    from: ClientAddress,
    address: &str,
    purpose: MailPurpose,
) -> Result<String, Failure> {
    let asked = CodeAsked {
        address: address.to_owned(),
        purpose,
        language: Language::De,
    };
    Ok(all.people.mail_code(from, asked).await?.ticket)
}

/// Returns the letters of the outbox, the oldest first.
async fn outbox(all: &Fixture) -> Vec<StoredLetter> {
    all.storage.letters_due(FAR, 1_000).await.unwrap()
}

/// Asks for a code, reads the newest letter with one, and returns ticket and code.
async fn proof(all: &Fixture, address: &str, purpose: MailPurpose) -> MailProof {
    let before: Vec<String> = keys(all).await;
    let ticket = ask(all, address, purpose).await.unwrap();
    let letters = outbox(all).await;
    let mut new = letters
        .iter()
        .filter(|one| !before.contains(&one.letter.key));
    let letter = &new.next().expect("a letter").letter;
    assert_eq!(letter.address, Some(Hidden(address.to_owned())));
    let Letter::Code { digits, .. } = &letter.content else {
        panic!("{letter:?}");
    };
    MailProof {
        ticket: Hidden(ticket),
        code: digits.clone(),
    }
}

async fn keys(all: &Fixture) -> Vec<String> {
    let letters = outbox(all).await;
    letters.into_iter().map(|one| one.letter.key).collect()
}

/// Registers a player with this address, and without a password.
async fn registered(all: &Fixture, handle: &str, address: &str) -> Result<SignedIn, Failure> {
    let mail = proof(all, address, MailPurpose::Register).await;
    let bearer = all.bearer(&all.guest().await).await;
    let asked = Registration {
        handle: handle.to_owned(),
        password: None,
        mail: Some(mail),
        is_bot: false,
        label: String::new(),
    };
    all.people.register(&bearer, home(), asked).await
}

#[tokio::test]
async fn a_player_registers_and_logs_in_by_mail_alone() {
    let all = fixture().await;
    let anna = registered(&all, "anna", ANNA).await.unwrap().account;
    let registration = anna.registration.unwrap();
    assert_eq!(registration.mail.as_deref(), Some(ANNA));
    assert_eq!(registration.password, None);
    // The case of an address does not count.
    let proof = proof(&all, "anna@example.org", MailPurpose::LogIn).await;
    let signed_in = all
        .people
        .log_in_by_mail(home(), proof, "a phone")
        .await
        .unwrap();
    assert_eq!(signed_in.account.identity, anna.identity);
    let mailbox = all.people.mailbox(&anna.identity).await.unwrap().unwrap();
    assert_eq!((mailbox.sent, mailbox.disabled_at), (0, None));
}

#[tokio::test]
async fn a_code_counts_once_with_its_ticket_and_for_its_purpose() {
    let all = fixture().await;
    registered(&all, "anna", ANNA).await.unwrap();
    let invalid = Some(Failure::Code(MailCodeError::Invalid));
    let log_in = async |proof| all.people.log_in_by_mail(home(), proof, "").await.err();

    let right = proof(&all, ANNA, MailPurpose::LogIn).await;
    let foreign = MailProof {
        ticket: Hidden(ask(&all, ANNA, MailPurpose::LogIn).await.unwrap()),
        code: right.code.clone(),
    };
    let used = MailProof {
        ticket: right.ticket.clone(),
        code: right.code.clone(),
    };
    assert!(matches!(log_in(foreign).await, Some(Failure::Code(_))));
    assert_eq!(log_in(right).await, None);
    assert_eq!(log_in(used).await, invalid);
    let unknown = MailProof {
        ticket: Hidden("x".repeat(TICKET_MAX_BYTES + 1)),
        code: Hidden("12345678".to_owned()),
    };
    assert_eq!(log_in(unknown).await, invalid);

    let recover = proof(&all, ANNA, MailPurpose::Recover).await;
    assert_eq!(log_in(recover).await, invalid);
}

#[tokio::test]
async fn a_code_has_a_time_and_a_number_of_tries() {
    let all = fixture().await;
    registered(&all, "anna", ANNA).await.unwrap();
    let late = proof(&all, ANNA, MailPurpose::LogIn).await;
    all.advance(MAIL_CODE_MS);
    let invalid = Some(Failure::Code(MailCodeError::Invalid));
    assert_eq!(
        all.people.log_in_by_mail(home(), late, "").await.err(),
        invalid
    );

    let right = proof(&all, ANNA, MailPurpose::LogIn).await;
    for tries_left in (0..MAIL_CODE_TRIES).rev() {
        let wrong = MailProof {
            ticket: right.ticket.clone(),
            code: Hidden("no".to_owned()),
        };
        let expected = match tries_left {
            0 => MailCodeError::Invalid,
            tries_left => MailCodeError::Wrong { tries_left },
        };
        let tried = all.people.log_in_by_mail(home(), wrong, "").await;
        assert_eq!(tried.err(), Some(Failure::Code(expected)));
    }
    assert_eq!(
        all.people.log_in_by_mail(home(), right, "").await.err(),
        invalid
    );
}

/// Without an account, the ticket and the answers to guesses are the same, and no letter goes out.
#[tokio::test]
async fn an_unknown_address_gets_a_ticket_and_no_letter() {
    let all = fixture().await;
    for purpose in [MailPurpose::LogIn, MailPurpose::Recover] {
        let ticket = ask(&all, "nobody@example.org", purpose).await.unwrap();
        assert_eq!(keys(&all).await, [""; 0]);
        let guess = MailProof {
            ticket: Hidden(ticket),
            code: Hidden("no".to_owned()),
        };
        let tried = all.people.proven_address(&guess, purpose).await;
        let tries_left = MAIL_CODE_TRIES - 1;
        let wrong = MailCodeError::Wrong { tries_left };
        assert_eq!(tried.err(), Some(Failure::Code(wrong)));
    }
}

/// Strangers get the same answers with letters and without, and the player gets codes at home whatever they do.
#[tokio::test]
async fn strangers_spend_no_codes_of_a_player() {
    let all = Fixture::new(|config: &mut Config| {
        config.mail.codes_per_mailbox = 2;
        config.mail.codes_of_strangers = 4;
        config.mail.codes_mailboxes = 1;
    })
    .await;
    registered(&all, "anna", ANNA).await.unwrap();
    let before = keys(&all).await.len();
    for host in 2..9 {
        for address in [ANNA, "Anna+2@example.org", "nobody@example.org"] {
            let asked = ask_from(&all, at(host), address, MailPurpose::LogIn).await;
            assert!(asked.is_ok(), "{address}");
        }
        let asked = ask_from(&all, at(host), ANNA, MailPurpose::Recover).await;
        assert!(matches!(asked.err(), Some(Failure::TooManyCodes { .. })));
    }
    // The registration was asked for by a stranger too.
    assert_eq!(keys(&all).await.len(), before + 3);
    let code = proof(&all, ANNA, MailPurpose::LogIn).await;
    let at_home = all.people.log_in_by_mail(home(), code, "").await;
    assert!(at_home.is_ok());
}

/// The new password is not looked at before the code, and a client that makes codes up has to wait.
#[tokio::test]
async fn a_wrong_code_costs_no_hash_and_counts_for_its_client() {
    let all = Fixture::new(|config| config.limits.wrong_passwords_per_address = 2).await;
    let recover = |host| {
        let made_up = MailProof {
            ticket: Hidden("nobody's".to_owned()),
            code: Hidden("12345678".to_owned()),
        };
        let recovered = all
            .people
            .recover_by_mail(at(host), made_up, "weak".to_owned(), "");
        async { recovered.await.err().unwrap() }
    };
    for _ in 0..3 {
        let refused = recover(1).await;
        assert_eq!(refused, Failure::Code(MailCodeError::Invalid));
    }
    let refused = recover(1).await;
    let is_waiting = matches!(refused, Failure::Refused(Refusal::TooManyTries { .. }));
    assert!(is_waiting, "{refused:?}");
    assert_eq!(recover(2).await, Failure::Code(MailCodeError::Invalid));
}

#[tokio::test]
async fn a_recovery_by_mail_takes_a_better_password_with_the_same_code() {
    let all = fixture().await;
    registered(&all, "anna", ANNA).await.unwrap();
    let code = proof(&all, ANNA, MailPurpose::Recover).await;
    let recover = |password: &str| {
        let code = MailProof {
            ticket: code.ticket.clone(),
            code: code.code.clone(),
        };
        let password = password.to_owned();
        all.people.recover_by_mail(home(), code, password, "")
    };
    let refused = recover("weak").await.err();
    assert!(matches!(refused, Some(Failure::Password(_))), "{refused:?}");
    assert!(recover(OTHER).await.is_ok());
    let invalid = Some(Failure::Code(MailCodeError::Invalid));
    assert_eq!(recover(OTHER).await.err(), invalid, "it is used up");
}

#[tokio::test]
async fn a_recovery_by_mail_ends_all_sessions_and_tells_the_player() {
    let all = fixture().await;
    let anna = registered(&all, "anna", ANNA).await.unwrap();
    let code = proof(&all, ANNA, MailPurpose::Recover).await;
    let recovered = all
        .people
        .recover_by_mail(home(), code, OTHER.to_owned(), "a phone")
        .await
        .unwrap();
    assert_eq!(recovered.account.identity, anna.account.identity);
    assert_eq!(recovered.account.sessions.len(), 1);
    all.log_in("anna", OTHER).await.unwrap();
    let letters = outbox(&all).await;
    let told = letters
        .iter()
        .filter(|one| one.letter.content.kind() == LetterKind::Security);
    let told: Vec<_> = told.map(|one| one.letter.address.clone()).collect();
    assert_eq!(told, [Some(Hidden(ANNA.to_owned()))]);
}

#[tokio::test]
async fn a_change_of_the_address_needs_both_proofs_and_tells_both_addresses() {
    let all = fixture().await;
    let token = registered(&all, "anna", ANNA).await.unwrap().issued.token;
    let bearer = all.bearer(&token).await;
    let new = "new@example.org";
    let change = async |mail, owner| all.people.change_mail(&bearer, home(), mail, owner).await;

    let owner = OwnerProof::Password(PASSWORD.to_owned());
    let mail = proof(&all, new, MailPurpose::Register).await;
    let refused = change(mail, owner).await.err();
    assert_eq!(refused, Some(Failure::Refused(Refusal::WrongProof)));

    // A code for another address is no proof of the owner.
    registered(&all, "ben", "ben@example.org").await.unwrap();
    let mail = proof(&all, new, MailPurpose::Register).await;
    let foreign = proof(&all, "ben@example.org", MailPurpose::LogIn).await;
    let refused = change(mail, OwnerProof::Code(foreign)).await.err();
    assert_eq!(refused, Some(Failure::Refused(Refusal::WrongProof)));

    let mail = proof(&all, new, MailPurpose::Register).await;
    let own = proof(&all, ANNA, MailPurpose::LogIn).await;
    let changed = change(mail, OwnerProof::Code(own)).await.unwrap();
    assert_eq!(changed.registration.unwrap().mail.as_deref(), Some(new));
    let letters = outbox(&all).await;
    let told = letters
        .iter()
        .filter(|one| one.letter.content.kind() == LetterKind::Security);
    let told: Vec<_> = told.map(|one| one.letter.address.clone()).collect();
    let both = [new, ANNA].map(|address| Some(Hidden(address.to_owned())));
    assert_eq!(told, both);
}

#[tokio::test]
async fn an_address_belongs_to_one_account() {
    let all = fixture().await;
    registered(&all, "anna", ANNA).await.unwrap();
    let taken = registered(&all, "ben", &ANNA.to_lowercase()).await.err();
    assert_eq!(taken, Some(Failure::Refused(Refusal::MailTaken)));
}

#[tokio::test]
async fn codes_are_limited_and_an_address_is_checked() {
    let all = Fixture::new(|config: &mut Config| config.mail.codes_per_mailbox = 2).await;
    for _ in 0..2 {
        ask(&all, ANNA, MailPurpose::Register).await.unwrap();
    }
    let refused = ask(&all, "ANNA+2@EXAMPLE.ORG", MailPurpose::LogIn).await;
    assert!(matches!(refused.err(), Some(Failure::TooManyCodes { .. })));
    ask(&all, "ben@example.org", MailPurpose::Register)
        .await
        .unwrap();
    let bad = ask(
        &all,
        "ben@example.org\r\nBcc: eve@example.org",
        MailPurpose::Register,
    );
    assert!(matches!(bad.await.err(), Some(Failure::Address(_))));

    let all = Fixture::new(|config: &mut Config| config.mail.codes_mailboxes = 1).await;
    for _ in 0..2 {
        ask(&all, ANNA, MailPurpose::Register).await.unwrap();
    }
    let refused = ask(&all, "ben@example.org", MailPurpose::Register).await;
    assert!(matches!(refused.err(), Some(Failure::TooManyCodes { .. })));
    all.advance(config_codes_ms());
    ask(&all, "ben@example.org", MailPurpose::Register)
        .await
        .unwrap();

    let all = Fixture::new(|config: &mut Config| config.mail.codes_per_address = 1).await;
    ask(&all, ANNA, MailPurpose::Register).await.unwrap();
    let refused = ask(&all, "ben@example.org", MailPurpose::Register).await;
    assert!(matches!(refused.err(), Some(Failure::TooManyCodes { .. })));
}

#[tokio::test]
async fn a_link_of_a_letter_ends_letters_of_one_kind() {
    let all = fixture().await;
    let anna = registered(&all, "anna", ANNA).await.unwrap().account;
    let key = LinkKey::new([7; 32]);
    let link = key.unsubscribe("", &anna.identity, LetterKind::Reminder);
    let path = link.strip_prefix("/unsubscribe/").unwrap();
    let (identity, kind) = all.people.linked(path).unwrap();
    all.people.unsubscribe(identity, kind).await.unwrap();
    let stored = all.storage.account(&anna.identity).await.unwrap();
    let expected = LetterChoices {
        reminder: false,
        ..LetterChoices::default()
    };
    assert_eq!(stored.unwrap().account.letters, expected);
    assert_eq!(all.people.linked("turn/x/y"), None);
}
