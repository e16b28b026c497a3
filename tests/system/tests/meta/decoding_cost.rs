//! Decoding untrusted input costs memory and allocations at most linear in its bytes.
//!
//! The test counts allocations. Times would say as much about the machine as about the decoder.

use std::fmt::Write;

use allocation_counter::measure;
use tilewire_protocol::limits::{CLIENT_FRAME_MAX_BYTES, SERVER_FRAME_MAX_BYTES};
use tilewire_system::fuzz;

/// Bytes of memory at once for each byte of input: an empty text takes one byte on the wire and a header in memory, lists
/// grow by doubling, a refused frame is read a second time, and the targets encode the decoded value again. The maximum
/// found is 100, for a rule set that consists of brackets only.
const BYTES_PER_BYTE: u64 = 128;

/// Allocations for each byte of input.
const ALLOCATIONS_PER_BYTE: u64 = 2;

/// The cost of empty input: tables, buffers, a board.
const AT_LEAST: u64 = 128 * 1024;

/// Bytes of a file that is tried.
const FILE_BYTES: usize = 200_000;

/// An input that grows: so many pieces between a head and a tail.
struct Family {
    targets: &'static [&'static str],
    head: &'static [u8],
    piece: &'static [u8],
    tail: &'static [u8],
}

const fn family(
    targets: &'static [&'static str],
    head: &'static [u8],
    piece: &'static [u8],
    tail: &'static [u8],
) -> Family {
    Family {
        targets,
        head,
        piece,
        tail,
    }
}

const PACKED: &[&str] = &["client_msgpack", "server_msgpack"];
const JSON: &[&str] = &["client_json", "server_json"];
const X: &[u8] = b"\x93\xa4time\x01\x81\xa1x";
const X_LIST: &[u8] = b"\x93\xa4time\x01\x81\xa1x\xdd\x00\x00\x20\x00";
const JSON_X: &[u8] = br#"["time",1,{"x":["#;
const TILES: &[u8] = b"\x93\xa4play\x01\x85\xa4game\xa1g\xa6cmd_id\xa1c\xa7turn_no\x01\xa5start\xa28H\xa5tiles\xdc\x20\x00";
const ROUNDS: &[u8] = b"\x93\xa5event\x00\x86\xa4game\xa1g\xa3seq\x01\xa2at\x01\xa4kind\xabboard_drawn\xa5first\x00\xa6layout\xdd\x00\x04\x00\x00";

const FAMILIES: &[Family] = &[
    family(PACKED, X, b"\x91", b""),
    family(PACKED, X, b"\x81\xa1x", b""),
    family(PACKED, X_LIST, b"\x90", b""),
    family(PACKED, X_LIST, b"\x80", b""),
    family(PACKED, X_LIST, b"\xa0", b""),
    family(PACKED, X_LIST, b"\xc4\x00", b""),
    family(PACKED, X, b"\xdd\x7f\xff\xff\xff", b""),
    family(PACKED, X, b"\xdf\x00\x00\x00\x40", b""),
    family(&["client_msgpack"], TILES, b"\xa1A", b""),
    family(&["server_msgpack"], ROUNDS, b"\xa0", b""),
    family(
        &["server_json"],
        br#"["event",0,{"game":"g","seq":1,"at":1,"kind":"board_drawn","layout":["#,
        br#""","#,
        br#"""]}]"#,
    ),
    family(
        &["server_json"],
        br#"["event",0,{"game":"g","seq":1,"at":1,"kind":"order_drawn","first":0,"rounds":["#,
        b"[],",
        b"[]]}]",
    ),
    family(JSON, JSON_X, b"1,", b"1]}]"),
    family(JSON, JSON_X, b"{},", b"1]}]"),
    family(JSON, JSON_X, b"[[[]]],", b"1]}]"),
    family(JSON, JSON_X, br#""\u0041","#, b"1]}]"),
    family(JSON, JSON_X, br#"{"a":1,"b":2},"#, b"1]}]"),
    family(JSON, br#"["time",1,{"x":"#, b"[", b""),
    family(JSON, br#"["rename",1,{"name":""#, br"\n", br#""}]"#),
    family(
        &["client_json"],
        br#"["play",1,{"game":"g","cmd_id":"c","turn_no":1,"start":"8H","tiles":["#,
        br#""A","#,
        br#""A"]}]"#,
    ),
    family(
        &["gcg"],
        b"#player1 A Ann\n#player2 B Bob\n",
        b">A: AB - +0 0\n",
        b"",
    ),
    family(
        &["gcg"],
        b"#player1 A Ann\n#player2 B Bob\n",
        b"#note long\n",
        b"",
    ),
    family(&["gcg"], b"", b"#", b""),
    family(&["gcg"], b"#player1 A Ann\n>A: ", b"A", b" 8H A +1 1\n"),
    family(&["native"], b"", b"{}\n", b""),
    family(&["native"], b"", b"[", b""),
    family(&["cgp"], b"", b"15/", b" / 0/0 0"),
    family(&["cgp"], b"", b"1", b" / 0/0 0"),
    family(&["cgp"], b"", b"A", b" / 0/0 0"),
    family(&["word_list"], b"", b"aa\n", b""),
    family(&["word_list"], b"horn\n", b"a", b""),
    family(&["lexicon"], b"\x03\0\0\0\0\0\0\0", b"\0", b"\0\0\0\0"),
    family(
        &["lexicon"],
        b"\x03\0\0\0\0\0\0\0",
        b"\x10\x91",
        b"\0\0\0\0",
    ),
    family(&["rule_set", "tile_set"], b"", b"a = 1\n", b""),
    family(&["rule_set", "tile_set"], b"a = ", b"[", b""),
    family(&["rule_set", "tile_set"], b"", b"[[tiles]]\n", b""),
];

/// The most that a target reads at once.
fn most(target: &str) -> usize {
    match target {
        "client_msgpack" | "client_json" => CLIENT_FRAME_MAX_BYTES,
        "server_msgpack" | "server_json" => SERVER_FRAME_MAX_BYTES,
        _ => FILE_BYTES,
    }
}

#[test]
fn decoding_allocates_at_most_linearly() {
    let mut report = String::new();
    for family in FAMILIES {
        for target in family.targets {
            // The first run also initializes static tables, which are not counted.
            fuzz::run(target, family.head);
            let most = most(target) - family.head.len() - family.tail.len();
            for part in [8, 4, 2, 1] {
                let pieces = most / part / family.piece.len();
                let input = [family.head, &family.piece.repeat(pieces), family.tail].concat();
                let size = u64::try_from(input.len()).expect("a size");
                let cost = measure(|| fuzz::run(target, &input));
                if cost.bytes_max > AT_LEAST + BYTES_PER_BYTE * size
                    || cost.count_total > AT_LEAST / 64 + ALLOCATIONS_PER_BYTE * size
                {
                    let start = String::from_utf8_lossy(&input[..input.len().min(40)]);
                    writeln!(report, "{target}, {size} bytes {start:?}: {cost:?}").expect("text");
                }
            }
        }
    }
    assert!(report.is_empty(), "{report}");
}

/// A frame that is larger than may be is refused before it is looked at.
#[test]
fn a_frame_that_is_too_large_allocates_nothing() {
    for (target, most) in [
        ("client_msgpack", CLIENT_FRAME_MAX_BYTES),
        ("client_json", CLIENT_FRAME_MAX_BYTES),
        ("server_msgpack", SERVER_FRAME_MAX_BYTES),
        ("server_json", SERVER_FRAME_MAX_BYTES),
    ] {
        let frame = vec![b'['; most + 1];
        let cost = measure(|| fuzz::run(target, &frame));
        assert!(cost.bytes_max < 1_000, "{target}: {cost:?}");
    }
}
