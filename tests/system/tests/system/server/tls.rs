//! TLS on the listener for players, with a client that verifies certificates.

use std::io::{Read, Write};
use std::path::Path;
use std::sync::Arc;

use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use serde_json::Value;
use tilewire_harness::addresses::{connect, ended};
use tilewire_harness::server::Server;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{self, Message};

use super::{set_mode, write_private};

const SETTINGS: &str = "[tls]\ncertificate = \"data/certificate.pem\"\nkey = \"data/key.pem\"\n";
const REFUSED_PAIRS: &str = "tilewire_certificates_read_total{outcome=\"refused\"}";
const NEW_PAIRS: &str = "tilewire_certificates_read_total{outcome=\"changed\"}";

/// A self-signed certificate for `localhost`.
fn pair() -> CertifiedKey<rcgen::KeyPair> {
    generate_simple_self_signed(vec!["localhost".to_owned()]).expect("a certificate")
}

fn put(directory: &Path, pair: &CertifiedKey<rcgen::KeyPair>) {
    put_key(directory, pair);
    std::fs::write(directory.join("certificate.pem"), pair.cert.pem()).expect("a file");
}

fn put_key(directory: &Path, pair: &CertifiedKey<rcgen::KeyPair>) {
    write_private(
        &directory.join("key.pem"),
        &pair.signing_key.serialize_pem(),
    );
}

type Secure = StreamOwned<ClientConnection, std::net::TcpStream>;

/// A client that believes in nothing but this certificate.
fn secure(server: &Server, pair: &CertifiedKey<rcgen::KeyPair>) -> Secure {
    let mut roots = RootCertStore::empty();
    roots.add(pair.cert.der().clone()).expect("a certificate");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("TLS 1.2 and 1.3")
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from("localhost").expect("a name");
    let client = ClientConnection::new(Arc::new(config), name).expect("a client");
    StreamOwned::new(client, connect(1, &server.address))
}

/// Speaks over TLS up to the server's `hello`.
fn greeted(
    server: &Server,
    pair: &CertifiedKey<rcgen::KeyPair>,
) -> Result<tungstenite::WebSocket<Secure>, String> {
    let mut stream = secure(server, pair);
    while stream.conn.is_handshaking() {
        stream
            .conn
            .complete_io(&mut stream.sock)
            .map_err(|error| error.to_string())?;
    }
    let mut request = "wss://localhost/ws".into_client_request().expect("a URL");
    request.headers_mut().insert(
        "Sec-WebSocket-Protocol",
        "tilewire.v1.json".parse().expect("a value"),
    );
    let (mut socket, _) =
        tungstenite::client(request, stream).map_err(|error| error.to_string())?;
    let Message::Text(text) = socket.read().expect("a first message") else {
        panic!("hello is text here");
    };
    let hello: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(hello[0], "hello");
    Ok(socket)
}

#[test]
fn players_connect_over_tls_only() {
    let pair = pair();
    let server = Server::start_with(SETTINGS, |data| put(data, &pair));
    let mut socket = greeted(&server, &pair).expect("a connection");
    socket
        .send(Message::text(
            r#"["auth",1,{"name":"anna","client":"tests"}]"#,
        ))
        .expect("it is sent");
    let Message::Text(answer) = socket.read().expect("an answer") else {
        panic!("answers are text here");
    };
    assert!(answer.starts_with(r#"["welcome",1,"#), "{answer}");
    // A client without TLS is refused on this port.
    let mut plain = connect(1, &server.address);
    plain
        .write_all(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        .expect("it listens");
    assert!(ended(&mut plain));
    server.until_figure(
        "tilewire_connections_refused_total{reason=\"tls_failed\"}",
        |count| count >= 1.0,
    );
    assert!(
        greeted(&server, &self::pair()).is_err(),
        "another certificate"
    );
    // The certificates of these tests end in 4096.
    let expiry = "tilewire_certificate_expiry_timestamp_seconds";
    server.until_figure(expiry, |at| at > 6e10);
}

/// Connection limits apply before TLS: refused connections cost no handshake, and a silent client is disconnected.
#[test]
fn many_connections_without_a_handshake_are_closed() {
    let pair = pair();
    let settings = format!(
        "{SETTINGS}[timing]\nhandshake_ms = 2000\n[limits]\nunauthenticated_per_address = 2\n"
    );
    let server = Server::start_with(&settings, |data| put(data, &pair));
    let mut silent = [2, 2].map(|last| connect(last, &server.address));
    let mut third = connect(2, &server.address);
    // Refused or, on a slow machine, taken after the others were cut off: it ends.
    assert!(ended(&mut third));
    assert!(silent.iter_mut().all(ended));
    server.until_figure(
        "tilewire_connections_refused_total{reason=\"tls_timeout\"}",
        |count| count >= 2.0,
    );
    greeted(&server, &pair).expect("others are taken");
}

#[test]
fn a_new_certificate_is_loaded_and_a_bad_one_is_not() {
    let (first, second, third) = (pair(), pair(), pair());
    let settings = format!("{SETTINGS}[timing]\ncertificate_check_ms = 20\n");
    let server = Server::start_with(&settings, |data| put(data, &first));
    let mut before = greeted(&server, &first).expect("a connection");
    // A key without its certificate: they do not match, and the former pair stays.
    put_key(&server.data_dir(), &second);
    server.until_figure(REFUSED_PAIRS, |count| count >= 1.0);
    server.until_logged("do not match");
    greeted(&server, &first).expect("the first pair is in use");
    put(&server.data_dir(), &second);
    server.until_figure(NEW_PAIRS, |count| count >= 1.0);
    greeted(&server, &second).expect("the second pair is in use");
    assert!(greeted(&server, &first).is_err());
    std::fs::write(server.data_dir().join("certificate.pem"), "nothing").expect("a file");
    server.until_logged("no certificate in PEM");
    greeted(&server, &second).expect("the second pair is in use still");
    put(&server.data_dir(), &third);
    server.until_figure(NEW_PAIRS, |count| count >= 2.0);
    greeted(&server, &third).expect("the third pair is in use");
    // Existing connections stay open.
    before
        .send(Message::text(
            r#"["auth",1,{"name":"anna","client":"tests"}]"#,
        ))
        .expect("it is sent");
    assert!(before.read().is_ok());
}

#[test]
fn a_signal_reloads_at_once() {
    let (first, second) = (pair(), pair());
    let settings = format!("{SETTINGS}[timing]\ncertificate_check_ms = 86400000\n");
    let server = Server::start_with(&settings, |data| put(data, &first));
    server.signal("-HUP");
    server.until_logged("SIGHUP: the certificate files have not changed");
    put(&server.data_dir(), &second);
    server.signal("-HUP");
    server.until_figure(NEW_PAIRS, |count| count >= 1.0);
    greeted(&server, &second).expect("the second pair is in use");
}

#[test]
fn unusable_settings_are_named_at_the_start() {
    let (one, other) = (pair(), pair());
    let refusal = |prepare: &dyn Fn(&Path)| Server::refused(SETTINGS, prepare);
    let said = refusal(&|_| {});
    assert!(
        said.contains("tls.certificate: cannot read data/certificate.pem"),
        "{said}"
    );
    let said = refusal(&|data| {
        put(data, &one);
        std::fs::write(data.join("key.pem"), "nothing").expect("a file");
    });
    assert!(
        said.contains("tls.key: data/key.pem is not usable: no private key"),
        "{said}"
    );
    let said = refusal(&|data| {
        put(data, &one);
        put_key(data, &other);
    });
    assert!(said.contains("do not match"), "{said}");
    let said = refusal(&|data| {
        put(data, &one);
        std::fs::write(
            data.join("certificate.pem"),
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
        )
        .expect("a file");
    });
    assert!(said.contains("data/certificate.pem"), "{said}");
    let said = refusal(&|data| {
        put(data, &one);
        set_mode(&data.join("key.pem"), 0o644);
    });
    assert!(
        said.contains("data/key.pem") && said.contains("chmod 640"),
        "{said}"
    );
    // Groups such as ssl-cert read keys.
    let server = Server::start_with(SETTINGS, |data| {
        put(data, &one);
        set_mode(&data.join("key.pem"), 0o640);
    });
    greeted(&server, &one).expect("a hello");
}

/// The reference client takes the server it trusts, and no other.
#[test]
fn the_reference_client_checks_the_certificate() {
    let (own, other) = (pair(), pair());
    let server = Server::start_with(SETTINGS, |data| {
        put(data, &own);
        std::fs::write(data.join("other.pem"), other.cert.pem()).expect("a file");
    });
    let (_, port) = server.address.rsplit_once(':').expect("a port");
    let whoami = |trusted: &str| {
        std::process::Command::new(tilewire_harness::binaries::client())
            .args(["whoami", "--server", &format!("wss://localhost:{port}")])
            .args(["--json", "--home"])
            .arg(server.data_dir().join("home"))
            .env("SSL_CERT_FILE", server.data_dir().join(trusted))
            .output()
            .expect("the client runs")
    };
    let output = whoami("other.pem");
    assert!(!output.status.success(), "{output:?}");
    let output = whoami("certificate.pem");
    assert!(output.status.success(), "{output:?}");
}

/// HTTP answers over TLS are the same as without.
#[test]
fn plain_requests_are_answered_over_tls() {
    let pair = pair();
    let server = Server::start_with(SETTINGS, |data| put(data, &pair));
    let mut stream = secure(&server, &pair);
    stream
        .write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        .expect("it listens");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("a whole answer");
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
}
