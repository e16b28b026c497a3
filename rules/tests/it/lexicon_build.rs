//! Word lists become lexica (R-WORD-2): against plain sets, in any order, in every language.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use proptest::prelude::*;
use tilewire_rules::alphabet::Letter;
use tilewire_rules::lexicon::{
    Capitalised, Columns, CompileError, Compiled, Compiler, FstLexicon, Lexicon, Reason, Report,
    Speller, Unspelled, decode, entries,
};
use tilewire_rules::tile_sets::NamedTileSet;

use crate::support::random;

fn tiles(id: &str) -> Arc<NamedTileSet> {
    NamedTileSet::builtin(id).unwrap()
}

fn compile<'a>(
    set: &NamedTileSet,
    words: impl IntoIterator<Item = &'a str>,
) -> Result<Compiled, CompileError> {
    let mut compiler = Compiler::new(set, Capitalised::Names);
    for word in words {
        compiler.entry(word)?;
    }
    compiler.finish()
}

fn compiled(set: &NamedTileSet, words: &[&str]) -> (FstLexicon, Report) {
    let compiled = compile(set, words.iter().copied()).unwrap();
    let lexicon = FstLexicon::from_bytes("list", compiled.bytes).unwrap();
    (lexicon, compiled.report)
}

/// Every word of a lexicon as its faces, in order.
fn all(lexicon: &FstLexicon) -> Vec<String> {
    let mut words = Vec::new();
    lexicon.for_each(|word| words.push(faces(lexicon.alphabet(), word)));
    words
}

/// The faces of letters, with a space between them.
fn faces(alphabet: &[String], word: &[Letter]) -> String {
    let faces: Vec<&str> = word
        .iter()
        .map(|letter| alphabet[usize::from(letter.number()) - 1].as_str())
        .collect();
    faces.join(" ")
}

/// A tile set whose faces are single characters, and words of them as numbers from 0.
fn words() -> impl Strategy<Value = (Arc<NamedTileSet>, Vec<Vec<usize>>)> {
    let languages = [
        "english", "german", "polish", "danish", "slovene", "swedish",
    ];
    (0..languages.len()).prop_flat_map(move |language| {
        let set = tiles(languages[language]);
        let letters = set.tiles.letters().len();
        // Few different letters make words that share beginnings and ends, and come twice.
        let letter = prop_oneof![0..letters, 0..3_usize];
        let word = prop::collection::vec(letter, 0..25);
        (Just(set), prop::collection::vec(word, 1..60))
    })
}

proptest! {
    #![proptest_config(random(300, 41))]

    /// A lexicon holds exactly the set of the entries that are long enough and not too long, in the order of the
    /// alphabet, and says so.
    #[test]
    fn a_lexicon_is_the_set_of_its_words((set, words) in words()) {
        let letters: Vec<Letter> = set.tiles.letters().collect();
        let lower = |word: &Vec<usize>| -> String {
            word.iter().map(|at| set.tiles.face(letters[*at]).to_lowercase()).collect()
        };
        let list: Vec<String> = words.iter().map(lower).collect();
        let oracle: BTreeSet<Vec<u8>> = words
            .iter()
            .filter(|word| (2..=21).contains(&word.len()))
            .map(|word| word.iter().map(|at| letters[*at].number()).collect())
            .collect();
        let compiled = compile(&set, list.iter().map(String::as_str));
        if oracle.is_empty() {
            prop_assert!(matches!(compiled, Err(CompileError::NoWords(_))));
            return Ok(());
        }
        let Compiled { bytes, report } = compiled.unwrap();
        let lexicon = FstLexicon::from_bytes("list", bytes.clone()).unwrap();
        let mut streamed = Vec::new();
        lexicon.for_each(|word| {
            streamed.push(word.iter().map(|letter| letter.number()).collect::<Vec<u8>>());
            assert!(lexicon.contains(word));
        });
        prop_assert_eq!(&streamed, &oracle.iter().cloned().collect::<Vec<_>>());
        prop_assert_eq!(lexicon.words(), oracle.len() as u64);
        prop_assert_eq!(lexicon.language(), &set.language);
        prop_assert!(lexicon.fits(&set.tiles));
        let mut by_length = BTreeMap::<usize, u64>::new();
        for word in &oracle {
            *by_length.entry(word.len()).or_default() += 1;
        }
        for (length, count) in lexicon.by_length().iter().enumerate() {
            prop_assert_eq!(*count, by_length.get(&length).copied().unwrap_or(0));
        }
        // Every entry is accounted for.
        let left_out: u64 = report.left_out.iter().map(|left| left.count).sum();
        prop_assert_eq!(&report.by_length[..], lexicon.by_length());
        prop_assert_eq!(report.words, lexicon.words());
        prop_assert_eq!(report.entries, words.len() as u64);
        prop_assert_eq!(report.words + report.duplicates + left_out, report.entries);
        let short = words.iter().filter(|word| word.len() < 2).count();
        prop_assert_eq!(report.count(Reason::TooShort), short as u64);
        // The order of the list, and how often a word comes, make no difference.
        let again = list.iter().rev().chain(&list).map(String::as_str);
        prop_assert_eq!(compile(&set, again).unwrap().bytes, bytes);
    }

    /// A spelling reads like the written word, and never has two tiles if one tile shows both faces.
    #[test]
    fn the_longest_tile_comes_first(text in "[chlrnyqu·a]{1,12}", language in 0..2_usize) {
        let set = tiles(["spanish", "catalan"][language]);
        let Ok(letters) = Speller::new(&set).spell(&text) else {
            return Ok(());
        };
        let faces: Vec<&str> = letters.iter().map(|letter| set.tiles.face(*letter)).collect();
        prop_assert_eq!(faces.concat(), text.to_uppercase());
        for pair in faces.windows(2) {
            prop_assert!(set.tiles.parse_face(&pair.concat()).is_none(), "{:?}", faces);
        }
    }

    /// Any text is spelled or refused, and the report counts every entry once.
    #[test]
    fn any_text_is_spelled_or_refused(text in any::<String>(), language in any::<prop::sample::Index>()) {
        let set = language.get(NamedTileSet::builtins());
        let mut compiler = Compiler::new(set, Capitalised::Words);
        let mut count = 0;
        for entry in entries(&text, Columns::All) {
            compiler.entry(entry).unwrap();
            count += 1;
        }
        let report = match compiler.finish() {
            Ok(compiled) => {
                FstLexicon::from_bytes("list", compiled.bytes).unwrap();
                compiled.report
            }
            Err(CompileError::NoWords(report)) => *report,
            Err(error) => panic!("{error}"),
        };
        prop_assert_eq!(report.entries, count);
    }
}

/// The built-in list, compiled again from the crate it is made of: the same words.
#[test]
fn the_built_in_list_comes_out_the_same() {
    let builtin = FstLexicon::builtin();
    let listed = all(&builtin);
    let spaced: Vec<String> = listed.iter().map(|word| word.replace(' ', "")).collect();
    let (lexicon, report) = compiled(
        &tiles("english"),
        &spaced.iter().map(String::as_str).collect::<Vec<_>>(),
    );
    assert_eq!(report.words, builtin.words());
    assert_eq!(all(&lexicon), listed);
    assert_eq!(lexicon.by_length(), builtin.by_length());
    assert_eq!(builtin.language(), "english");
    assert!(builtin.fits(&tiles("words-with-friends-english").tiles));
    assert!(!builtin.fits(&tiles("spanish").tiles));
}

/// 009-C: digraphs, accents and special letters, language by language.
#[test]
fn every_language_spells_with_its_own_tiles() {
    for (language, word, spelled) in [
        ("english", "naïve", Ok("N A I V E")),
        ("english", "œdema", Ok("O E D E M A")),
        ("english", "ﬁn", Ok("F I N")),
        ("english", "søt", Err(Unspelled::Unknown('Ø'))),
        ("spanish", "chorro", Ok("CH O RR O")),
        ("spanish", "Llama", Ok("LL A M A")),
        ("spanish", "pingüino", Ok("P I N G U I N O")),
        ("spanish", "NIÑO", Ok("N I Ñ O")),
        ("spanish", "nin\u{303}o", Ok("N I Ñ O")),
        ("spanish", "kilo", Err(Unspelled::Unknown('K'))),
        ("catalan", "pel·lícula", Ok("P E L·L I C U L A")),
        ("catalan", "col.legi", Ok("C O L·L E G I")),
        ("catalan", "coŀlegi", Ok("C O L·L E G I")),
        ("catalan", "aquí", Ok("A QU I")),
        ("catalan", "qüestió", Ok("QU E S T I O")),
        ("catalan", "anyada", Ok("A NY A D A")),
        ("catalan", "plaça", Ok("P L A Ç A")),
        ("catalan", "a.b", Err(Unspelled::Separated)),
        ("catalan", "iraq", Err(Unspelled::Unspellable('Q'))),
        ("catalan", "ioga-yin", Err(Unspelled::Separated)),
        ("german", "Straße", Ok("S T R A S S E")),
        ("german", "GROẞ", Ok("G R O S S")),
        ("german", "äpfel", Ok("Ä P F E L")),
        ("french", "cœur", Ok("C O E U R")),
        ("french", "garçon", Ok("G A R C O N")),
        ("french", "aujourd'hui", Err(Unspelled::Separated)),
        ("french", "l’an", Err(Unspelled::Separated)),
        ("polish", "łódź", Ok("Ł Ó D Ź")),
        ("danish", "a\u{30a}l", Ok("Å L")),
        ("danish", "ærø", Ok("Æ R Ø")),
        ("swedish", "båt", Ok("B Å T")),
        ("norwegian", "søt", Ok("S Ø T")),
        ("dutch", "ĳs", Ok("I J S")),
        ("dutch", "coördinatie", Ok("C O O R D I N A T I E")),
        ("portuguese", "ação", Ok("A Ç A O")),
        ("slovene", "čaša", Ok("Č A Š A")),
    ] {
        let set = tiles(language);
        let alphabet: Vec<String> = set
            .tiles
            .letters()
            .map(|letter| set.tiles.face(letter).to_owned())
            .collect();
        let found = Speller::new(&set)
            .spell(word)
            .map(|letters| faces(&alphabet, &letters));
        assert_eq!(found, spelled.map(str::to_owned), "{language} {word}");
    }
}

/// Two tiles cannot replace one that shows both faces, so C and H do not spell *chico*.
#[test]
fn a_digraph_is_one_letter_of_the_lexicon() {
    let set = tiles("spanish");
    let (lexicon, _) = compiled(&set, &["chico", "arroz"]);
    let letters = |faces: &[&str]| -> Vec<Letter> {
        let letters = faces.iter().map(|face| set.tiles.parse_face(face).unwrap());
        letters.collect()
    };
    assert!(lexicon.contains(&letters(&["CH", "I", "C", "O"])));
    assert!(!lexicon.contains(&letters(&["C", "H", "I", "C", "O"])));
    assert!(lexicon.contains(&letters(&["A", "RR", "O", "Z"])));
    assert_eq!(all(&lexicon), ["A RR O Z", "CH I C O"]);
    assert_eq!(lexicon.by_length()[4], 2);
}

fn left_out(report: &Report) -> Vec<(Reason, u64, Vec<&str>)> {
    let left_out = report.left_out.iter();
    left_out
        .map(|left| {
            let examples = left.examples.iter().map(String::as_str).collect();
            (left.reason, left.count, examples)
        })
        .collect()
}

/// 000-C-P3, 003-P3, 000-W-P6: a list may contain capitalised words, abbreviations, and words with a hyphen or an
/// apostrophe; none of them becomes a word.
#[test]
fn entries_that_are_not_words_are_counted_by_reason() {
    let long = "ab".repeat(11);
    let endless = "x".repeat(100_000);
    let (lexicon, report) = compiled(
        &tiles("english"),
        &[
            "cat", "Paris", "USA", "e-mail", "don't", "e.g.", "a", &long, &endless, "cat", "x2",
            "dog", "McDonald", "hot dog", "résumé", "resume", "zoë",
        ],
    );
    assert_eq!(all(&lexicon), ["C A T", "D O G", "R E S U M E", "Z O E"]);
    assert_eq!(
        (report.entries, report.words, report.duplicates),
        (17, 4, 2)
    );
    let cut = format!("{}…", "x".repeat(40));
    assert_eq!(
        left_out(&report),
        [
            (Reason::TooShort, 1, vec!["a"]),
            (Reason::TooLong, 2, vec![long.as_str(), cut.as_str()]),
            (Reason::Capitalised, 3, vec!["Paris", "USA", "McDonald"]),
            (
                Reason::Separated,
                4,
                vec!["e-mail", "don't", "e.g.", "hot dog"]
            ),
            (Reason::UnknownCharacter, 1, vec!["x2"]),
        ]
    );
}

/// A list in capitals is a list; a few small letters in it change nothing.
#[test]
fn a_list_in_capitals_is_accepted() {
    let english = tiles("english");
    let (lexicon, report) = compiled(&english, &["CAT", "DOG", "cow"]);
    assert_eq!(all(&lexicon), ["C A T", "C O W", "D O G"]);
    assert_eq!(report.left_out, []);
    let lower = compile(&english, ["cat", "dog", "cow"]).unwrap();
    let upper = compile(&english, ["CAT", "DOG", "COW"]).unwrap();
    assert_eq!(lower.bytes, upper.bytes);
}

/// German nouns have a capital: an option of the compiler accepts them.
#[test]
fn capitals_can_be_words() {
    let german = tiles("german");
    let list = ["Haus", "gehen", "laufen", "Tür"];
    let names = compile(&german, list).unwrap().report;
    assert_eq!((names.words, names.count(Reason::Capitalised)), (2, 2));
    let mut compiler = Compiler::new(&german, Capitalised::Words);
    for word in list {
        compiler.entry(word).unwrap();
    }
    let words = compiler.finish().unwrap().report;
    assert_eq!((words.words, words.count(Reason::Capitalised)), (4, 0));
}

#[test]
fn lists_are_read_in_every_encoding() {
    let read = |bytes: &[u8], columns| -> Vec<String> {
        let (text, _) = decode(bytes).unwrap();
        entries(&text, columns).map(str::to_owned).collect()
    };
    let utf8 = "\u{FEFF}# a list\r\n\r\ncafé\r\n  thé\t\n".as_bytes();
    assert_eq!(read(utf8, Columns::All), ["café", "thé"]);
    assert_eq!(read(b"caf\xe9\nth\xe9", Columns::All), ["café", "thé"]);
    assert_eq!(
        read(b"one\rtwo\r\nthree", Columns::All),
        ["one", "two", "three"]
    );
    let defined = b"aa lava [n AAS]\nab\ta muscle";
    assert_eq!(read(defined, Columns::First), ["aa", "ab"]);
    assert_eq!(
        read(defined, Columns::All),
        ["aa lava [n AAS]", "ab\ta muscle"]
    );
    assert!(decode(b"\xff\xfea\0b\0").is_err());
    assert!(decode(b"\x7fELF\0").is_err());
    assert_eq!(decode(b"").unwrap().0, "");
}

#[test]
fn a_list_without_words_makes_no_lexicon() {
    let english = tiles("english");
    for list in [vec![], vec!["a"], vec!["x-y", "1", ""]] {
        let entries = list.len() as u64;
        match compile(&english, list) {
            Err(CompileError::NoWords(report)) => {
                assert_eq!((report.entries, report.words), (entries, 0));
            }
            other => panic!("{other:?}"),
        }
    }
}
