//! Golden bytes: the permanent encoding of every message of version 1.
//!
//! `UPDATE_GOLDEN=1` writes files that are missing. It never changes one: bytes that were released stay valid.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use tilewire_protocol::{Codec, decode_client, decode_server};

use crate::examples::{self, Example, Message};

#[test]
fn every_message_has_its_golden_bytes() {
    for example in examples::all() {
        for codec in Codec::ALL {
            let bytes = example.encode(codec);
            let path = path(&example, codec);
            if !path.exists() && std::env::var_os("UPDATE_GOLDEN").is_some() {
                fs::write(&path, text_of(codec, &bytes)).unwrap();
            }
            let golden = golden(&path, codec);
            assert!(
                golden == bytes,
                "{} differs; now:\n{}",
                path.display(),
                text_of(codec, &bytes)
            );
        }
    }
}

#[test]
fn golden_bytes_decode_to_their_message() {
    for example in examples::all() {
        for codec in Codec::ALL {
            let golden = golden(&path(&example, codec), codec);
            let (id, message) = match example.message {
                Message::Client(_) => {
                    let (id, message) = decode_client(codec, &golden).unwrap();
                    (id, Message::Client(message))
                }
                Message::Server(_) => {
                    let (id, message) = decode_server(codec, &golden).unwrap();
                    (id, Message::Server(message))
                }
            };
            assert_eq!(
                (id, &message),
                (example.id, &example.message),
                "{}",
                example.name
            );
        }
    }
}

#[test]
fn no_golden_file_is_without_its_message() {
    let expected: BTreeSet<PathBuf> = examples::all()
        .iter()
        .flat_map(|example| Codec::ALL.map(|codec| path(example, codec)))
        .collect();
    let found: BTreeSet<PathBuf> = fs::read_dir(directory())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert_eq!(found, expected);
}

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/v1")
}

fn path(example: &Example, codec: Codec) -> PathBuf {
    let extension = match codec {
        Codec::MsgPack => "msgpack.hex",
        Codec::Json => "json",
    };
    directory().join(format!("{}.{extension}", example.name))
}

fn text_of(codec: Codec, bytes: &[u8]) -> String {
    match codec {
        Codec::MsgPack => bytes
            .chunks(32)
            .map(|line| HEXLOWER.encode(line) + "\n")
            .collect(),
        Codec::Json => String::from_utf8(bytes.to_vec()).unwrap() + "\n",
    }
}

fn golden(path: &Path, codec: Codec) -> Vec<u8> {
    let text = fs::read_to_string(path)
        .unwrap_or_else(|error| panic!("{}: {error}; UPDATE_GOLDEN=1 writes it", path.display()));
    match codec {
        Codec::MsgPack => HEXLOWER.decode(text.replace('\n', "").as_bytes()).unwrap(),
        Codec::Json => text.trim_end_matches('\n').as_bytes().to_vec(),
    }
}
