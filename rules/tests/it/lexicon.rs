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

/// Membership alone decides (R-WORD-1).
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

/// 000-C-P3, 003-P3: words of foreign origin, archaic, obsolete, colloquial and slang words are permitted; names,
/// abbreviations, and prefixes and suffixes standing alone are not.
#[test]
fn the_built_in_lexicon_has_the_kinds_of_words_that_the_sheets_permit() {
    let lexicon = FstLexicon::builtin();
    let is_word = |word: &str| lexicon.contains(&letters(word));
    for permitted in [
        "fjord kibbutz schadenfreude taco zydeco",
        "hath prithee thou yclept",
        "doggone dunno frenemy gotta",
    ] {
        for word in permitted.split_whitespace() {
            assert!(is_word(word), "{word}");
        }
    }
    for excluded in [
        "london england monday january",
        "mr mrs dr tv uk usa nato fbi bbc html dna kg km mph etc dept govt",
        "tion",
    ] {
        for word in excluded.split_whitespace() {
            assert!(!is_word(word), "{word}");
        }
    }
}

/// 002-D: more than 173,000 words, those of ENABLE among them; here its first and last ones.
#[test]
fn the_built_in_lexicon_contains_the_words_of_enable() {
    const FIRST: &str = "aa aah aahed aahing aahs aal aalii aaliis aals aardvark aardvarks aardwolf aardwolves aas \
        aasvogel aasvogels aba abaca abacas abaci";
    const LAST: &str = "zymogram zymologies zymology zymosan zymoses zymosis zymotic zymurgies zymurgy zyzzyva zyzzyvas";
    let lexicon = FstLexicon::builtin();
    assert!(lexicon.words() > 173_000);
    let rules = RuleSet::builtin("words-with-friends").unwrap();
    assert!(
        lexicon.fits(&rules.tiles),
        "the rule set can be played with it"
    );
    for word in FIRST.split_whitespace().chain(LAST.split_whitespace()) {
        assert!(lexicon.contains(&letters(word)), "{word}");
    }
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
