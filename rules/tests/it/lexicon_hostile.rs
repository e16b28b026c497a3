//! Forged lexicon bytes: the reader refuses them, or searches them safely.

use proptest::prelude::*;
use tilewire_rules::alphabet::Letter;
use tilewire_rules::lexicon::{FstLexicon, Lexicon, LexiconError};

use crate::support::random;

fn set(keys: &[&[u8]]) -> Vec<u8> {
    let mut keys = keys.to_vec();
    keys.sort_unstable();
    fst::Set::from_iter(keys).unwrap().as_fst().to_vec()
}

fn refused(bytes: Vec<u8>) -> String {
    FstLexicon::from_bytes("list", bytes)
        .unwrap_err()
        .to_string()
}

const FORMAT: &[u8] = b"\0format=1";
const LANGUAGE: &[u8] = b"\0language=test";
const ALPHABET: &[u8] = b"\0alphabet=A B CH";

/// Gives bytes a valid checksum, as an attacker would (CRC-32C, masked).
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let Some(end) = bytes.len().checked_sub(4) else {
        return bytes;
    };
    let mut sum = u32::MAX;
    for byte in &bytes[..end] {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = (sum >> 1) ^ (0x82F6_3B78 & (sum & 1).wrapping_neg());
        }
    }
    let masked = (!sum).rotate_right(15).wrapping_add(0xA282_EAD8);
    bytes[end..].copy_from_slice(&masked.to_le_bytes());
    bytes
}

/// Reads every word there is; a lexicon that was opened has as many as it says, and finds them.
fn read_through(lexicon: &FstLexicon) {
    let mut words = 0;
    lexicon.for_each(|word| {
        words += 1;
        assert!((2..=21).contains(&word.len()));
        let known = lexicon.alphabet().len();
        assert!(
            word.iter()
                .all(|letter| usize::from(letter.number()) <= known)
        );
        assert!(lexicon.contains(word));
    });
    assert_eq!(words, lexicon.words());
    for letter in 1..=u8::MAX {
        let letter = Letter::from_number(letter).unwrap();
        lexicon.contains(&[letter; 22]);
    }
}

fn sound() -> Vec<u8> {
    set(&[
        FORMAT,
        LANGUAGE,
        ALPHABET,
        &[1, 2],
        &[1, 2, 3],
        &[2, 3, 1],
        &[3, 3, 1],
    ])
}

/// A set whose nodes have tables: more than 32 transitions.
fn wide() -> Vec<u8> {
    let faces: Vec<String> = (0..40).map(|at| format!("A{at}")).collect();
    let alphabet = format!("\0alphabet={}", faces.join(" "));
    let words: Vec<[u8; 2]> = (1..=40).map(|letter| [letter, 41 - letter]).collect();
    let mut keys: Vec<&[u8]> = words.iter().map(<[u8; 2]>::as_slice).collect();
    keys.extend([FORMAT, LANGUAGE, alphabet.as_bytes()]);
    set(&keys)
}

#[test]
fn a_lexicon_stores_its_alphabet() {
    let lexicon = FstLexicon::from_bytes("list", sound()).unwrap();
    assert_eq!(lexicon.language(), "test");
    assert_eq!(lexicon.alphabet(), ["A", "B", "CH"]);
    assert_eq!(lexicon.words(), 4);
    read_through(&lexicon);
    read_through(&FstLexicon::from_bytes("list", wide()).unwrap());
    // A reader ignores the names of later versions.
    let more = set(&[FORMAT, LANGUAGE, ALPHABET, b"\0source=somewhere", &[1, 2]]);
    assert_eq!(FstLexicon::from_bytes("list", more).unwrap().words(), 1);
}

#[test]
fn a_lexicon_name_can_be_typed() {
    for name in [
        "",
        "Enable",
        "two words",
        "a/b",
        "ä",
        "x".repeat(41).as_str(),
    ] {
        let error = FstLexicon::from_bytes(name, sound()).unwrap_err();
        assert!(matches!(error, LexiconError::Name(_)), "{name}");
    }
    for name in ["enable", "csw-24", "2025"] {
        assert!(FstLexicon::from_bytes(name, sound()).is_ok(), "{name}");
    }
}

#[test]
fn the_description_in_a_lexicon_must_be_valid() {
    let word: &[u8] = &[1, 2];
    let long = format!("\0alphabet={}", "A".repeat(5_000));
    let many: Vec<String> = (0..256).map(|at| format!("A{at}")).collect();
    let many = format!("\0alphabet={}", many.join(" "));
    let crowd: Vec<String> = (0..40).map(|at| format!("\0key{at}=x")).collect();
    let mut crowd: Vec<&[u8]> = crowd.iter().map(String::as_bytes).collect();
    crowd.extend([FORMAT, LANGUAGE, ALPHABET, word]);
    for (keys, says) in [
        (vec![b"\0format=2", LANGUAGE, ALPHABET, word], "format"),
        (vec![LANGUAGE, ALPHABET, word], "format"),
        (vec![FORMAT, ALPHABET, word], "language"),
        (
            vec![FORMAT, b"\0language=No One", ALPHABET, word],
            "language",
        ),
        (vec![FORMAT, LANGUAGE, word], "alphabet"),
        (
            vec![FORMAT, LANGUAGE, b"\0alphabet=A B A", word],
            "alphabet",
        ),
        (vec![FORMAT, LANGUAGE, b"\0alphabet=A  B", word], "alphabet"),
        (vec![FORMAT, LANGUAGE, b"\0alphabet=A \n", word], "alphabet"),
        (vec![FORMAT, LANGUAGE, many.as_bytes(), word], "alphabet"),
        (
            vec![FORMAT, LANGUAGE, ALPHABET, b"\0format=0", word],
            "twice",
        ),
        (vec![FORMAT, LANGUAGE, long.as_bytes(), word], "is too long"),
        (vec![FORMAT, LANGUAGE, ALPHABET, b"\0", word], "unreadable"),
        (
            vec![FORMAT, LANGUAGE, ALPHABET, b"\0noequals", word],
            "unreadable",
        ),
        (
            vec![FORMAT, LANGUAGE, ALPHABET, b"\0\xff=1", word],
            "unreadable",
        ),
        (crowd, "is too long"),
        (vec![FORMAT, LANGUAGE, ALPHABET], "no words"),
        (vec![], "no words"),
    ] {
        let error = refused(set(&keys));
        assert!(error.contains(says), "{says}: {error}");
    }
}

#[test]
fn words_are_of_the_alphabet_and_of_a_words_length() {
    for (keys, says) in [
        (vec![&[1, 27][..]], "letter number 27"),
        (vec![b"aa", b"zz"], "letter number 122"),
        (vec![&[1, 0, 2]], "letter number 0"),
        (vec![FORMAT, LANGUAGE, ALPHABET, &[1, 4]], "letter number 4"),
        (vec![&[1]], "2 to 21"),
        (vec![&[1; 22]], "2 to 21"),
        (vec![&[], &[1, 2]], "2 to 21"),
    ] {
        let error = refused(set(&keys));
        assert!(error.contains(says), "{says}: {error}");
    }
    assert!(FstLexicon::from_bytes("list", set(&[&[26; 21]])).is_ok());
    // Numbers beside the words are of some other file.
    let map = fst::Map::from_iter([([1, 2], 7), ([1, 3], 9)]).unwrap();
    assert!(refused(map.as_fst().to_vec()).contains("damaged"));
}

#[test]
fn bytes_that_are_not_an_automaton_are_refused() {
    for bytes in [
        vec![],
        vec![0; 36],
        vec![0xFF; 1000],
        b"aardvark\nabacus\n".repeat(20),
    ] {
        refused(bytes);
    }
    for at in 0..sound().len() {
        refused(sealed(sound()[..at].to_vec()));
    }
}

/// One byte changed, in every place to every value, with a checksum that holds.
#[test]
fn a_forged_byte_is_refused_or_searched_safely() {
    let mut opened = 0;
    for sound in [sound(), wide()] {
        assert_eq!(sealed(sound.clone()), sound, "the checksum is the crate's");
        for at in 0..sound.len() - 4 {
            for value in 0..=u8::MAX {
                let mut forged = sound.clone();
                forged[at] = value;
                if let Ok(lexicon) = FstLexicon::from_bytes("list", sealed(forged)) {
                    read_through(&lexicon);
                    opened += 1;
                }
            }
        }
    }
    assert!(opened > 100, "some changes make another sound file");
}

proptest! {
    #![proptest_config(random(5_000, 43))]

    /// Several bytes changed, removed or inserted.
    #[test]
    fn several_forged_bytes_are_refused_or_searched_safely(
        is_wide in any::<bool>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4_u8), 1..6),
    ) {
        let mut forged = if is_wide { wide() } else { sound() };
        for (at, value, how) in changes {
            let at = at.index(forged.len());
            match how {
                0 => forged.insert(at, value),
                1 => drop(forged.remove(at)),
                _ => forged[at] = value,
            }
        }
        if let Ok(lexicon) = FstLexicon::from_bytes("list", sealed(forged)) {
            read_through(&lexicon);
        }
    }
}

/// An automaton of a few hundred bytes, each of its levels leading on to the next by every letter.
fn ladder(levels: usize, last: &[u8]) -> Vec<u8> {
    let mut bytes = vec![3, 0, 0, 0, 0, 0, 0, 0];
    bytes.extend([0; 8]);
    bytes.extend(last);
    // Addresses: to the empty node if nothing is below, else to the node just before.
    for level in 0..levels {
        let delta = u8::from(level > 0 || !last.is_empty());
        bytes.extend([delta; 26]);
        bytes.extend((1..=26).rev());
        bytes.extend([0x10, 26]);
    }
    let root = bytes.len() as u64 - 1;
    let words = 26_u64.saturating_pow(u32::try_from(levels).unwrap());
    bytes.extend(words.to_le_bytes());
    bytes.extend(root.to_le_bytes());
    bytes.extend([0; 4]);
    sealed(bytes)
}

/// A small file can encode more words than can ever be listed, or as many dead ends.
#[test]
fn too_many_words_are_refused_without_reading_them() {
    let three = FstLexicon::from_bytes("list", ladder(3, &[])).unwrap();
    assert_eq!(three.words(), 26 * 26 * 26);
    read_through(&three);
    assert!(refused(ladder(21, &[])).contains("more than"));
    assert!(refused(ladder(40, &[])).contains("2 to 21"));
    let dead_end = [0, 0, 0];
    assert!(refused(ladder(20, &dead_end)).contains("damaged"));
}
