//! Which texts are handles, and which handles clash.

use super::{Handle, HandleError, HandleKey, MAX_CHARS, is_official};
use proptest::prelude::*;

#[track_caller]
fn check(wanted: &str, expected: Result<&str, &str>) {
    let found = Handle::parse(wanted);
    let shown = found.as_ref().map(Handle::as_str).map_err(|e| e.code());
    assert_eq!(shown, expected, "{wanted:?}");
}

fn key(text: &str) -> HandleKey {
    Handle::parse(text).expect("a handle").key()
}

#[test]
fn a_handle_has_letters_and_digits_of_one_script() {
    for (wanted, shown) in [
        ("anna", "anna"),
        ("  Anna ", "Anna"),
        ("Ａｎｎａ", "Anna"),
        ("Zoe\u{308}", "Zoë"),
        ("jo-ann_7", "jo-ann_7"),
        ("Ольга", "Ольга"),
        ("ひらカナ漢字", "ひらカナ漢字"),
        ("a1b2c3", "a1b2c3"),
    ] {
        check(wanted, Ok(shown));
    }
    for (wanted, code) in [
        ("", "handle_too_short"),
        ("ab", "handle_too_short"),
        (&"a".repeat(MAX_CHARS + 1), "handle_too_long"),
        (&"a".repeat(100_000), "handle_too_long"),
        ("123", "handle_no_letter"),
        ("an na", "handle_character"),
        ("anna.b", "handle_character"),
        ("-anna", "handle_character"),
        ("anna_", "handle_character"),
        ("an--na", "handle_character"),
        ("\u{301}anna", "handle_character"),
        ("an\u{200b}na", "handle_character"),
        ("an\u{200d}na", "handle_character"),
        ("an\u{202e}na", "handle_character"),
        ("an\u{660}na", "handle_character"),
        ("a\u{323}\u{301}\u{302}\u{303}na", "handle_character"),
        // The second letter is Cyrillic.
        ("pаypal", "handle_mixed_scripts"),
        ("аnna", "handle_mixed_scripts"),
    ] {
        check(wanted, Err(code));
    }
}

#[test]
fn reserved_handles_and_their_lookalikes_are_refused() {
    for wanted in [
        "admin",
        "ADMIN",
        "Admin2",
        "adrnin",
        "Tilewire",
        "TILEWlRE",
        "bot-club",
        "guest-a3f",
        "root",
        "ROOT",
        "r00t",
        "me-too",
    ] {
        let is_refused = Handle::parse(wanted) == Err(HandleError::Reserved);
        assert_eq!(is_refused, wanted != "me-too", "{wanted}");
    }
    check("guesthouse", Ok("guesthouse"));
    check("rooted", Ok("rooted"));
    // A stored handle stays readable when the list grows.
    let stored: Handle = serde_json::from_str("\"admin\"").expect("spelled correctly");
    assert!(is_official(stored.as_str()));
    assert!(serde_json::from_str::<Handle>("\"a b\"").is_err());
}

#[test]
fn handles_clash_by_case_and_by_shape() {
    for (one, other, clash) in [
        ("anna", "ANNA", true),
        ("Straße", "STRASSE", true),
        ("ΣΟΦΟΣ", "σοφος", true),
        // A capital i and a small L; a zero and a capital o; r and n together, and m.
        ("PaypaI", "Paypal", true),
        ("B0B", "BOB", true),
        ("Modern", "Modem", true),
        // Latin and Cyrillic.
        ("HATE", "НАТЕ", true),
        ("anna", "ana", false),
        ("mail", "mall", false),
        // Accents, a stroke through a letter, and signs.
        ("anna", "änna", true),
        ("Zoe", "Zoë", true),
        ("Soren", "Søren", true),
        ("jo-ann", "joann", true),
        ("jo-ann", "jo_ann", true),
        // Marks of other scripts are letters of their own.
        ("カガミ", "カカミ", false),
        ("jo-ann", "jo-anna", false),
    ] {
        assert_eq!(key(one).clashes(&key(other)), clash, "{one} {other}");
        assert_eq!(key(other).clashes(&key(one)), clash, "{other} {one}");
    }
}

#[test]
fn a_guest_cannot_imitate_a_handle() {
    let anna = key("Anna-B");
    for (name, imitates) in [
        ("Anna-B", true),
        ("anna-b", true),
        (" ANNA-B ", true),
        ("Anna -B", true),
        ("Аnna-B", true),
        ("Anna B", true),
        ("Hannah", false),
        ("", false),
    ] {
        assert_eq!(anna.is_imitated_by(name), imitates, "{name:?}");
    }
}

#[test]
fn names_of_the_server_are_nobodys() {
    for name in [
        "admin",
        "Administrator",
        "moderator",
        "Moderator Max",
        "operator",
        "Tilewire",
        "tilewire support",
        "SYSTEM",
        "house bot",
        "House-Bot 3",
        "club bot",
        "CLUB BOT 2",
        "Expert bot",
        "S Y S T E M",
        "sys.tem",
        "\u{430}dmin",
        "\u{410}DMIN",
        "Adm1n",
        "T1lewire",
        "\u{421}lub bot",
        "ｓｙｓｔｅｍ",
        "no-reply",
    ] {
        assert!(is_official(name), "{name:?}");
    }
    for name in [
        "",
        "Anna",
        "guest",
        "Guest-ab12c",
        "Adam",
        "Opera",
        "Bot Anna",
        "Clubber",
        "Modern",
        "player",
        "Systematic",
        "spectator",
    ] {
        assert!(!is_official(name), "{name:?}");
    }
}

#[test]
fn a_site_gives_a_name_and_the_server_makes_a_handle_of_it() {
    for (name, attempt, expected) in [
        ("Anna", 0, Some("Anna")),
        ("Anna", 1, Some("Anna-2")),
        ("Anna", 11, Some("Anna-12")),
        ("Anne Marie O'Neil", 0, Some("Anne-Marie-O-Neil")),
        ("Zoë!!!", 0, Some("Zoë")),
        (
            "A very long name of a player",
            3,
            Some("A-very-long-name-o-4"),
        ),
        ("x", 0, None),
        ("x", 1, Some("x-2")),
        ("admin", 0, None),
        ("\u{200b}\u{1f600}", 5, None),
    ] {
        let found = Handle::from_site_name(name, attempt);
        assert_eq!(found.as_ref().map(Handle::as_str), expected, "{name:?}");
    }
}

proptest! {
    #[test]
    fn a_handle_reads_back_as_itself(text in "\\PC{1,24}", attempt in 0_u32..40) {
        for handle in [Handle::parse(&text).ok(), Handle::from_site_name(&text, attempt)].into_iter().flatten() {
            prop_assert_eq!(Handle::parse(handle.as_str()), Ok(handle.clone()));
            let count = handle.as_str().chars().count();
            prop_assert!((3..=MAX_CHARS).contains(&count));
            prop_assert!(handle.key().clashes(&HandleKey::of(&handle.as_str().to_lowercase())));
        }
    }
}
