//! Limits: the last that is taken and the first that is not, and bombs.

use serde_json::{Map, Value, json};
use tilewire_protocol::limits;

use super::Case;

pub(super) fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    cases.extend(lengths());
    cases.extend(nesting());
    cases.extend(frames());
    cases
}

fn lengths() -> Vec<Case> {
    let a = |len: usize| "a".repeat(len);
    let resign = |cmd_id: String| json!(["resign", 1, { "game": "g", "cmd_id": cmd_id }]);
    let detach = |game: String| json!(["detach", 1, { "game": game }]);
    let play = |start: &str, tiles: Vec<String>| json!(["play", 1, { "game": "g", "cmd_id": "c", "turn_no": 1, "start": start, "tiles": tiles }]);
    let tiles = |count: usize| vec![a(1); count];
    let auth = |client: String| json!(["auth", 1, { "client": client }]);
    let join = |code: String| json!(["join_seek", 1, { "cmd_id": "c", "code": code }]);
    let rule_set = |name: String| json!(["rule_set", 1, { "rule_set": name }]);
    let map = |entries: usize| {
        let fields: Map<String, Value> =
            (0..entries).map(|i| (format!("x{i}"), json!(1))).collect();
        json!(["time", 1, fields])
    };
    [
        (
            "a command id of 40",
            resign(a(limits::CMD_ID_MAX_BYTES)),
            "ok",
        ),
        (
            "a command id of 41",
            resign(a(limits::CMD_ID_MAX_BYTES + 1)),
            "bad_field",
        ),
        ("an id of 32", detach(a(limits::ID_MAX_BYTES)), "ok"),
        (
            "an id of 33",
            detach(a(limits::ID_MAX_BYTES + 1)),
            "bad_field",
        ),
        (
            "32 tiles",
            play("8H", tiles(limits::REQUEST_TILES_MAX)),
            "ok",
        ),
        (
            "33 tiles",
            play("8H", tiles(limits::REQUEST_TILES_MAX + 1)),
            "too_large",
        ),
        (
            "a face of 16 bytes",
            play("8H", vec![a(limits::FACE_MAX_BYTES)]),
            "ok",
        ),
        (
            "a face of 17 bytes",
            play("8H", vec![a(limits::FACE_MAX_BYTES + 1)]),
            "bad_field",
        ),
        ("a start of 4 bytes", play("12AA", tiles(1)), "ok"),
        ("a start of 5 bytes", play("123AA", tiles(1)), "too_large"),
        (
            "a client of 64 bytes",
            auth(a(limits::CLIENT_NAME_MAX_BYTES)),
            "ok",
        ),
        (
            "a client of 65 bytes",
            auth(a(limits::CLIENT_NAME_MAX_BYTES + 1)),
            "too_large",
        ),
        ("a code of 32 bytes", join(a(limits::CODE_MAX_BYTES)), "ok"),
        (
            "a code of 33 bytes",
            join(a(limits::CODE_MAX_BYTES + 1)),
            "too_large",
        ),
        (
            "a name of a rule set of 64 bytes",
            rule_set(a(limits::CATALOGUE_NAME_MAX_BYTES)),
            "ok",
        ),
        (
            "a name of a rule set of 65 bytes",
            rule_set(a(limits::CATALOGUE_NAME_MAX_BYTES + 1)),
            "too_large",
        ),
        ("a map of 64", map(limits::MAP_ENTRIES_MAX), "ok"),
        ("a map of 65", map(limits::MAP_ENTRIES_MAX + 1), "too_large"),
    ]
    .into_iter()
    .flat_map(|(name, message, expect)| Case::both(name, &message, expect))
    .chain(bytes())
    .collect()
}

fn bytes() -> Vec<Case> {
    let ready = |len: u8| {
        [
            &b"\x93\xa5ready\x01\x83\xa4game\xa1g\xa6cmd_id\xa1c\xa5nonce\xc4"[..],
            &[len],
            &vec![7; usize::from(len)],
        ]
        .concat()
    };
    let join = |len: u8| {
        [
            &b"\x93\xa9join_seek\x01\x83\xa4seek\xa1s\xa6cmd_id\xa1c\xaanonce_hash\xc4"[..],
            &[len],
            &vec![7; usize::from(len)],
        ]
        .concat()
    };
    vec![
        Case::packed("an empty nonce", &ready(0), "ok"),
        Case::packed("a nonce of 32", &ready(32), "ok"),
        Case::packed("a nonce of 33", &ready(33), "bad_field"),
        Case::packed("a hash of 31", &join(31), "bad_field"),
        Case::packed("a hash of 32", &join(32), "ok"),
        Case::packed("a hash of 33", &join(33), "bad_field"),
    ]
}

fn nesting() -> Vec<Case> {
    // The envelope and the body are the first two levels.
    let lists = |levels: usize| (0..levels).fold(json!(1), |inner, _| json!([inner]));
    let maps = |levels: usize| (0..levels).fold(json!(1), |inner, _| json!({ "x": inner }));
    let most = limits::NESTING_MAX - 2;
    let mut cases: Vec<Case> = [
        ("lists 16 deep", lists(most), "ok"),
        ("lists 17 deep", lists(most + 1), "bad_frame"),
        ("maps 16 deep", maps(most), "ok"),
        ("maps 17 deep", maps(most + 1), "bad_frame"),
    ]
    .into_iter()
    .flat_map(|(name, x, expect)| Case::both(name, &json!(["time", 1, { "x": x }]), expect))
    .collect();
    let head = (br#"["time",1,{"x":"#.to_vec(), 1);
    let packed_head = (b"\x93\xa4time\x01\x81\xa1x".to_vec(), 1);
    for (name, piece) in [("[", &b"["[..]), ("maps in maps", br#"{"x":"#)] {
        let mut case = Case::text(&format!("a bomb of {name}"), "", "bad_frame");
        case.pieces = vec![head.clone(), (piece.to_vec(), 3_000)];
        cases.push(case);
    }
    for (name, piece) in [
        ("lists", &b"\x91"[..]),
        ("maps", b"\x81\xa1x"),
        ("lists that lie about their length", b"\xdd\x7f\xff\xff\xff"),
    ] {
        let mut case = Case::packed(&format!("a bomb of {name}"), b"", "bad_frame");
        case.pieces = vec![packed_head.clone(), (piece.to_vec(), 3_000)];
        cases.push(case);
    }
    cases
}

/// Frames as large as may be, and a byte larger.
fn frames() -> Vec<Case> {
    let most = limits::CLIENT_FRAME_MAX_BYTES;
    let head = br#"["time",1,{"x":""#;
    let tail = br#""}]"#;
    let packed_head = b"\x93\xa4time\x01\x81\xa1x\xda";
    let mut cases = Vec::new();
    for (more, expect) in [(0, "ok"), (1, "too_large")] {
        let name = format!("a frame of {} bytes", most + more);
        let mut case = Case::text(&name, "", expect);
        let filling = most + more - head.len() - tail.len();
        case.pieces = vec![
            (head.to_vec(), 1),
            (b"a".to_vec(), filling),
            (tail.to_vec(), 1),
        ];
        cases.push(case);
        let mut case = Case::packed(&name, b"", expect);
        let filling = most + more - packed_head.len() - 2;
        let len = u16::try_from(filling).unwrap().to_be_bytes();
        case.pieces = vec![
            ([&packed_head[..], &len].concat(), 1),
            (b"a".to_vec(), filling),
        ];
        cases.push(case);
    }
    cases
}
