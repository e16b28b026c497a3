//! Valid frames in unusual forms, and invalid frames, each with the result of the decoder.
//!
//! `protocol/tests/golden/v1-frames.jsonl` holds them for other implementations. `UPDATE_GOLDEN=1` adds lines for new
//! cases; it never changes an existing line.

mod cases;
mod numbers;
mod sizes;
mod texts;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use serde_json::{Value, json};
use tilewire_protocol::{
    Codec, DecodeError, decode_client, decode_server, encode_client, encode_server,
};

use crate::tree::Tree;

/// A frame and the result of decoding it.
#[derive(Debug, Clone)]
pub(super) struct Case {
    pub(super) name: String,
    pub(super) from: From,
    pub(super) codec: Codec,
    /// Pieces of the frame, each with the number of its repetitions.
    pub(super) pieces: Vec<(Vec<u8>, usize)>,
    /// `ok`, or the code of the error.
    pub(super) expect: &'static str,
}

/// The sender of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum From {
    Client,
    Server,
}

impl Case {
    pub(super) fn packed(name: &str, frame: &[u8], expect: &'static str) -> Self {
        Self {
            name: name.to_owned(),
            from: From::Client,
            codec: Codec::MsgPack,
            pieces: vec![(frame.to_vec(), 1)],
            expect,
        }
    }

    pub(super) fn text(name: &str, frame: &str, expect: &'static str) -> Self {
        Self {
            codec: Codec::Json,
            ..Self::packed(name, frame.as_bytes(), expect)
        }
    }

    /// The same message in both encodings.
    pub(super) fn both(name: &str, message: &Value, expect: &'static str) -> [Self; 2] {
        [
            Self::text(name, &message.to_string(), expect),
            Self::packed(name, &Tree::of(message).write(), expect),
        ]
    }

    pub(super) fn of_server(self) -> Self {
        Self {
            from: From::Server,
            ..self
        }
    }

    fn line(&self) -> String {
        let codec = match self.codec {
            Codec::MsgPack => "msgpack",
            Codec::Json => "json",
        };
        let from = match self.from {
            From::Client => "client",
            From::Server => "server",
        };
        let pieces: Vec<String> = self
            .pieces
            .iter()
            .map(|(bytes, times)| match times {
                1 => HEXLOWER.encode(bytes),
                _ => format!("{}*{times}", HEXLOWER.encode(bytes)),
            })
            .collect();
        let whole = match self.pieces.as_slice() {
            [(bytes, 1)] if self.codec == Codec::Json => String::from_utf8(bytes.clone()).ok(),
            _ => None,
        };
        let (key, frame) = match whole {
            Some(text) => ("text", text),
            None => ("bytes", pieces.join(" ")),
        };
        let (name, expect) = (json!(self.name), json!(self.expect));
        let frame = json!(frame);
        format!(
            r#"{{"name":{name},"from":"{from}","encoding":"{codec}","expect":{expect},"{key}":{frame}}}"#
        )
    }
}

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

fn all() -> Vec<Case> {
    let mut all = cases::all();
    all.extend(numbers::all());
    all.extend(sizes::all());
    all.extend(texts::all());
    all
}

#[test]
fn every_case_is_in_the_file() {
    let path = golden().join("v1-frames.jsonl");
    let mut text = fs::read_to_string(&path).unwrap_or_default();
    let known: BTreeSet<&str> = text.lines().collect();
    let lines: Vec<String> = all().iter().map(Case::line).collect();
    let new: Vec<&String> = lines
        .iter()
        .filter(|line| !known.contains(line.as_str()))
        .collect();
    if !new.is_empty() && std::env::var_os("UPDATE_GOLDEN").is_some() {
        let new: String = new.iter().map(|line| format!("{line}\n")).collect();
        text.push_str(&new);
        fs::write(&path, &text).unwrap();
    } else {
        assert!(new.is_empty(), "not in v1-frames.jsonl: {new:#?}");
    }
    let gone: Vec<&str> = text
        .lines()
        .filter(|line| !lines.iter().any(|new| new == line))
        .collect();
    assert!(
        gone.is_empty(),
        "changed or gone from v1-frames.jsonl: {gone:#?}"
    );
    let names: BTreeSet<&str> = text.lines().collect();
    assert_eq!(names.len(), text.lines().count(), "a line comes twice");
}

/// Reads the file as another implementation would.
#[test]
fn the_decoders_do_as_the_file_says() {
    let text = fs::read_to_string(golden().join("v1-frames.jsonl")).unwrap();
    let mut wrong = Vec::new();
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let frame = match case["text"].as_str() {
            Some(text) => text.as_bytes().to_vec(),
            None => bytes(case["bytes"].as_str().unwrap()),
        };
        let codec = match case["encoding"].as_str().unwrap() {
            "msgpack" => Codec::MsgPack,
            "json" => Codec::Json,
            other => panic!("no encoding {other}"),
        };
        let outcome = match case["from"].as_str().unwrap() {
            "client" => outcome(decode_client(codec, &frame)),
            "server" => outcome(decode_server(codec, &frame)),
            other => panic!("unknown sender {other}"),
        };
        if case["expect"] != outcome {
            wrong.push(format!("{outcome}: {}", &line[..line.len().min(300)]));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(text.lines().count() > 300);
}

fn outcome<T>(decoded: Result<T, DecodeError>) -> &'static str {
    match decoded {
        Ok(_) => "ok",
        Err(error) => error.code.as_str(),
    }
}

/// Decodes hexadecimal pieces that blanks separate. `*N` after a piece repeats it N times.
fn bytes(notation: &str) -> Vec<u8> {
    notation
        .split_whitespace()
        .flat_map(|piece| {
            let (hex, times) = piece.split_once('*').unwrap_or((piece, "1"));
            HEXLOWER
                .decode(hex.as_bytes())
                .unwrap()
                .repeat(times.parse().unwrap())
        })
        .collect()
}

/// Every recorded message of version 1 stays valid: the test reads the files without the examples from which they were
/// made.
#[test]
fn the_oldest_messages_are_read_for_ever() {
    let mut read = 0;
    for entry in fs::read_dir(golden().join("v1")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).unwrap();
        let (codec, frame) = if name.ends_with(".json") {
            (Codec::Json, text.trim_end().as_bytes().to_vec())
        } else {
            (
                Codec::MsgPack,
                HEXLOWER.decode(text.replace('\n', "").as_bytes()).unwrap(),
            )
        };
        let again = if name.starts_with("client_") {
            let (id, message) = decode_client(codec, &frame).unwrap();
            encode_client(codec, id, &message)
        } else {
            let (id, message) = decode_server(codec, &frame).unwrap();
            encode_server(codec, id, &message)
        };
        // The message must also encode to the same bytes, so a new field is optional.
        assert_eq!(again, frame, "{name}");
        read += 1;
    }
    assert!(read >= 210, "only {read} files are left");
}
