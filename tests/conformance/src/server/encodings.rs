//! Details of each encoding: forms that a server must accept, and forms that it must refuse.

use anyhow::{Context as _, ensure};
use serde_json::json;

use super::super::{Case, Check, Target};
use super::messages::refused_as;
use crate::link::Link;

/// The cases about one encoding alone.
pub const CASES: &[Case<Target>] = &[
    Case::of("messages/json-numbers", &["P-MSG-9"], json_numbers),
    Case::of("messages/json-escapes-and-blanks", &["P-MSG-16"], json_text),
    Case::of(
        "messages/json-not-well-formed",
        &["P-MSG-16", "P-MSG-17"],
        json_broken,
    ),
    Case::of("messages/msgpack-forms", &["P-MSG-15"], msgpack_forms),
    Case::of(
        "messages/msgpack-not-well-formed",
        &["P-MSG-15", "P-MSG-17", "P-SEC-5"],
        msgpack_broken,
    ),
];

fn json_numbers(target: &Target) -> Check {
    let mut link = Link::guest(target, "Anna")?;
    for number in [
        "1.0",
        "1e0",
        "1E2",
        "0.5",
        "-0",
        "9007199254740992",
        "99999999999999999999",
        "-1",
    ] {
        let text = format!(r#"["pass",9000000,{{"game":"g","cmd_id":"x","turn_no":{number}}}]"#);
        refused_as(
            &mut link,
            text.as_bytes(),
            &["bad_field", "bad_frame", "bad_message"],
            &text,
        )?;
    }
    Ok(())
}

fn json_text(target: &Target) -> Check {
    let mut link = Link::guest(target, "Anna")?;
    for (text, id) in [
        (" [ \"time\" ,\t900 , { } ]\r\n", 900),
        (r#"["\u0074ime",901,{}]"#, 901),
        (
            r#"["time",902,{"\u0075\ud83c\udca1":"\"\\\/\b\f\n\r\t"}]"#,
            902,
        ),
    ] {
        link.expect(id);
        link.send_bytes(text.as_bytes());
        let answer = link.answer(id)?;
        ensure!(answer[0] == "ok", "{text}: {answer}");
    }
    let name = link.ok("rename", json!({ "name": "Zoë" }))?;
    ensure!(name["name"] == "Zoë", "{name}");
    Ok(())
}

fn json_broken(target: &Target) -> Check {
    let mut link = Link::guest(target, "Anna")?;
    for text in [
        "",
        " ",
        "nonsense",
        "[\"time\",7,{}",
        "[\"time\",7,{}] and more",
        "[\"time\",7,{}][\"time\",8,{}]",
        "[\"time\",7,{},]",
        "['time',7,{}]",
        "[\"time\",07,{}]",
        "[\"time\",7,{\"a\":\"\\ud800\"}]",
        "\u{feff}[\"time\",7,{}]",
        "[\"time\",7,{\"a\":NaN}]",
        "[\"time\",7,{\"a\":\"\u{1}\"}]",
    ] {
        link.expect(7);
        refused_as(&mut link, text.as_bytes(), &["bad_frame"], text)?;
    }
    Ok(())
}

fn msgpack_forms(target: &Target) -> Check {
    let mut link = Link::guest(target, "Anna")?;
    let forms: [(&[u8], u64); 7] = [
        (b"\x93\xa4time\x21\x80", 0x21),
        (b"\x93\xa4time\xcc\x22\x80", 0x22),
        (b"\x93\xa4time\xcd\x00\x23\x80", 0x23),
        (b"\x93\xa4time\xce\x00\x00\x00\x24\x80", 0x24),
        (
            b"\x93\xa4time\xcf\x00\x00\x00\x00\x00\x00\x00\x25\x80",
            0x25,
        ),
        (b"\x93\xa4time\xd1\x00\x26\x80", 0x26),
        (b"\xdc\x00\x03\xd9\x04time\x27\xde\x00\x00", 0x27),
    ];
    for (bytes, id) in forms {
        link.expect(id);
        link.send_bytes(bytes);
        let answer = link.answer(id).with_context(|| format!("{bytes:02x?}"))?;
        ensure!(answer[0] == "ok", "{bytes:02x?}: {answer}");
    }
    Ok(())
}

fn msgpack_broken(target: &Target) -> Check {
    let mut link = Link::guest(target, "Anna")?;
    let broken: [(&[u8], &str); 9] = [
        (b"", "nothing"),
        (b"\x93\xa4time\x01", "too short"),
        (b"\x93\xa4time\x01\x80\x80", "a byte too many"),
        (b"\xc1", "a tag that is none"),
        (
            b"\x93\xa4time\x01\xdf\xff\xff\xff\xff",
            "a map of four thousand million",
        ),
        (
            b"\x93\xa4time\x01\x81\xa1a\xc6\xff\xff\xff\xff",
            "bytes of four gigabytes",
        ),
        (b"\x93\xa4time\x01\x81\xa1a\xd4\x01\x00", "an extension"),
        (
            b"\x93\xa4time\x01\x81\xa1a\xa2\xc3\x28",
            "text that is no UTF-8",
        ),
        (
            b"\x93\xa4time\x01\x81\xa1a\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00",
            "a float",
        ),
    ];
    for (bytes, what) in broken {
        let codes = ["bad_frame", "bad_message", "bad_field", "too_large"];
        link.expect(1);
        refused_as(&mut link, bytes, &codes, what)?;
    }
    link.fence()?;
    Ok(())
}
