//! Numbers: every form of an integer, the limits of every width, and values that are not integers.

use super::Case;

pub(super) fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    cases.extend(packed_forms());
    cases.extend(packed_values());
    cases.extend(text_numbers());
    cases
}

/// `accept` with a `play_id`.
fn accept(play_id: &[u8]) -> Vec<u8> {
    [
        &b"\x93\xa6accept\x01\x83\xa4game\xa1g\xa6cmd_id\xa1c\xa7play_id"[..],
        play_id,
    ]
    .concat()
}

/// The number 5 in all its forms, as a field and as an id.
fn packed_forms() -> Vec<Case> {
    let forms: [(&str, &[u8]); 9] = [
        ("shortest", b"\x05"),
        ("unsigned, 8 bits", b"\xcc\x05"),
        ("unsigned, 16 bits", b"\xcd\x00\x05"),
        ("unsigned, 32 bits", b"\xce\x00\x00\x00\x05"),
        ("unsigned, 64 bits", b"\xcf\x00\x00\x00\x00\x00\x00\x00\x05"),
        ("signed, 8 bits", b"\xd0\x05"),
        ("signed, 16 bits", b"\xd1\x00\x05"),
        ("signed, 32 bits", b"\xd2\x00\x00\x00\x05"),
        ("signed, 64 bits", b"\xd3\x00\x00\x00\x00\x00\x00\x00\x05"),
    ];
    forms
        .into_iter()
        .flat_map(|(form, five)| {
            let as_id = [&b"\x93\xa4time"[..], five, b"\x80"].concat();
            [
                Case::packed(&format!("5 as a field, {form}"), &accept(five), "ok"),
                Case::packed(&format!("5 as an id, {form}"), &as_id, "ok"),
            ]
        })
        .collect()
}

fn packed_values() -> Vec<Case> {
    let values: [(&str, &[u8], &str); 12] = [
        ("2^53 - 1", b"\xcf\x00\x1f\xff\xff\xff\xff\xff\xff", "ok"),
        ("2^53", b"\xcf\x00\x20\x00\x00\x00\x00\x00\x00", "bad_field"),
        (
            "2^64 - 1",
            b"\xcf\xff\xff\xff\xff\xff\xff\xff\xff",
            "bad_field",
        ),
        ("-1", b"\xff", "bad_field"),
        ("-32", b"\xe0", "bad_field"),
        ("-128", b"\xd0\x80", "bad_field"),
        (
            "-2^53 + 1",
            b"\xd3\xff\xe0\x00\x00\x00\x00\x00\x01",
            "bad_field",
        ),
        (
            "-2^53",
            b"\xd3\xff\xe0\x00\x00\x00\x00\x00\x00",
            "bad_field",
        ),
        (
            "-2^63",
            b"\xd3\x80\x00\x00\x00\x00\x00\x00\x00",
            "bad_field",
        ),
        ("1.0 in 32 bits", b"\xca\x3f\x80\x00\x00", "bad_field"),
        (
            "1.0 in 64 bits",
            b"\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00",
            "bad_field",
        ),
        (
            "not a number",
            b"\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00",
            "bad_field",
        ),
    ];
    let unknown = |value: &[u8]| [&b"\x93\xa4time\x01\x81\xa1x"[..], value].concat();
    let mut cases: Vec<Case> = values
        .iter()
        .map(|(name, bytes, expect)| {
            Case::packed(&format!("a play_id of {name}"), &accept(bytes), expect)
        })
        .collect();
    // An ignored field must still contain a valid value of the protocol.
    for (name, bytes, _) in values {
        let is_integer = !matches!(bytes[0], 0xca | 0xcb);
        let is_safe = is_integer && !matches!(name, "2^53" | "2^64 - 1" | "-2^53" | "-2^63");
        let expect = if is_safe { "ok" } else { "bad_field" };
        cases.push(Case::packed(
            &format!("an unknown field of {name}"),
            &unknown(bytes),
            expect,
        ));
    }
    cases
}

fn text_numbers() -> Vec<Case> {
    let values = [
        ("0", "ok"),
        ("9007199254740991", "ok"),
        ("9007199254740992", "bad_field"),
        ("-9007199254740992", "bad_field"),
        ("18446744073709551615", "bad_field"),
        ("18446744073709551616", "bad_field"),
        ("-1", "bad_field"),
        ("-0", "bad_field"),
        ("1.0", "bad_field"),
        ("1.5", "bad_field"),
        ("1e0", "bad_field"),
        ("1E2", "bad_field"),
        ("1e400", "bad_frame"),
        ("01", "bad_frame"),
        ("+1", "bad_frame"),
        ("0x1", "bad_frame"),
        (".5", "bad_frame"),
        ("1.", "bad_frame"),
        ("1_000", "bad_frame"),
        ("NaN", "bad_frame"),
        ("Infinity", "bad_frame"),
        ("--1", "bad_frame"),
    ];
    let mut cases: Vec<Case> = values
        .into_iter()
        .map(|(number, expect)| {
            let frame = format!(r#"["accept",1,{{"game":"g","cmd_id":"c","play_id":{number}}}]"#);
            Case::text(&format!("a play_id of {number}"), &frame, expect)
        })
        .collect();
    for (number, expect) in [("4294967295", "ok"), ("4294967296", "bad_field")] {
        let frame = format!(r#"["pass",1,{{"game":"g","cmd_id":"c","turn_no":{number}}}]"#);
        cases.push(Case::text(
            &format!("a turn_no of {number}"),
            &frame,
            expect,
        ));
    }
    for (number, expect) in [("255", "ok"), ("256", "bad_field")] {
        let frame = format!(r#"["claim",1,{{"game":"g","cmd_id":"c","seat":{number}}}]"#);
        cases.push(Case::text(&format!("a seat of {number}"), &frame, expect));
    }
    cases
}
