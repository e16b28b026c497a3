//! A program on the other side that answers in every way, over real sockets.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;

const STEP: Duration = Duration::from_millis(300);

/// What the other side does after it has read the request.
#[derive(Clone, Copy)]
enum Answer {
    Says(&'static str),
    Nothing,
    Closes,
    /// This for ever.
    Endless(&'static str),
}

/// Serves one connection; returns the address, and the request when it was read.
async fn serve(answer: Answer) -> (String, tokio::task::JoinHandle<String>) {
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
        match answer {
            Answer::Says(text) => drop(stream.write_all(text.as_bytes()).await),
            Answer::Nothing => std::future::pending().await,
            Answer::Closes => {}
            Answer::Endless(text) => while stream.write_all(text.as_bytes()).await.is_ok() {},
        }
        String::from_utf8(read).unwrap()
    });
    (url, served)
}

fn target(url: &str, allowed: &[&str]) -> WebTarget {
    let allowed: Vec<Network> = allowed.iter().map(|text| text.parse().unwrap()).collect();
    WebTarget::new(url, Path::new(""), &allowed, STEP).unwrap()
}

async fn post(target: &WebTarget) -> Result<(), WebFault> {
    let mut headers = HeaderMap::new();
    headers.insert("webhook-id", "g1-1".parse().unwrap());
    target.post(&headers, Bytes::from_static(b"{}")).await
}

/// Checks at which step a request fails, if it does.
async fn check(answer: Answer, expected: Option<WebStage>) -> Option<WebFault> {
    let (url, served) = serve(answer).await;
    let fault = post(&target(&url, &["127.0.0.1"])).await.err();
    assert_eq!(
        fault.as_ref().map(|fault| fault.stage),
        expected,
        "{fault:?}"
    );
    served.abort();
    fault
}

#[tokio::test]
async fn every_success_is_one() {
    for text in [
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
        "HTTP/1.1 204 No Content\r\n\r\n",
        "HTTP/1.1 202 Accepted\r\nContent-Length: 100\r\n\r\nless",
    ] {
        check(Answer::Says(text), None).await;
    }
    // The body is not read.
    let (url, served) = serve(Answer::Says("HTTP/1.1 200 OK\r\n\r\n")).await;
    post(&target(&url, &["127.0.0.0/8"])).await.unwrap();
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
    ] {
        assert!(request.contains(&line), "{line} in {request}");
    }
}

#[tokio::test]
async fn other_answers_are_failures() {
    let status = Some(WebStage::Status);
    let redirect = "HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n";
    let fault = check(Answer::Says(redirect), status).await.unwrap();
    assert_eq!((fault.reason.as_str(), fault.retry_after_ms), ("307", None));
    let busy = "HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n";
    let fault = check(Answer::Says(busy), status).await.unwrap();
    assert_eq!(fault.retry_after_ms, Some(Millis(7_000)));
    let dated = "HTTP/1.1 429 Slow\r\nRetry-After: Fri, 31 Dec 1999 23:59:59 GMT\r\nContent-Length: 0\r\n\r\n";
    let fault = check(Answer::Says(dated), status).await.unwrap();
    assert_eq!(fault.retry_after_ms, None);
    let answer = Some(WebStage::Answer);
    for broken in [
        Answer::Nothing,
        Answer::Closes,
        Answer::Says("SSH-2.0-OpenSSH\r\n"),
        Answer::Endless("x"),
        Answer::Endless("HTTP/1.1 200 OK\r\nA: b\r\nC: "),
    ] {
        check(broken, answer).await;
    }
    // An endless body is not read.
    check(Answer::Endless("HTTP/1.1 200 OK\r\n\r\nand so on"), None).await;
}

#[tokio::test]
async fn an_address_that_is_not_public_gets_no_connection() {
    let (url, served) = serve(Answer::Nothing).await;
    for allowed in [&[][..], &["10.0.0.0/8"]] {
        let fault = post(&target(&url, allowed)).await.unwrap_err();
        assert_eq!(fault.stage, WebStage::Address, "{fault}");
    }
    assert!(!served.is_finished(), "nobody has connected");
    served.abort();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let closed = format!("http://{}/", listener.local_addr().unwrap());
    drop(listener);
    let fault = post(&target(&closed, &["127.0.0.1"])).await.unwrap_err();
    assert_eq!(fault.stage, WebStage::Connect, "{fault}");
    let fault = post(&target("http://no-such-name.invalid/", &[]))
        .await
        .unwrap_err();
    assert_eq!(fault.stage, WebStage::Resolve, "{fault}");
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
    let fault = post(&target(&url, &["127.0.0.1"])).await.unwrap_err();
    assert_eq!(fault.stage, WebStage::Tls, "{fault}");
    served.abort();
}

#[test]
fn an_address_is_read() {
    for (url, host, port) in [
        ("https://shop.example/hook", "shop.example", 443),
        ("https://shop.example:8443", "shop.example", 8443),
        ("http://10.0.0.1/", "10.0.0.1", 80),
        ("https://[2606:4700::1111]/", "2606:4700::1111", 443),
    ] {
        let target = target(url, &[]);
        assert_eq!((target.host.as_str(), target.port), (host, port), "{url}");
    }
    assert!(WebTarget::new("https://shop.example/", Path::new("/nowhere"), &[], STEP).is_err());
}
