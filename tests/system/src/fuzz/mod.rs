//! Fuzzing targets: every reader of untrusted input as a function of bytes that must not panic.
//!
//! Where a value can be written again, the target compares it with the input. `tests/system/tests/meta/fuzz.rs` replays the inputs
//! of `tests/corpora`; `fuzz/` searches new ones.

mod actions;
mod config;
mod token;

use std::sync::{Arc, LazyLock};

use tilewire_protocol::{
    Codec, DecodeError, decode_client, decode_server, encode_client, encode_server,
};
use tilewire_rules::lexicon::{
    Capitalised, Columns, Compiler, FstLexicon, Lexicon, Speller, decode, entries,
};
use tilewire_rules::record::{cgp, check_gcg, check_native, gcg, native, verify_bag};
use tilewire_rules::ruleset::RuleSet;
use tilewire_rules::tile_sets::NamedTileSet;

/// Every target by name.
pub const TARGETS: &[&str] = &[
    "client_msgpack",
    "client_json",
    "server_msgpack",
    "server_json",
    "gcg",
    "native",
    "cgp",
    "lexicon",
    "word_list",
    "rule_set",
    "tile_set",
    "config",
    "actions",
    "token",
];

/// Longest text of a refusal on the wire, characters.
const REFUSAL_MAX_CHARS: usize = 200;

static CLASSIC: LazyLock<Arc<RuleSet>> = LazyLock::new(RuleSet::classic);

/// Hands `data` to a target.
///
/// # Panics
/// When there is a fault, or no such target.
pub fn run(target: &str, data: &[u8]) {
    match target {
        "client_msgpack" => request(Codec::MsgPack, data),
        "client_json" => request(Codec::Json, data),
        "server_msgpack" => message(Codec::MsgPack, data),
        "server_json" => message(Codec::Json, data),
        "gcg" => gcg_file(data),
        "native" => native_file(data),
        "cgp" => position(data),
        "lexicon" => lexicon_file(data),
        "word_list" => word_list(data),
        "rule_set" => rule_set_file(data),
        "tile_set" => tile_set_file(data),
        "config" => config::file(data),
        "actions" => actions::game(data),
        "token" => token::shown(data),
        other => panic!("there is no target {other}"),
    }
}

fn request(codec: Codec, data: &[u8]) {
    match decode_client(codec, data) {
        Ok((id, message)) => {
            for codec in Codec::ALL {
                let frame = encode_client(codec, id, &message);
                let again = decode_client(codec, &frame).expect("written text can be read");
                assert_eq!(again, (id, message.clone()));
                assert_eq!(again.1.fingerprint(), message.fingerprint());
            }
        }
        Err(error) => refused(&error),
    }
}

fn message(codec: Codec, data: &[u8]) {
    match decode_server(codec, data) {
        Ok((id, message)) => {
            for codec in Codec::ALL {
                let frame = encode_server(codec, id, &message);
                let again = decode_server(codec, &frame).expect("written text can be read");
                assert_eq!(again, (id, message.clone()));
            }
        }
        Err(error) => refused(&error),
    }
}

/// A refusal can be sent, and does not echo the frame.
fn refused(error: &DecodeError) {
    assert!(error.message.chars().count() <= REFUSAL_MAX_CHARS);
    assert!(!error.message.is_empty());
    let field = error.field.as_deref().unwrap_or_default();
    assert!(field.chars().count() <= REFUSAL_MAX_CHARS);
}

fn gcg_file(data: &[u8]) {
    let Ok(read) = gcg::read(data) else {
        return;
    };
    let _report = check_gcg(&read, &CLASSIC, None);
    let written = gcg::write(&read);
    gcg::read(written.as_bytes()).expect("written text can be read");
}

fn native_file(data: &[u8]) {
    let Ok((_, records)) = native::read(data) else {
        return;
    };
    let _report = check_native(&CLASSIC, &records, None);
    let _steps = verify_bag(&CLASSIC, &records);
    let _finished = native::is_finished(&records);
    if let Ok(converted) = gcg::from_log(&CLASSIC, &records) {
        let _text = gcg::write(&converted);
    }
    let written = native::write(&records, None).expect("a value that was read can be written");
    let (_, again) = native::read(written.as_bytes()).expect("written text can be read");
    assert_eq!(again, records);
}

fn position(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    if let Ok(read) = cgp::parse(text, &CLASSIC.tiles) {
        let written = cgp::write(&read, &CLASSIC.tiles);
        let again = cgp::parse(&written, &CLASSIC.tiles);
        assert_eq!(again.expect("written text can be read"), read);
    }
}

fn lexicon_file(data: &[u8]) {
    for bytes in [data.to_vec(), sealed(data)] {
        let Ok(lexicon) = FstLexicon::from_bytes("list", bytes) else {
            continue;
        };
        let mut words = 0;
        lexicon.for_each(|word| {
            words += 1;
            assert!(lexicon.contains(word), "a word of the list is in it");
        });
        assert_eq!(words, lexicon.words());
    }
}

/// The same bytes with a valid checksum (masked CRC-32C), as in a forged file.
fn sealed(data: &[u8]) -> Vec<u8> {
    let mut bytes = data.to_vec();
    let Some(end) = bytes.len().checked_sub(4) else {
        return bytes;
    };
    let sum = bytes[..end].iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            (sum >> 1) ^ (0x82F6_3B78 & (sum & 1).wrapping_neg())
        })
    });
    let masked = (!sum).rotate_right(15).wrapping_add(0xA282_EAD8);
    bytes[end..].copy_from_slice(&masked.to_le_bytes());
    bytes
}

fn word_list(data: &[u8]) {
    let Ok((text, _)) = decode(data) else {
        return;
    };
    let set = NamedTileSet::builtin("english").expect("English tiles are built in");
    for (columns, capitalised) in [
        (Columns::All, Capitalised::Names),
        (Columns::First, Capitalised::Words),
    ] {
        let mut compiler = Compiler::new(&set, capitalised);
        for entry in entries(&text, columns) {
            if compiler.entry(entry).is_err() {
                return;
            }
        }
        if let Ok(compiled) = compiler.finish() {
            FstLexicon::from_bytes("list", compiled.bytes)
                .expect("a compiled lexicon can be opened");
        }
    }
}

fn rule_set_file(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    if let Ok(rules) = RuleSet::parse(text, "own.toml") {
        assert!(rules.layout.rows() > 0 && rules.layout.cols() > 0);
        assert!(rules.rack_size > 0);
    }
}

fn tile_set_file(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    if let Ok(set) = NamedTileSet::parse(text, "own.toml") {
        let speller = Speller::new(&set);
        for letter in set.tiles.letters() {
            let face = set.tiles.face(letter);
            assert!(!face.is_empty());
            let _spelled = speller.spell(face);
        }
    }
}
