//! A real NATS server for tests, on a port that the system chooses. It ends with the test, however that ends.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use std::{env, fs, thread};

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use tempfile::TempDir;

/// The variable that names the program.
const PROGRAM: &str = "NATS_SERVER";
/// With this variable, a missing server is an error. `tests/run` sets it.
const REQUIRED: &str = "REQUIRE_NATS";
/// Where Debian and others keep the program.
const PLACES: [&str; 3] = [
    "/usr/sbin/nats-server",
    "/usr/bin/nats-server",
    "/usr/local/bin/nats-server",
];
/// The user of all clients.
pub const USER: &str = "tilewire";
/// The password of the user.
pub const PASSWORD: &str = "a password for tests";
/// The start may take so many tries, 20 ms apart.
const TRIES: u32 = 1_000;

/// Whether clients speak TLS with the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Links {
    /// They do not.
    Plain,
    /// They do.
    Tls,
}

/// A running NATS server.
#[derive(Debug)]
pub struct Nats {
    program: PathBuf,
    links: Links,
    directory: TempDir,
    port: u16,
    /// Waits for the end of its input, then ends the server.
    keeper: Child,
}

impl Nats {
    /// Starts a server. `None`, with a message, if none is installed.
    ///
    /// # Panics
    /// When it does not start, or none is installed and `REQUIRE_NATS` is set.
    #[must_use]
    pub fn start(links: Links) -> Option<Self> {
        let Some(program) = program() else {
            let required = env::var_os(REQUIRED).is_some();
            assert!(!required, "{REQUIRED} is set, and there is no nats-server");
            println!("NOT RUN: there is no nats-server; tests/run tools installs it");
            return None;
        };
        let directory = TempDir::new().expect("a temporary directory");
        if links == Links::Tls {
            write_certificates(&directory);
        }
        let keeper = start(&program, &directory, links, None);
        let port = port(&directory);
        Some(Self {
            program,
            links,
            directory,
            port,
            keeper,
        })
    }

    /// Returns the URL of the server, with the user.
    #[must_use]
    pub fn url(&self) -> String {
        let scheme = match self.links {
            Links::Plain => "nats",
            Links::Tls => "tls",
        };
        format!("{scheme}://{USER}@localhost:{}", self.port)
    }

    /// Returns the file with the authority of its certificate; empty without TLS.
    #[must_use]
    pub fn ca_file(&self) -> PathBuf {
        match self.links {
            Links::Plain => PathBuf::new(),
            Links::Tls => self.directory.path().join("ca.pem"),
        }
    }

    /// Ends the server, and starts it on the same port.
    ///
    /// # Panics
    /// When it does not start.
    pub fn restart(&mut self) {
        end(&mut self.keeper);
        for entry in fs::read_dir(self.directory.path()).expect("readable") {
            let path = entry.expect("readable").path();
            if path
                .extension()
                .is_some_and(|extension| extension == "ports")
            {
                fs::remove_file(path).expect("it is ours");
            }
        }
        self.keeper = start(&self.program, &self.directory, self.links, Some(self.port));
        assert_eq!(port(&self.directory), self.port);
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        end(&mut self.keeper);
    }
}

fn program() -> Option<PathBuf> {
    let named = env::var_os(PROGRAM).map(PathBuf::from);
    let mut found = named.into_iter().chain(PLACES.map(PathBuf::from));
    found.find(|path| path.is_file())
}

/// Starts a server beside a shell that ends it when this process has ended.
fn start(program: &PathBuf, directory: &TempDir, links: Links, port: Option<u16>) -> Child {
    let place = directory.path().display();
    let tls = match links {
        Links::Plain => String::new(),
        Links::Tls => {
            format!("tls {{ cert_file: \"{place}/cert.pem\", key_file: \"{place}/key.pem\" }}\n")
        }
    };
    let port = port.map_or("-1".to_owned(), |port| port.to_string());
    let settings = format!(
        "listen: \"127.0.0.1:{port}\"\nports_file_dir: \"{place}\"\n\
         authorization {{ user: \"{USER}\", password: \"{PASSWORD}\" }}\n{tls}"
    );
    let file = directory.path().join("nats.conf");
    fs::write(&file, settings).expect("a file");
    let script = "\"$0\" -c \"$1\" >\"$1.log\" 2>&1 & read -r _; kill -9 $!; wait";
    Command::new("sh")
        .args(["-c", script])
        .arg(program)
        .arg(file)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("a shell")
}

fn end(keeper: &mut Child) {
    drop(keeper.stdin.take());
    keeper.wait().expect("the shell ends");
}

/// Waits until the server names its port.
fn port(directory: &TempDir) -> u16 {
    for _ in 0..TRIES {
        let entries = fs::read_dir(directory.path()).expect("readable");
        let paths = entries.map(|entry| entry.expect("readable").path());
        let mut ports = paths.filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "ports")
        });
        // {"nats":["nats://127.0.0.1:41927"], …}
        let text = ports.next().map(fs::read_to_string);
        let text = text.and_then(Result::ok).unwrap_or_default();
        let digits = text.split("127.0.0.1:").nth(1).unwrap_or_default();
        let end = digits.find(|letter: char| !letter.is_ascii_digit());
        if let Some(port) = end.and_then(|end| digits[..end].parse().ok()) {
            return port;
        }
        thread::sleep(Duration::from_millis(20));
    }
    panic!("nats-server does not start: see nats.conf.log in {directory:?}");
}

/// Makes an authority, and a certificate for `localhost`.
fn write_certificates(directory: &TempDir) {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate().expect("a key");
    let authority = params.self_signed(&key).expect("a certificate").pem();
    let issuer = Issuer::new(params, key);
    let key = KeyPair::generate().expect("a key");
    let certificate = CertificateParams::new(vec!["localhost".to_owned()])
        .and_then(|params| params.signed_by(&key, &issuer))
        .expect("a certificate");
    for (name, content) in [
        ("ca.pem", authority),
        ("cert.pem", certificate.pem()),
        ("key.pem", key.serialize_pem()),
    ] {
        fs::write(directory.path().join(name), content).expect("a file");
    }
}
