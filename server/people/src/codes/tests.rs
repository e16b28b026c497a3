//! Recovery codes and mail codes: used once, bound to their owner, limited in time and tries.

use super::{
    MAIL_CODE_MS, MailCode, MailCodeError, MailPurpose, RECOVERY_CODES, RECOVERY_RANDOM,
    RecoveryCodes,
};
use std::collections::BTreeSet;
use tilewire_rules::time::{Millis, Timestamp};

const NOW: Timestamp = Timestamp(1_800_000_000_000);

fn random() -> [u8; RECOVERY_RANDOM] {
    let mut bytes = [0; RECOVERY_RANDOM];
    for (byte, value) in bytes.iter_mut().zip((0..=u8::MAX).cycle()) {
        *byte = value.wrapping_mul(37);
    }
    bytes
}

#[test]
fn ten_different_codes_are_each_used_once() {
    let (shown, mut codes) = RecoveryCodes::generate("anna", &random());
    assert_eq!(shown.iter().collect::<BTreeSet<_>>().len(), RECOVERY_CODES);
    for code in &shown {
        let groups: Vec<usize> = code.split('-').map(str::len).collect();
        assert_eq!(groups, [4, 4, 4, 4], "{code}");
    }
    for (left, code) in (0..RECOVERY_CODES).rev().zip(&shown) {
        assert!(!codes.clone().spend("ben", code), "the code is anna's");
        assert!(codes.spend("anna", code));
        assert!(!codes.spend("anna", code), "a code is used once");
        assert_eq!(codes.left(), left);
    }
}

#[test]
fn a_code_can_be_typed_as_people_read_it() {
    let (shown, codes) = RecoveryCodes::generate("anna", &random());
    let code = shown
        .iter()
        .find(|code| code.contains(['0', '1']))
        .expect("a code with 0 or 1");
    for typed in [
        code.to_lowercase(),
        code.replace('-', " "),
        code.replace('-', ""),
        code.replace('0', "o").replace('1', "l"),
        format!("  {}\n", code.replace('1', "I")),
    ] {
        assert!(codes.clone().spend("anna", &typed), "{typed}");
    }
    for typed in [
        "",
        "0000-0000-0000-0000",
        &code[1..],
        &format!("{code}{code}{code}{code}"),
    ] {
        assert!(!codes.clone().spend("anna", typed), "{typed}");
    }
    assert_eq!(format!("{codes:?}"), "RecoveryCodes(10 left)");
}

fn mail() -> (String, MailCode) {
    MailCode::issue(
        "session",
        MailPurpose::LogIn,
        1_234_500_000_042_u64.to_be_bytes(),
        NOW,
    )
}

#[track_caller]
fn check(
    session: &str,
    purpose: MailPurpose,
    typed: &str,
    after: Millis,
    expected: Result<(), &str>,
) {
    let (_, mut code) = mail();
    let found = code.attempt(session, purpose, typed, NOW + after);
    assert_eq!(
        found.map_err(MailCodeError::code),
        expected,
        "{session} {typed}"
    );
}

#[test]
fn a_mail_code_is_for_one_session_one_purpose_and_a_quarter_of_an_hour() {
    let (digits, mut code) = mail();
    assert_eq!(digits, "00000042");
    let last = MAIL_CODE_MS - Millis(1);
    check("session", MailPurpose::LogIn, &digits, last, Ok(()));
    check(
        "session",
        MailPurpose::LogIn,
        "0000 0042",
        Millis(0),
        Ok(()),
    );
    check(
        "session",
        MailPurpose::LogIn,
        &digits,
        MAIL_CODE_MS,
        Err("mail_code_invalid"),
    );
    check(
        "another",
        MailPurpose::LogIn,
        &digits,
        Millis(0),
        Err("mail_code_invalid"),
    );
    check(
        "session",
        MailPurpose::Recover,
        &digits,
        Millis(0),
        Err("mail_code_invalid"),
    );
    check(
        "session",
        MailPurpose::LogIn,
        "42",
        Millis(0),
        Err("mail_code_wrong"),
    );
    check(
        "session",
        MailPurpose::LogIn,
        "",
        Millis(0),
        Err("mail_code_wrong"),
    );
    assert_eq!(
        code.attempt("session", MailPurpose::LogIn, &digits, NOW),
        Ok(())
    );
    let again = code.attempt("session", MailPurpose::LogIn, &digits, NOW);
    assert_eq!(again, Err(MailCodeError::Invalid), "a code is used once");
}

#[test]
fn the_fifth_wrong_try_ends_a_mail_code() {
    let (digits, mut code) = mail();
    for tries_left in (1..5).rev() {
        let found = code.attempt("session", MailPurpose::LogIn, "11111111", NOW);
        assert_eq!(found, Err(MailCodeError::Wrong { tries_left }));
        // Another session cannot use up the tries.
        let other = code.attempt("another", MailPurpose::LogIn, "11111111", NOW);
        assert_eq!(other, Err(MailCodeError::Invalid));
    }
    for typed in ["11111111", &digits] {
        let found = code.attempt("session", MailPurpose::LogIn, typed, NOW);
        assert_eq!(found, Err(MailCodeError::Invalid));
    }
}
