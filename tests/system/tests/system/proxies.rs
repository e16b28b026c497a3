//! The examples of proxies in docs/operating/tls.md, with the real programs and a real server.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tilewire_harness::PATIENCE;
use tilewire_harness::binaries::workspace;
use tilewire_harness::http::get;
use tilewire_harness::server::Server;
use tilewire_harness::wire::Wire;

/// A proxy that is ended at the end of a test.
struct Proxy {
    child: Child,
    address: String,
}

impl Proxy {
    /// Starts a program in the foreground, and waits until it takes connections.
    #[expect(clippy::disallowed_methods, reason = "a test must not wait for ever")]
    fn start(command: &mut Command, address: String) -> Self {
        let child = command.stdin(Stdio::null()).spawn().expect("it starts");
        let mut proxy = Self { child, address };
        let since = std::time::Instant::now();
        while std::net::TcpStream::connect(&proxy.address).is_err() {
            let ended = proxy.child.try_wait().expect("its status");
            assert!(ended.is_none() && since.elapsed() < PATIENCE, "{ended:?}");
            std::thread::yield_now();
        }
        proxy
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        // A proxy ends its own processes at this signal, and not when it is killed.
        tilewire_harness::signals::send(self.child.id(), "-TERM");
        drop(self.child.wait());
    }
}

/// Returns the example of a proxy.
fn example(language: &str) -> String {
    let page = workspace().join("docs/operating/tls.md");
    let page = fs::read_to_string(page).expect("the page");
    let (_, rest) = page
        .split_once(&format!("```{language}\n"))
        .expect("the example");
    rest.split("```").next().expect("its end").to_owned()
}

/// Replaces a part of an example by that of the test.
#[track_caller]
fn replaced(text: &str, part: &str, by: &str) -> String {
    assert_eq!(text.matches(part).count(), 1, "{part} in {text}");
    text.replace(part, by)
}

fn free_address() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("an address").to_string()
}

fn server() -> Server {
    Server::start(
        "[http]\ntrusted_proxies = [\"127.0.0.1\"]\n[limits]\nconnections_per_address = 2\n",
    )
}

/// Players connect through the proxy, the page is there, and the server knows the address of the player: a header of the
/// player's own changes nothing.
#[expect(clippy::disallowed_methods, reason = "a test must not wait for ever")]
fn check(proxy: &Proxy) {
    let (anna, token) = Wire::guest(&proxy.address, "anna");
    let again = Wire::known(&proxy.address, &token);
    // The address of the player has two connections; a forged address must not get a third.
    let forged = "X-Forwarded-For: 203.0.113.9\r\n";
    let refused = upgrade_with(&proxy.address, forged);
    assert!(refused.contains(" 429 "), "{refused}");
    drop((anna, again));
    // The proxy closes its own connections to the server a little later.
    let since = std::time::Instant::now();
    let page = loop {
        let (status, page) = get(&proxy.address, "/");
        if status == 200 {
            break page;
        }
        assert!(since.elapsed() < PATIENCE, "{status}: {page}");
    };
    assert!(page.contains("<html"), "{page}");
}

/// Asks for a WebSocket with a header more; returns the first line of the answer.
fn upgrade_with(address: &str, header: &str) -> String {
    use std::io::{BufRead, BufReader, Write};
    let mut stream = std::net::TcpStream::connect(address).expect("it connects");
    write!(
        stream,
        "GET /ws HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
         Sec-WebSocket-Protocol: tilewire.v1.json\r\n{header}\r\n"
    )
    .expect("it is sent");
    let mut line = String::new();
    BufReader::new(stream)
        .read_line(&mut line)
        .expect("an answer");
    line
}

fn write(place: &Path, name: &str, text: &str) -> String {
    let path = place.join(name);
    fs::write(&path, text).expect("a file");
    path.to_str().expect("UTF-8").to_owned()
}

#[test]
#[ignore = "needs nginx; tests/run --full installs it"]
fn players_connect_through_nginx() {
    let (server, place) = (server(), tempfile::tempdir().expect("a directory"));
    let address = free_address();
    let site = example("nginx");
    let without_tls = site
        .lines()
        .filter(|line| !line.contains("ssl_certificate"));
    let site: String = without_tls.flat_map(|line| [line, "\n"]).collect();
    let site = replaced(&site, "listen 443 ssl;", &format!("listen {address};"));
    let site = replaced(&site, "127.0.0.1:7780", &server.address);
    // The rest of a configuration, which a system has already.
    let here = place.path().display();
    let config = format!(
        "daemon off;\npid {here}/pid;\nerror_log {here}/error.log;\nevents {{}}\n\
         http {{\naccess_log off;\nclient_body_temp_path {here}/body;\nproxy_temp_path {here}/proxy;\n\
         fastcgi_temp_path {here}/fastcgi;\nuwsgi_temp_path {here}/uwsgi;\nscgi_temp_path {here}/scgi;\n{site}}}\n"
    );
    let config = write(place.path(), "nginx.conf", &config);
    let mut command = Command::new("nginx");
    command.args(["-c", &config, "-p"]).arg(place.path());
    let proxy = Proxy::start(&mut command, address);
    check(&proxy);
}

#[test]
#[ignore = "needs caddy; tests/run --full installs it"]
fn players_connect_through_caddy() {
    let (server, place) = (server(), tempfile::tempdir().expect("a directory"));
    let address = free_address();
    let site = example("caddy");
    // Without TLS it needs no certificate.
    let site = replaced(&site, "play.example", &format!("http://{address}"));
    let site = replaced(&site, "127.0.0.1:7780", &server.address);
    let config = format!("{{\n    admin off\n}}\n{site}");
    let config = write(place.path(), "Caddyfile", &config);
    let mut command = Command::new("caddy");
    command
        .args(["run", "--adapter", "caddyfile", "--config", &config])
        .env("HOME", place.path())
        .env("XDG_DATA_HOME", place.path())
        .env("XDG_CONFIG_HOME", place.path());
    let proxy = Proxy::start(&mut command, address);
    check(&proxy);
}
