//! The handshake, header by header.

use anyhow::{Context as _, Result, ensure};

use super::super::link::Link;
use super::super::opening::Opening;
use super::super::raw::Head;
use super::super::{Case, Check, Encoding, KEYS, Target};

/// The cases about the handshake.
pub const CASES: &[Case<Target>] = &[
    Case::of("handshake/accepted", &["P-CONN-1", "P-CONN-2"], accepted),
    Case::of("handshake/case-of-headers", &["P-CONN-1"], case_of_headers),
    Case::of("handshake/byte-by-byte", &["P-CONN-1"], byte_by_byte),
    Case::of(
        "handshake/order-of-offers",
        &["P-CONN-2", "P-VER-5"],
        order_of_offers,
    ),
    Case::of(
        "handshake/no-offer",
        &["P-CONN-2", "P-CONN-11", "P-CLOSE-5"],
        no_offer,
    ),
    Case::of("handshake/no-extension", &["P-CONN-4"], no_extension),
    Case::of(
        "handshake/missing-header",
        &["P-CONN-1", "P-CONN-11"],
        missing_header,
    ),
    Case::of("handshake/wrong-header", &["P-CONN-1"], wrong_header),
    Case::of(
        "handshake/wrong-version",
        &["P-CONN-1", "P-CONN-11"],
        wrong_version,
    ),
    Case::of("handshake/wrong-path", &["P-CONN-1"], wrong_path),
    Case::of("handshake/status", &["P-CONN-13"], status),
    Case::of("handshake/not-get", &["P-CONN-1"], not_get),
    Case::of("handshake/old-http", &["P-CONN-1"], old_http),
    Case::of("handshake/nonsense", &["P-CONN-1"], nonsense),
];

impl Opening {
    /// Sends it, and wants it refused with an HTTP error of the client.
    fn refused(&self, target: &Target, what: &str) -> Result<Head> {
        let (_, head) = self.send(target).with_context(|| what.to_owned())?;
        ensure!(
            (400..500).contains(&head.status),
            "{what}: answered {}, a status from 400 to 499 expected",
            head.status
        );
        Ok(head)
    }
}

fn usual(target: &Target) -> Opening {
    Opening::usual(target, target.encoding.subprotocol())
}

fn accepted(target: &Target) -> Check {
    for (key, accept) in KEYS {
        let (mut raw, head) = usual(target).with("Sec-WebSocket-Key", key).send(target)?;
        ensure!(head.status == 101, "answered {}", head.status);
        let is = |name: &str, value: &str| {
            head.header(name)
                .is_some_and(|known| known.eq_ignore_ascii_case(value))
        };
        ensure!(is("Upgrade", "websocket"), "Upgrade: websocket is missing");
        ensure!(
            is("Connection", "upgrade"),
            "Connection: Upgrade is missing"
        );
        ensure!(
            head.header("Sec-WebSocket-Accept") == Some(accept),
            "the key is not answered: {head:?}"
        );
        let spoken = head.header("Sec-WebSocket-Protocol");
        ensure!(spoken == Some(target.encoding.subprotocol()), "{spoken:?}");
        let first = raw.frame()?;
        let hello = target.encoding.decode(&first.payload)?;
        ensure!(hello[0] == "hello", "the server speaks first: {hello}");
    }
    Ok(())
}

fn case_of_headers(target: &Target) -> Check {
    let offer = target.encoding.subprotocol().to_owned();
    let opening = Opening {
        line: format!("GET {} HTTP/1.1", target.path),
        headers: vec![
            ("host", target.address().to_owned()),
            ("UPGRADE", "WebSocket".to_owned()),
            ("connection", "keep-alive, upgrade".to_owned()),
            ("sec-websocket-key", KEYS[1].0.to_owned()),
            ("SEC-WEBSOCKET-VERSION", "13".to_owned()),
            ("sec-websocket-protocol", offer),
        ],
    };
    let (_, head) = opening.send(target)?;
    ensure!(head.status == 101, "answered {}", head.status);
    ensure!(head.header("Sec-WebSocket-Accept") == Some(KEYS[1].1));
    Ok(())
}

fn byte_by_byte(target: &Target) -> Check {
    let mut raw = target.connect()?;
    for byte in usual(target).bytes() {
        raw.write(&[byte]);
    }
    ensure!(raw.head()?.status == 101);
    Ok(())
}

fn order_of_offers(target: &Target) -> Check {
    let (json, msgpack) = (
        Encoding::Json.subprotocol(),
        Encoding::Msgpack.subprotocol(),
    );
    for (offer, taken) in [
        (format!("{json}, {msgpack}"), json),
        (format!("{msgpack}, {json}"), msgpack),
        (format!("chat,tilewire.v9.json , {json}"), json),
        (format!("tilewire.v2.msgpack,{msgpack},{json}"), msgpack),
    ] {
        let (_, head) = Opening::usual(target, &offer).send(target)?;
        let spoken = head.header("Sec-WebSocket-Protocol");
        ensure!(
            head.status == 101 && spoken == Some(taken),
            "{offer}: {head:?}"
        );
    }
    // The offer may stand in several headers.
    let mut opening = Opening::usual(target, "chat");
    opening
        .headers
        .push(("Sec-WebSocket-Protocol", json.to_owned()));
    let (_, head) = opening.send(target)?;
    ensure!(
        head.header("Sec-WebSocket-Protocol") == Some(json),
        "{head:?}"
    );
    Ok(())
}

fn no_offer(target: &Target) -> Check {
    for offer in [
        "chat",
        "tilewire.v2.json",
        "tilewire.v1",
        "tilewire.v1.JSON",
        "",
    ] {
        let head = Opening::usual(target, offer).refused(target, offer)?;
        ensure!(head.status == 400, "{offer:?} is answered {}", head.status);
    }
    let head = usual(target)
        .without("Sec-WebSocket-Protocol")
        .refused(target, "no offer")?;
    ensure!(head.status == 400, "answered {}", head.status);
    Ok(())
}

fn no_extension(target: &Target) -> Check {
    let deflate = "permessage-deflate; client_max_window_bits, x-webkit-deflate-frame";
    let (_, head) = usual(target)
        .with("Sec-WebSocket-Extensions", deflate)
        .send(target)?;
    ensure!(head.status == 101, "answered {}", head.status);
    ensure!(
        head.header("Sec-WebSocket-Extensions").is_none(),
        "{head:?}"
    );
    Ok(())
}

fn missing_header(target: &Target) -> Check {
    for name in [
        "Host",
        "Upgrade",
        "Connection",
        "Sec-WebSocket-Key",
        "Sec-WebSocket-Version",
    ] {
        usual(target)
            .without(name)
            .refused(target, &format!("without {name}"))?;
    }
    Ok(())
}

fn wrong_header(target: &Target) -> Check {
    for (name, value) in [
        ("Upgrade", "h2c"),
        ("Connection", "keep-alive"),
        // 15 bytes, 17 bytes, no base64, nothing.
        ("Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAA"),
        ("Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAAA="),
        ("Sec-WebSocket-Key", "this is no key at all!!!"),
        ("Sec-WebSocket-Key", ""),
    ] {
        let what = format!("{name}: {value}");
        usual(target).with(name, value).refused(target, &what)?;
    }
    Ok(())
}

fn wrong_version(target: &Target) -> Check {
    for version in ["12", "8", "0", "256", "13x"] {
        let what = format!("version {version}");
        let head = usual(target)
            .with("Sec-WebSocket-Version", version)
            .refused(target, &what)?;
        let known = head.header("Sec-WebSocket-Version");
        ensure!(
            known == Some("13"),
            "{what}: the version spoken is named: {head:?}"
        );
    }
    Ok(())
}

fn wrong_path(target: &Target) -> Check {
    for path in ["/nothing", "/ws/", "/WS", "/ws/more", "/"] {
        let mut opening = usual(target);
        opening.line = format!("GET {path} HTTP/1.1");
        let (_, head) = opening.send(target)?;
        ensure!(head.status != 101, "{path} is no WebSocket");
    }
    Ok(())
}

fn status(target: &Target) -> Check {
    let mut opening = usual(target);
    opening.line = "GET /status HTTP/1.1".to_owned();
    let (_, head) = opening.send(target)?;
    ensure!(head.status == 200, "answered {}", head.status);
    let kind = head.header("Content-Type");
    ensure!(kind == Some("application/json"), "of the type {kind:?}");
    Ok(())
}

fn not_get(target: &Target) -> Check {
    for method in ["POST", "PUT", "DELETE"] {
        let mut opening = usual(target).with("Content-Length", "0");
        opening.line = format!("{method} {} HTTP/1.1", target.path);
        opening.refused(target, method)?;
    }
    Ok(())
}

fn old_http(target: &Target) -> Check {
    let mut opening = usual(target);
    opening.line = format!("GET {} HTTP/1.0", target.path);
    let (_, head) = opening.send(target)?;
    ensure!(head.status != 101, "HTTP/1.0 knows no upgrade");
    Ok(())
}

/// Bytes that are not HTTP end that connection and no other one.
fn nonsense(target: &Target) -> Check {
    let mut other = Link::guest(target, "bystander")?;
    for bytes in [
        &b"\x00\x01\x02\x03\r\n\r\n"[..],
        b"hello\r\n\r\n",
        b"GET /ws HTTP/1.1\r\nno header\r\n\r\n",
    ] {
        let mut raw = target.connect()?;
        raw.write(bytes);
        if let Ok(head) = raw.head() {
            ensure!(head.status >= 400, "answered {}", head.status);
        }
    }
    other.fence()?;
    Ok(())
}
