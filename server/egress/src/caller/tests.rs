//! A program on the other side that answers in every way, over real sockets.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;
use tilewire_config::target::Scheme;

/// Time for steps that end by themselves. A step that hangs takes all of it.
const STEP: Duration = Duration::from_secs(20);
/// Time for a step that does not end.
const SHORT: Duration = Duration::from_millis(300);
const LOCAL: &[&str] = &["127.0.0.0/8"];

/// The peer's behaviour after it has read the request.
#[derive(Clone, Copy)]
enum PeerReply {
    Text(&'static str),
    Nothing,
    Closes,
    /// This for ever.
    Endless(&'static str),
}

/// Serves one connection; returns the address, and the request when it was read.
async fn serve(reply: PeerReply) -> (String, tokio::task::JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hook?a=1", listener.local_addr().unwrap());
    let served = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut read = Vec::new();
        while !read.ends_with(b"{}") {
            let mut part = [0; 1024];
            let count = stream.read(&mut part).await.unwrap();
            assert!(count > 0, "the request has a body");
            read.extend_from_slice(&part[..count]);
        }
        match reply {
            PeerReply::Text(text) => drop(stream.write_all(text.as_bytes()).await),
            PeerReply::Nothing => std::future::pending().await,
            PeerReply::Closes => {}
            PeerReply::Endless(text) => while stream.write_all(text.as_bytes()).await.is_ok() {},
        }
        String::from_utf8(read).unwrap()
    });
    (url, served)
}

fn caller(allowed: &[&str], any_port: bool, step: Duration) -> Caller {
    let networks = allowed.iter().map(|text| text.parse().unwrap());
    let reach = Reach {
        allowed: networks.collect(),
        any_port,
    };
    Caller::load(Path::new(""), step, reach).unwrap()
}

async fn post(caller: &Caller, url: &str) -> Result<(), Failure> {
    let target = Target::read(url, &Scheme::ALL).unwrap();
    let mut headers = HeaderMap::new();
    headers.insert("webhook-id", "g1-1".parse().unwrap());
    caller
        .post(&target, headers, Bytes::from_static(b"{}"))
        .await
}

/// Checks at which step a request fails, if it does.
async fn check(reply: PeerReply, expected: Option<Stage>) -> Option<Failure> {
    let step = match reply {
        PeerReply::Nothing => SHORT,
        _ => STEP,
    };
    let (url, served) = serve(reply).await;
    let failure = post(&caller(LOCAL, true, step), &url).await.err();
    let stage = failure.as_ref().map(|failure| failure.stage);
    assert_eq!(stage, expected, "{failure:?}");
    served.abort();
    failure
}

/// Checks at which step a request to an address fails.
async fn check_address(caller: &Caller, url: &str, expected: Stage) {
    let failure = post(caller, url).await.unwrap_err();
    assert_eq!(failure.stage, expected, "{url}: {failure}");
}

#[tokio::test]
async fn every_success_is_one() {
    for text in [
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 204 No Content\r\n\r\n",
        "HTTP/1.1 202 Accepted\r\nContent-Length: 100\r\n\r\nless",
    ] {
        check(PeerReply::Text(text), None).await;
    }
    // The body is not read.
    let (url, served) = serve(PeerReply::Text("HTTP/1.1 200 OK\r\n\r\n")).await;
    post(&caller(LOCAL, true, STEP), &url).await.unwrap();
    let request = served.await.unwrap();
    let host = url
        .strip_prefix("http://")
        .unwrap()
        .split('/')
        .next()
        .unwrap();
    assert!(
        request.starts_with("POST /hook?a=1 HTTP/1.1\r\n"),
        "{request}"
    );
    for line in [
        format!("host: {host}\r\n"),
        "webhook-id: g1-1\r\n".to_owned(),
        "content-length: 2\r\n".to_owned(),
        "user-agent: tilewire\r\n".to_owned(),
    ] {
        assert!(request.contains(&line), "{line} in {request}");
    }
}

#[tokio::test]
async fn other_answers_are_failures() {
    for (text, status, retry_after_ms) in [
        (
            "HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
            307,
            None,
        ),
        (
            "HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n",
            503,
            Some(Millis(7_000)),
        ),
        (
            "HTTP/1.1 429 Slow\r\nRetry-After: Fri, 31 Dec 1999 23:59:59 GMT\r\nContent-Length: 0\r\n\r\n",
            429,
            None,
        ),
    ] {
        let failure = check(PeerReply::Text(text), Some(Stage::Status))
            .await
            .unwrap();
        let answer = failure.answer.expect("there is an answer");
        assert_eq!(answer.status.as_u16(), status);
        assert_eq!(answer.retry_after_ms, retry_after_ms, "{text}");
        assert_eq!(failure.retry_after_ms(), retry_after_ms, "{text}");
        assert_eq!(failure.to_string(), format!("status: {status}"));
    }
    for broken in [
        PeerReply::Nothing,
        PeerReply::Closes,
        PeerReply::Text("SSH-2.0-OpenSSH\r\n"),
        PeerReply::Endless("x"),
        PeerReply::Endless("HTTP/1.1 200 OK\r\nA: b\r\nC: "),
    ] {
        let failure = check(broken, Some(Stage::Answer)).await.unwrap();
        assert_eq!(failure.answer, None);
    }
    // An endless body is not read.
    check(PeerReply::Endless("HTTP/1.1 200 OK\r\n\r\nand so on"), None).await;
}

#[tokio::test]
async fn an_address_that_is_not_public_gets_no_connection() {
    let (url, served) = serve(PeerReply::Nothing).await;
    for allowed in [&[][..], &["10.0.0.0/8"]] {
        check_address(&caller(allowed, true, STEP), &url, Stage::Address).await;
    }
    assert!(!served.is_finished(), "nobody has connected");
    served.abort();
    let strict = caller(&[], true, STEP);
    for url in [
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://169.254.169.254/latest",
        "https://10.0.0.1/",
        "https://localhost/",
        "http://localhost:8080/",
        // A name server may read these as addresses.
        "https://0x7f.1/",
        "https://2130706433/",
        "https://0/",
    ] {
        check_address(&strict, url, Stage::Address).await;
    }
    let hasty = caller(&[], true, SHORT);
    check_address(&hasty, "http://no-such-name.invalid/", Stage::Resolve).await;
}

/// Port 1 of this machine has no server.
#[tokio::test]
async fn a_setting_allows_networks_and_ports() {
    let local = caller(LOCAL, true, STEP);
    check_address(&local, "https://127.0.0.1:1/", Stage::Connect).await;
    check_address(&local, "http://127.0.0.1:1/", Stage::Connect).await;
    let usual = caller(LOCAL, false, STEP);
    check_address(&usual, "https://127.0.0.1:1/", Stage::Address).await;
    check_address(&usual, "https://1.1.1.1:80/", Stage::Address).await;
}

#[tokio::test]
async fn a_side_without_tls_fails_at_tls() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://{}/", listener.local_addr().unwrap());
    let served = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.unwrap();
        std::future::pending::<()>().await;
    });
    check_address(&caller(LOCAL, true, STEP), &url, Stage::Tls).await;
    served.abort();
}

#[test]
fn certificates_that_cannot_be_read_are_refused() {
    let reach = Reach {
        allowed: Vec::new(),
        any_port: true,
    };
    let loaded = Caller::load(Path::new("/nowhere"), STEP, reach);
    assert!(matches!(loaded, Err(TrustFault::Read { .. })), "{loaded:?}");
}
