//! Every error code in both encodings and every close code by its number, fixed for ever.
//!
//! `UPDATE_GOLDEN=1` adds lines at the end for new codes. It never changes or moves an existing line.

use std::fs;
use std::path::Path;

use data_encoding::HEXLOWER;
use tilewire_protocol::{CloseCode, Codec, ErrorBody, ErrorCode, ServerMessage, encode_server};

/// Compares a list with its file: every line of one is in the other.
fn check(file: &str, lines: &[String]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(file);
    let mut golden = fs::read_to_string(&path).unwrap_or_default();
    let is_new = |line: &&String| !golden.lines().any(|known| known == *line);
    let new: Vec<&String> = lines.iter().filter(is_new).collect();
    if !new.is_empty() && std::env::var_os("UPDATE_GOLDEN").is_some() {
        golden.extend(new.iter().map(|line| format!("{line}\n")));
        fs::write(&path, &golden).unwrap();
    } else {
        assert!(new.is_empty(), "not in {file}: {new:#?}");
    }
    let gone: Vec<&str> = golden
        .lines()
        .filter(|known| !lines.iter().any(|line| line == known))
        .collect();
    assert!(gone.is_empty(), "changed or gone from {file}: {gone:#?}");
}

#[test]
fn every_error_code_has_its_golden_bytes() {
    let lines: Vec<String> = ErrorCode::ALL
        .iter()
        .map(|&code| {
            let message = ServerMessage::Error(ErrorBody::new(code, "m"));
            let text = encode_server(Codec::Json, 1, &message);
            let packed = encode_server(Codec::MsgPack, 1, &message);
            let text = String::from_utf8(text).unwrap();
            format!("{text} {}", HEXLOWER.encode(&packed))
        })
        .collect();
    check("v1-errors.txt", &lines);
}

#[test]
fn every_close_code_has_its_number_and_advice() {
    let lines: Vec<String> = CloseCode::ALL
        .iter()
        .map(|code| format!("{code}: {}", code.reconnect().as_str()))
        .collect();
    check("v1-closes.txt", &lines);
}
