//! The policy for passwords and the form of their hashes.

use super::{Cost, DECOY, NewPassword, PasswordHash, Verified, verify};
use argon2::password_hash::phc::PasswordHash as Phc;

const GOOD: &str = "harbour violet ninety kites";

#[track_caller]
fn check(wanted: &str, handle: &str, expected: Result<(), &str>) {
    let found = NewPassword::check(wanted, handle);
    let found = found.map(|_| ()).map_err(super::PasswordError::code);
    assert_eq!(found, expected, "{wanted:?}");
}

#[test]
fn a_password_is_long_and_hard_to_guess() {
    check(GOOD, "anna", Ok(()));
    check("correcthorsebatterystaple", "anna", Ok(()));
    check("пароль длинный и странный", "anna", Ok(()));
    check("short", "anna", Err("password_too_short"));
    check("", "anna", Err("password_too_short"));
    check("123456789", "anna", Err("password_too_short"));
    check("1234567890", "anna", Err("password_too_weak"));
    check("passwordpassword", "anna", Err("password_too_weak"));
    check(&"x".repeat(128), "anna", Err("password_too_weak"));
    check(
        &format!("{GOOD}{}", "x".repeat(128)),
        "anna",
        Err("password_too_long"),
    );
    check(&"x".repeat(1 << 20), "anna", Err("password_too_long"));
}

#[test]
fn a_password_like_the_handle_is_weak() {
    check("Quetzalmaven7", "someone", Ok(()));
    check("Quetzalmaven7", "quetzalmaven", Err("password_too_weak"));
}

#[test]
fn a_hash_names_its_parameters_and_admits_the_password_only() {
    let hash = NewPassword::check(GOOD, "anna")
        .expect("good")
        .hash(&[7; 16], Cost::Usual);
    assert!(hash.as_str().starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
    assert_eq!(verify(Some(&hash), GOOD), Verified::Right);
    for typed in [
        "",
        "harbour violet ninety kite",
        &GOOD.to_uppercase(),
        &"x".repeat(1_000),
    ] {
        assert_eq!(verify(Some(&hash), typed), Verified::Wrong, "{typed:?}");
    }
    let other_salt = NewPassword::check(GOOD, "anna")
        .expect("good")
        .hash(&[8; 16], Cost::Usual);
    assert_ne!(other_salt, hash);
}

#[test]
fn composed_and_decomposed_letters_are_the_same_password() {
    let hash = NewPassword::check("Zo\u{eb} harbour violet", "anna")
        .expect("good")
        .hash(&[1; 16], Cost::Usual);
    assert_eq!(
        verify(Some(&hash), "Zoe\u{308} harbour violet"),
        Verified::Right
    );
}

#[test]
fn without_an_account_the_same_work_is_done() {
    let (decoy, own) = (
        Phc::new(DECOY).expect("a hash"),
        NewPassword::check(GOOD, "anna"),
    );
    let own = own.expect("good").hash(&[7; 16], Cost::Usual);
    let own = Phc::new(own.as_str()).expect("a hash");
    assert_eq!(
        (decoy.algorithm, decoy.version),
        (own.algorithm, own.version)
    );
    assert_eq!(decoy.params, own.params);
    let sizes = |hash: &Phc| {
        (
            hash.salt.map(|salt| salt.len()),
            hash.hash.map(|out| out.len()),
        )
    };
    assert_eq!(sizes(&decoy), sizes(&own));
    assert_eq!(verify(None, GOOD), Verified::Wrong);
}

#[test]
fn a_hash_and_a_password_are_never_printed() {
    let password = NewPassword::check(GOOD, "anna").expect("good");
    assert_eq!(format!("{password:?}"), "NewPassword");
    let hash: PasswordHash = serde_json::from_str("\"$argon2id$secret\"").expect("text");
    assert_eq!(format!("{hash:?}"), "PasswordHash");
    assert_eq!(
        verify(Some(&hash), GOOD),
        Verified::Wrong,
        "no hash admits nobody"
    );
}
