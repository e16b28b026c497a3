//! Frames: fragments that a server must accept, and frames that it must refuse.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

use super::super::raw::{
    BINARY, CONTINUATION, FIN, Frame, Heard, MASK, PING, PONG, Raw, TEXT, frame, header,
};
use super::super::{Case, Check, Encoding, Target, now};
use super::{raw_guest, time_request, whole};
use crate::link::Link;

/// The cases about frames.
pub const CASES: &[Case<Target>] = &[
    Case::of("frames/fragments", &["P-CONN-3"], fragments),
    Case::of(
        "frames/control-between-fragments",
        &["P-CONN-3", "P-CONN-5"],
        control_between,
    ),
    Case::of(
        "frames/fragments-out-of-order",
        &["P-CONN-1", "P-CLOSE-1"],
        out_of_order,
    ),
    Case::of("frames/unmasked", &["P-CONN-1", "P-CLOSE-1"], unmasked),
    Case::of(
        "frames/reserved-bits",
        &["P-CONN-4", "P-CLOSE-1"],
        reserved_bits,
    ),
    Case::of(
        "frames/reserved-opcodes",
        &["P-CONN-1", "P-CLOSE-1"],
        reserved_opcodes,
    ),
    Case::of(
        "frames/ping-payload",
        &["P-CONN-5", "P-CONN-12"],
        ping_payload,
    ),
    Case::of("frames/pong-unasked", &["P-CONN-5"], pong_unasked),
    Case::of(
        "frames/control-too-long",
        &["P-CONN-1", "P-CLOSE-1"],
        control_too_long,
    ),
    Case::of(
        "frames/control-in-fragments",
        &["P-CONN-1", "P-CLOSE-1"],
        control_fragmented,
    ),
    Case::of("frames/ping-flood", &["P-CONN-5"], ping_flood),
    Case::of("frames/lengths", &["P-CONN-3", "P-LIM-1"], lengths),
    Case::of("frames/oversize", &["P-LIM-1", "P-CLOSE-1"], oversize),
    Case::of(
        "frames/oversize-announced",
        &["P-LIM-1", "P-SEC-5"],
        oversize_announced,
    ),
    Case::of(
        "frames/oversize-by-fragments",
        &["P-CONN-3", "P-LIM-1"],
        oversize_fragments,
    ),
    Case::of("frames/length-beyond-63-bits", &["P-CONN-1"], absurd_length),
    Case::of("frames/json-bad-utf8", &["P-MSG-16", "P-CLOSE-1"], bad_utf8),
    Case::of("frames/split-utf8", &["P-CONN-3"], split_utf8),
    Case::of("frames/wrong-type", &["P-CONN-3", "P-CLOSE-1"], wrong_type),
    Case::of("frames/byte-by-byte", &["P-CONN-1"], byte_by_byte),
    Case::of("frames/many-in-one-segment", &["P-MSG-3"], many_at_once),
    Case::of(
        "frames/half-then-silence",
        &["P-CONN-5", "P-CLOSE-1"],
        half_then_silence,
    ),
    Case::of("frames/half-then-cut", &["P-RESUME-8"], half_then_cut),
];

/// Waits for the `ok` of a request.
fn answered(target: &Target, raw: &mut Raw, id: u64) -> Check {
    loop {
        let frame = raw
            .frame()
            .with_context(|| format!("waiting for the answer to {id}"))?;
        if frame.opcode == PING {
            raw.send(&Frame::whole(PONG, frame.payload));
        } else if frame.opcode == target.encoding.opcode() {
            let answer = target.encoding.decode(&frame.payload)?;
            if answer[1] == id {
                ensure!(answer[0] == "ok", "{answer}");
                return Ok(());
            }
        } else {
            ensure!(
                frame.opcode == PONG,
                "instead of the answer to {id}: {frame:?}"
            );
        }
    }
}

/// Sends bytes after which the connection must be closed with this code.
fn closes(target: &Target, bytes: &[u8], code: u16, what: &str) -> Check {
    let mut raw = raw_guest(target)?;
    raw.write(bytes);
    let ended = raw
        .ended(target.patience)
        .with_context(|| what.to_owned())?;
    ensure!(ended.code == Some(code), "{what}: {code} expected, {ended}");
    Ok(())
}

/// Sends a message in pieces of `size` bytes.
fn in_pieces(raw: &mut Raw, opcode: u8, payload: &[u8], size: usize) {
    let pieces: Vec<&[u8]> = payload.chunks(size).collect();
    for (piece, at) in pieces.iter().zip(0..) {
        let first = if at == 0 { opcode } else { CONTINUATION };
        let fin = if at + 1 == pieces.len() { FIN } else { 0 };
        raw.write(&frame(first | fin, piece, Some(MASK)));
    }
}

fn fragments(target: &Target) -> Check {
    let mut raw = raw_guest(target)?;
    let opcode = target.encoding.opcode();
    for (size, id) in [1, 2, 5, 1_000].into_iter().zip(10..) {
        in_pieces(&mut raw, opcode, &time_request(target, id), size);
        answered(target, &mut raw, id)?;
    }
    // Empty fragments in front, in the middle and at the end.
    let payload = time_request(target, 20);
    let (front, back) = payload.split_at(4);
    for (first, piece) in [
        (opcode, &[][..]),
        (CONTINUATION, front),
        (CONTINUATION, &[]),
        (CONTINUATION, back),
        (CONTINUATION | FIN, &[]),
    ] {
        raw.write(&frame(first, piece, Some(MASK)));
    }
    answered(target, &mut raw, 20)
}

fn control_between(target: &Target) -> Check {
    let mut raw = raw_guest(target)?;
    let payload = time_request(target, 10);
    let (front, back) = payload.split_at(3);
    raw.write(&frame(target.encoding.opcode(), front, Some(MASK)));
    raw.send(&Frame::whole(PING, "between"));
    loop {
        let frame = raw.frame().context("a pong before the message is whole")?;
        if frame.opcode == PONG {
            ensure!(frame.payload == b"between", "{frame:?}");
            break;
        }
    }
    raw.send(&Frame::whole(PONG, "nobody asked"));
    raw.write(&frame(FIN | CONTINUATION, back, Some(MASK)));
    answered(target, &mut raw, 10)
}

fn out_of_order(target: &Target) -> Check {
    let payload = time_request(target, 10);
    let opcode = target.encoding.opcode();
    let begun = frame(opcode, &payload[..3], Some(MASK));
    let again = [begun.clone(), frame(FIN | opcode, &payload, Some(MASK))].concat();
    closes(target, &again, 1002, "a new message inside of one")?;
    let stray = frame(FIN | CONTINUATION, &payload, Some(MASK));
    closes(target, &stray, 1002, "a continuation of nothing")?;
    let stray = frame(CONTINUATION, &payload, Some(MASK));
    closes(
        target,
        &stray,
        1002,
        "an unfinished continuation of nothing",
    )
}

fn unmasked(target: &Target) -> Check {
    let message = frame(whole(target), &time_request(target, 10), None);
    closes(target, &message, 1002, "an unmasked message")?;
    closes(
        target,
        &frame(FIN | PING, b"", None),
        1002,
        "an unmasked ping",
    )
}

fn reserved_bits(target: &Target) -> Check {
    for bit in [0x40, 0x20, 0x10] {
        let message = frame(whole(target) | bit, &time_request(target, 10), Some(MASK));
        closes(target, &message, 1002, &format!("reserved bit {bit:#x}"))?;
    }
    closes(
        target,
        &frame(FIN | PING | 0x40, b"", Some(MASK)),
        1002,
        "a ping with a reserved bit",
    )
}

fn reserved_opcodes(target: &Target) -> Check {
    for opcode in [3, 4, 5, 6, 7, 11, 12, 13, 14, 15] {
        let bytes = frame(FIN | opcode, b"", Some(MASK));
        closes(target, &bytes, 1002, &format!("opcode {opcode}"))?;
    }
    Ok(())
}

fn ping_payload(target: &Target) -> Check {
    let mut raw = raw_guest(target)?;
    for payload in [
        vec![],
        b"ping".to_vec(),
        vec![0xff; 125],
        (0..125).collect(),
    ] {
        raw.send(&Frame::whole(PING, payload.clone()));
        loop {
            let frame = raw.frame().context("a pong")?;
            if frame.opcode == PONG {
                ensure!(
                    frame.payload == payload,
                    "{payload:?} is answered {frame:?}"
                );
                break;
            }
        }
    }
    Ok(())
}

fn pong_unasked(target: &Target) -> Check {
    let mut raw = raw_guest(target)?;
    for payload in [&b""[..], b"unasked", &[0; 125]] {
        raw.send(&Frame::whole(PONG, payload));
    }
    raw.send(&Frame::whole(
        target.encoding.opcode(),
        time_request(target, 10),
    ));
    answered(target, &mut raw, 10)
}

fn control_too_long(target: &Target) -> Check {
    for (opcode, what) in [(PING, "ping"), (PONG, "pong"), (8, "close")] {
        let bytes = frame(FIN | opcode, &[3; 126], Some(MASK));
        closes(target, &bytes, 1002, &format!("a {what} of 126 bytes"))?;
    }
    Ok(())
}

fn control_fragmented(target: &Target) -> Check {
    for opcode in [PING, PONG] {
        let bytes = frame(opcode, b"part", Some(MASK));
        closes(
            target,
            &bytes,
            1002,
            &format!("opcode {opcode} without FIN"),
        )?;
    }
    Ok(())
}

/// One pong may answer several pings, if it answers the last. Other clients are not affected.
fn ping_flood(target: &Target) -> Check {
    let mut other = Link::guest(target, "bystander")?;
    let mut raw = raw_guest(target)?;
    let mut bytes = Vec::new();
    for number in 0_u32..5_000 {
        bytes.extend(frame(FIN | PING, &number.to_be_bytes(), Some(MASK)));
    }
    raw.write(&bytes);
    other
        .fence()
        .context("another connection during the flood")?;
    loop {
        let frame = raw.frame()?;
        if frame.opcode == PONG && frame.payload == 4_999_u32.to_be_bytes() {
            break;
        }
        if frame.opcode == 8 {
            ensure!(frame.close_code() == Some(4004), "{frame:?}");
            return Ok(());
        }
    }
    raw.send(&Frame::whole(
        target.encoding.opcode(),
        time_request(target, 10),
    ));
    answered(target, &mut raw, 10)
}

/// A `time` request of exactly this many bytes.
fn request_of(target: &Target, id: u64, len: usize) -> Result<Vec<u8>> {
    let pad = |count: usize| {
        let body = json!({ "unknown": "x".repeat(count) });
        target.encoding.encode(&json!(["time", id, body]))
    };
    let mut count = len.saturating_sub(pad(0).len());
    while pad(count).len() > len {
        count -= 1;
    }
    let mut bytes = pad(count);
    if target.encoding == Encoding::Json {
        bytes.resize(len, b' ');
    }
    ensure!(bytes.len() == len, "{len} bytes cannot be made");
    Ok(bytes)
}

fn largest(target: &Target) -> Result<usize> {
    let hello = Link::open(target)?.hello;
    let bytes = hello["limits"]["client_frame_bytes"].as_u64();
    Ok(usize::try_from(bytes.context("hello names the limit")?)?)
}

/// Every form of a length, up to the largest frame there is.
fn lengths(target: &Target) -> Check {
    let most = largest(target)?;
    let mut raw = raw_guest(target)?;
    for (len, id) in [125, 126, 127, 1_000, most - 1, most].into_iter().zip(10..) {
        raw.write(&frame(
            whole(target),
            &request_of(target, id, len)?,
            Some(MASK),
        ));
        answered(target, &mut raw, id).with_context(|| format!("{len} bytes"))?;
    }
    // The same in fragments.
    in_pieces(
        &mut raw,
        target.encoding.opcode(),
        &request_of(target, 20, most)?,
        1_000,
    );
    answered(target, &mut raw, 20)
}

fn oversize(target: &Target) -> Check {
    let most = largest(target)?;
    let bytes = frame(whole(target), &vec![b' '; most + 1], Some(MASK));
    closes(target, &bytes, 1009, "one byte too many")
}

/// The server refuses the frame after its header, without waiting for the payload.
fn oversize_announced(target: &Target) -> Check {
    for len in [1 << 20, 1 << 32, (1 << 63) - 1] {
        let bytes = header(whole(target), len, Some(MASK));
        closes(target, &bytes, 1009, &format!("a frame of {len} bytes"))?;
    }
    Ok(())
}

fn oversize_fragments(target: &Target) -> Check {
    let most = largest(target)?;
    let mut bytes = frame(target.encoding.opcode(), &[b' '; 100], Some(MASK));
    for _ in 0..=most / 1_000 {
        bytes.extend(frame(CONTINUATION, &[b' '; 1_000], Some(MASK)));
    }
    closes(target, &bytes, 1009, "a message that never ends")
}

/// The first bit of a long length is 0; whether a length without it is too large or no length at all is all the same.
fn absurd_length(target: &Target) -> Check {
    let mut raw = raw_guest(target)?;
    raw.write(&header(whole(target), u64::MAX, Some(MASK)));
    let ended = raw.ended(target.patience)?;
    ensure!(matches!(ended.code, Some(1002 | 1009)), "{ended}");
    Ok(())
}

fn bad_utf8(target: &Target) -> Check {
    for (bytes, what) in [
        (
            &b"[\"time\",1,{\"a\":\"\xff\"}]"[..],
            "a byte that is never used",
        ),
        (b"[\"time\",1,{\"a\":\"\xc3\"}]", "half a letter"),
        (b"[\"time\",1,{\"a\":\"\xed\xa0\x80\"}]", "half of a pair"),
        (
            b"[\"time\",1,{\"a\":\"\xc0\xaf\"}]",
            "a longer form than needed",
        ),
        (
            b"[\"time\",1,{\"a\":\"\xf4\x90\x80\x80\"}]",
            "beyond the last letter",
        ),
        (b"\xc3", "half a letter at the end"),
    ] {
        closes(target, &frame(FIN | TEXT, bytes, Some(MASK)), 1007, what)?;
    }
    let parts = [
        frame(TEXT, b"[\"time\",1,{\"a\":\"\xc3", Some(MASK)),
        frame(FIN | CONTINUATION, b"\"}]", Some(MASK)),
    ];
    closes(
        target,
        &parts.concat(),
        1007,
        "half a letter at the end of a fragment",
    )
}

/// A letter may be cut in two by the border of fragments.
fn split_utf8(target: &Target) -> Check {
    let mut raw = raw_guest(target)?;
    let request = json!(["time", 10, { "unknown": "äöü – Ж – 字 – 🂡" }]);
    let payload = target.encoding.encode(&request);
    in_pieces(&mut raw, target.encoding.opcode(), &payload, 1);
    answered(target, &mut raw, 10)
}

fn wrong_type(target: &Target) -> Check {
    let wrong = match target.encoding {
        Encoding::Json => BINARY,
        Encoding::Msgpack => TEXT,
    };
    // Readable in its own encoding, so that only its type is wrong.
    let bytes = frame(FIN | wrong, b"[\"time\",9,{}]", Some(MASK));
    closes(target, &bytes, 1003, "a frame of the other type")
}

fn byte_by_byte(target: &Target) -> Check {
    let mut raw = raw_guest(target)?;
    for byte in frame(whole(target), &time_request(target, 10), Some(MASK)) {
        raw.write(&[byte]);
    }
    answered(target, &mut raw, 10)
}

fn many_at_once(target: &Target) -> Check {
    let mut raw = raw_guest(target)?;
    let mut bytes = Vec::new();
    for id in 10..30 {
        bytes.extend(frame(whole(target), &time_request(target, id), Some(MASK)));
    }
    raw.write(&bytes);
    for id in 10..30 {
        answered(target, &mut raw, id)?;
    }
    Ok(())
}

/// A client that stops in the middle of a frame cannot answer pings and is closed.
fn half_then_silence(target: &Target) -> Check {
    let hello = Link::open(target)?.hello;
    let beat = hello["heartbeat_ms"].as_u64().context("a heartbeat")?;
    let mut raw = raw_guest(target)?;
    let bytes = frame(whole(target), &time_request(target, 10), Some(MASK));
    raw.write(&bytes[..bytes.len() - 3]);
    let began = now();
    let within = Duration::from_millis(4 * beat) + target.patience;
    let mut pings = 0;
    loop {
        match raw.hear(within.saturating_sub(began.elapsed()))? {
            Heard::Frame(frame) if frame.opcode == PING => pings += 1,
            Heard::Frame(frame) if frame.opcode == 8 => {
                ensure!(frame.close_code() == Some(4005), "{frame:?}");
                ensure!(pings > 0, "the server asked before it gave up");
                return Ok(());
            }
            Heard::Frame(_) => {}
            Heard::End => anyhow::bail!("the connection ended without a close frame"),
            Heard::Nothing => anyhow::bail!("still open after {within:?}"),
        }
    }
}

fn half_then_cut(target: &Target) -> Check {
    let mut other = Link::guest(target, "bystander")?;
    let mut raw = raw_guest(target)?;
    let bytes = frame(whole(target), &time_request(target, 10), Some(MASK));
    raw.write(&bytes[..bytes.len() - 3]);
    raw.cut();
    other.fence()?;
    Ok(())
}
