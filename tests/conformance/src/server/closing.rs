//! Close frames from both sides.

use anyhow::{Context as _, ensure};

use super::super::raw::{CLOSE, FIN, Frame, Heard, MASK, close_payload, frame};
use super::super::{Case, Check, Target};
use super::{raw_guest, time_request, whole};

/// The cases about closing.
pub const CASES: &[Case<Target>] = &[
    Case::of("closing/code-comes-back", &["P-CONN-10"], comes_back),
    Case::of("closing/without-code", &["P-CONN-10"], without_code),
    Case::of("closing/invalid-code", &["P-CLOSE-1"], invalid_code),
    Case::of("closing/one-byte", &["P-CLOSE-1"], one_byte),
    Case::of("closing/bad-utf8-reason", &["P-CLOSE-1"], bad_reason),
    Case::of("closing/nothing-after", &["P-CONN-10"], nothing_after),
    Case::of("closing/inside-a-message", &["P-CONN-10"], inside_a_message),
    Case::of("closing/unanswered", &["P-CLOSE-1"], unanswered),
];

/// The code of a close frame comes back, and the server ends the connection.
fn comes_back(target: &Target) -> Check {
    for code in [
        1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999,
    ] {
        let mut raw = raw_guest(target)?;
        raw.send(&Frame::close(code, "farewell"));
        let ended = raw
            .ended(target.patience)
            .with_context(|| code.to_string())?;
        ensure!(ended.code == Some(code), "{code} is answered {ended}");
    }
    Ok(())
}

fn without_code(target: &Target) -> Check {
    let mut raw = raw_guest(target)?;
    raw.send(&Frame::whole(CLOSE, ""));
    let ended = raw.ended(target.patience)?;
    ensure!(
        ended.said && matches!(ended.code, None | Some(1000)),
        "{ended}"
    );
    Ok(())
}

fn invalid_code(target: &Target) -> Check {
    for code in [
        0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535,
    ] {
        let mut raw = raw_guest(target)?;
        raw.send(&Frame::close(code, ""));
        let ended = raw
            .ended(target.patience)
            .with_context(|| code.to_string())?;
        ensure!(ended.code == Some(1002), "{code} is answered {ended}");
    }
    Ok(())
}

fn one_byte(target: &Target) -> Check {
    let mut raw = raw_guest(target)?;
    raw.write(&frame(FIN | CLOSE, &[3], Some(MASK)));
    let ended = raw.ended(target.patience)?;
    ensure!(ended.code == Some(1002), "{ended}");
    Ok(())
}

fn bad_reason(target: &Target) -> Check {
    let mut raw = raw_guest(target)?;
    let payload = [close_payload(1000, ""), vec![0xff, 0xfe]].concat();
    raw.write(&frame(FIN | CLOSE, &payload, Some(MASK)));
    let ended = raw.ended(target.patience)?;
    ensure!(matches!(ended.code, Some(1002 | 1007)), "{ended}");
    Ok(())
}

/// Frames after a close frame are not answered.
fn nothing_after(target: &Target) -> Check {
    let mut raw = raw_guest(target)?;
    let bytes = [
        Frame::close(1000, "").bytes(Some(MASK)),
        frame(whole(target), &time_request(target, 10), Some(MASK)),
    ];
    raw.write(&bytes.concat());
    let mut said = false;
    loop {
        match raw.hear(target.patience)? {
            Heard::Frame(frame) if frame.opcode == CLOSE => said = true,
            Heard::Frame(frame) => {
                ensure!(
                    frame.opcode != target.encoding.opcode(),
                    "an answer after the end"
                );
            }
            Heard::End => break,
            Heard::Nothing => anyhow::bail!("the connection did not end"),
        }
    }
    ensure!(said, "a close frame is answered by one");
    Ok(())
}

fn inside_a_message(target: &Target) -> Check {
    let mut raw = raw_guest(target)?;
    let payload = time_request(target, 10);
    raw.write(&frame(target.encoding.opcode(), &payload[..3], Some(MASK)));
    raw.send(&Frame::close(1001, ""));
    let ended = raw.ended(target.patience)?;
    ensure!(ended.code == Some(1001), "{ended}");
    Ok(())
}

/// A client that never answers the server's close frame does not keep the connection open.
fn unanswered(target: &Target) -> Check {
    let mut raw = raw_guest(target)?;
    raw.write(&frame(whole(target), &time_request(target, 10), None));
    loop {
        match raw.hear(target.patience)? {
            Heard::Frame(_) => {}
            Heard::End => return Ok(()),
            Heard::Nothing => anyhow::bail!("still open after {:?}", target.patience),
        }
    }
}
