//! The built-in lexicon against the plain word list it is made from (R-WORD-4).

use std::collections::BTreeSet;

use tilewire_rules::alphabet::Letter;
use tilewire_rules::lexicon::{FstLexicon, Lexicon};
use tilewire_rules::ruleset::RuleSet;

/// SHA-256 of the built-in automaton.
const DIGEST: &str = "8dfb6cde5b84ee9ea78cfb69a8466bc71debc3ca91eebd8c12888c3850d34833";

const DENIED: &str = include_str!("../../data/deny.txt");

/// The entries of the deny list: the first word of every line that is not a comment.
fn denied() -> impl Iterator<Item = &'static str> {
    let lines = DENIED.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_whitespace().next())
}

/// The list as a set: lower-case entries of 2 to 21 letters that are not denied.
fn plain() -> BTreeSet<&'static str> {
    let denied: BTreeSet<&str> = denied().collect();
    wordnik_list::word_iterator()
        .filter(|word| (2..=21).contains(&word.len()) && !denied.contains(word))
        .collect()
}

fn letters(word: &str) -> Vec<Letter> {
    RuleSet::classic()
        .tiles
        .parse_word(&word.to_uppercase())
        .unwrap()
}

/// 000-C-P3, 003-P3: membership alone decides; entries are letters only.
#[test]
fn the_built_in_lexicon_contains_exactly_the_list() {
    let (lexicon, plain) = (FstLexicon::builtin(), plain());
    assert_eq!(lexicon.words(), plain.len() as u64);
    let mut found = 0;
    lexicon.for_each(|word| {
        let text: String = word
            .iter()
            .map(|letter| char::from(b'a' + letter.number() - 1))
            .collect();
        assert!(plain.contains(text.as_str()), "{text}");
        found += 1;
    });
    assert_eq!(found, plain.len());
    for word in &plain {
        assert!(lexicon.contains(&letters(word)), "{word}");
    }
}

#[test]
fn the_built_in_lexicon_contains_nothing_else() {
    let (lexicon, plain) = (FstLexicon::builtin(), plain());
    // Every word with one letter more or less is in it only if the list says so.
    for word in plain.iter().step_by(97) {
        let shorter = &word[..word.len() - 1];
        assert_eq!(
            lexicon.contains(&letters(shorter)),
            plain.contains(shorter),
            "{shorter}"
        );
        for letter in ["a", "e", "s", "z"] {
            let longer = format!("{word}{letter}");
            assert_eq!(
                lexicon.contains(&letters(&longer)),
                plain.contains(longer.as_str()),
                "{longer}"
            );
        }
    }
    assert!(!lexicon.contains(&[]));
    for denied in denied() {
        assert!(!lexicon.contains(&letters(denied)), "{denied}");
    }
}

/// A game's record names its words: the name, the number, and the digest of the stored list (R-SETUP-4).
#[test]
fn the_built_in_lexicon_is_the_published_list() {
    let lexicon = FstLexicon::builtin();
    let digest: String = lexicon.hash().iter().map(|b| format!("{b:02x}")).collect();
    let published = (lexicon.name(), lexicon.words(), digest.as_str());
    assert_eq!(published, ("wordnik", 198_355, DIGEST));
}

/// Bytes cut short or changed anywhere are refused.
#[test]
fn damaged_bytes_are_no_lexicon() {
    let sound = fst::Set::from_iter([[1, 2], [1, 20], [8, 5]]).unwrap();
    let sound = sound.as_fst().as_bytes();
    assert!(FstLexicon::from_bytes("sound", sound.to_vec()).is_ok());
    for at in 0..sound.len() {
        let refused = |bytes: Vec<u8>| FstLexicon::from_bytes("damaged", bytes).is_err();
        assert!(refused(sound[..at].to_vec()), "cut at {at}");
        let mut changed = sound.to_vec();
        changed[at] ^= 0x10;
        assert!(refused(changed), "changed at {at}");
    }
}
