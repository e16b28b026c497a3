//! The built-in lexicon against the plain word list it is made from (R-WORD-4).

use std::collections::BTreeSet;

use tilewire_rules::alphabet::Letter;
use tilewire_rules::lexicon::{FstLexicon, Lexicon};
use tilewire_rules::ruleset::RuleSet;

const DENIED: &str = include_str!("../../data/deny.txt");

/// The entries of the deny list: the first word of every line that is no comment.
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

/// 000-C-P3, 003-P3: membership is everything; entries are letters only.
#[test]
fn it_holds_exactly_the_list() {
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
fn it_holds_nothing_else() {
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
