//! A real nats-server on a free port of this machine.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{env, fs, thread};

use anyhow::{Context, Result, bail};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use tempfile::TempDir;

use crate::keeper::{End, Keeper, Owner};

/// The name of the program.
const PROGRAM: &str = "nats-server";
/// Debian keeps the program here; the search path of most users does not have it.
const DEBIAN: &str = "/usr/sbin";
/// With this variable, a missing nats-server is an error. `tests/run` sets it.
const REQUIRED: &str = "REQUIRE_NATS";
/// The start may take so many tries, 20 ms apart.
const TRIES: u32 = 1_500;
/// The file with the authority of the certificate.
const AUTHORITY: &str = "ca.pem";

/// The message for a machine without nats-server: names the package.
pub const MISSING: &str = "nats-server is not installed (Debian: apt-get install nats-server)";
/// The user of all clients.
pub const USER: &str = "tilewire";
/// The password of the user.
pub const PASSWORD: &str = "a password for tests";

/// How clients connect to a nats-server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Links {
    /// Without TLS and without a password.
    Open,
    /// Without TLS, as [`USER`].
    Plain,
    /// With TLS, as [`USER`].
    Tls,
}

/// A running nats-server. Dropping it ends it.
#[derive(Debug)]
pub struct Nats {
    program: PathBuf,
    links: Links,
    port: u16,
    /// The addresses of other nats-servers that pass messages on with this one; `None`: it is alone.
    routes: Option<Vec<String>>,
    /// It ends before its directory is removed.
    keeper: Option<Keeper>,
    directory: TempDir,
}

impl Nats {
    /// Says whether a nats-server is installed; if not, prints that a test did not run.
    ///
    /// # Panics
    /// When none is installed and `REQUIRE_NATS` is set.
    #[must_use]
    pub fn is_installed() -> bool {
        let is_installed = program().is_some();
        if !is_installed {
            assert!(env::var_os(REQUIRED).is_none(), "{MISSING}");
            writeln!(std::io::stderr(), "NOT RUN: {MISSING}").ok(); // nobody may read it
        }
        is_installed
    }

    /// Starts a nats-server for a test. `None`, with a message, if none is installed.
    ///
    /// # Panics
    /// When it does not start, or none is installed and `REQUIRE_NATS` is set.
    #[must_use]
    pub fn for_test(links: Links) -> Option<Self> {
        Self::is_installed().then(|| Self::start(links).expect("nats-server starts"))
    }

    /// Starts a nats-server.
    ///
    /// # Errors
    /// When none is installed, or it does not start.
    pub fn start(links: Links) -> Result<Self> {
        Self::start_with(links, &[], None)
    }

    /// Starts a nats-server with TLS that clients reach under further names or addresses.
    ///
    /// # Errors
    /// When none is installed, or it does not start.
    pub fn start_named(names: &[String]) -> Result<Self> {
        Self::start_with(Links::Tls, names, None)
    }

    /// Starts a nats-server that passes messages on with others: those at these addresses, `HOST:PORT`, and those that name it.
    ///
    /// # Errors
    /// When none is installed, or it does not start.
    pub fn start_among(links: Links, others: &[&str]) -> Result<Self> {
        let others = others.iter().map(|&other| other.to_owned());
        Self::start_with(links, &[], Some(others.collect()))
    }

    fn start_with(links: Links, names: &[String], routes: Option<Vec<String>>) -> Result<Self> {
        let directory = Owner::for_services().directory("tilewire-nats")?;
        if links == Links::Tls {
            write_certificates(directory.path(), names)?;
        }
        let mut this = Self {
            program: program().context(MISSING)?,
            links,
            port: 0,
            routes,
            keeper: None,
            directory,
        };
        this.launch()?;
        Ok(this)
    }

    /// Returns the URL of the server, with the user.
    #[must_use]
    pub fn url(&self) -> String {
        let port = self.port;
        match self.links {
            Links::Open => format!("nats://127.0.0.1:{port}"),
            Links::Plain => format!("nats://{USER}@localhost:{port}"),
            Links::Tls => format!("tls://{USER}@localhost:{port}"),
        }
    }

    /// Returns the port of its clients.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// Returns where other nats-servers reach one that was started among others.
    ///
    /// # Panics
    /// When it is alone.
    #[must_use]
    pub fn route(&self) -> String {
        let file = ports_file(self.directory.path()).expect("it is there while the server runs");
        let text = fs::read_to_string(file).expect("it can be read");
        let (_, of_routes) = text
            .split_once("\"cluster\":[")
            .expect("it is among others");
        let (_, address) = of_routes.split_once("://").expect("an address");
        let (address, _) = address.split_once('"').expect("an address");
        address.to_owned()
    }

    /// Returns the file with the authority of its certificate; empty without TLS.
    #[must_use]
    pub fn ca_file(&self) -> PathBuf {
        match self.links {
            Links::Open | Links::Plain => PathBuf::new(),
            Links::Tls => self.directory.path().join(AUTHORITY),
        }
    }

    /// Returns a process from which the server descends; `None` when it could not be started again.
    #[must_use]
    pub fn pid(&self) -> Option<u32> {
        self.keeper.as_ref().map(Keeper::pid)
    }

    /// Ends the server; [`Nats::restart`] starts it again.
    pub fn stop(&mut self) {
        drop(self.keeper.take());
    }

    /// Ends the server, and starts it on the same port.
    ///
    /// # Panics
    /// When it does not start.
    pub fn restart(&mut self) {
        self.launch().expect("nats-server starts again");
    }

    /// Starts the server in place of the one before, on its port if there was one.
    fn launch(&mut self) -> Result<()> {
        drop(self.keeper.take());
        let place = self.directory.path();
        if let Some(file) = ports_file(place) {
            fs::remove_file(file)?;
        }
        let settings = place.join("nats.conf");
        fs::write(&settings, self.settings())?;
        let log = place.join("log");
        let mut service = Command::new(&self.program);
        service.arg("-c").arg(settings);
        let end = End {
            signal: "TERM",
            remove: None,
            with: None,
        };
        let keeper = Keeper::start(Owner::for_services(), place, &log, &end, &service)?;
        self.keeper = Some(keeper);
        for _ in 0..TRIES {
            if let Some(port) = announced(place) {
                self.port = port;
                return Ok(());
            }
            thread::sleep(Duration::from_millis(20));
        }
        let log = fs::read_to_string(log).unwrap_or_default();
        bail!("nats-server does not start:\n{log}");
    }

    fn settings(&self) -> String {
        let place = self.directory.path().display();
        // Port -1 is a free one. The server writes its address into a file.
        let port = match self.port {
            0 => "-1".to_owned(),
            port => port.to_string(),
        };
        let mut text = format!("listen: \"127.0.0.1:{port}\"\nports_file_dir: \"{place}\"\n");
        if self.links != Links::Open {
            text += &format!("authorization {{ user: \"{USER}\", password: \"{PASSWORD}\" }}\n");
        }
        if let Some(routes) = &self.routes {
            let routes = routes.iter().map(|route| format!("\"nats://{route}\""));
            let routes = routes.collect::<Vec<_>>().join(", ");
            // Without advertisement they know only the addresses that the test gives them.
            text += &format!(
                "cluster {{ name: \"tests\", listen: \"127.0.0.1:-1\", no_advertise: true, routes: [{routes}] }}\n"
            );
        }
        if self.links == Links::Tls {
            text += &format!(
                "tls {{ cert_file: \"{place}/cert.pem\", key_file: \"{place}/key.pem\" }}\n"
            );
        }
        text
    }
}

/// Returns the program, if it is installed.
fn program() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let places = env::split_paths(&path).chain([PathBuf::from(DEBIAN)]);
    places
        .map(|place| place.join(PROGRAM))
        .find(|program| program.is_file())
}

/// Returns the file of ports, once it is there.
fn ports_file(directory: &Path) -> Option<PathBuf> {
    let is_of_ports = |path: &PathBuf| path.extension().is_some_and(|end| end == "ports");
    let mut files = fs::read_dir(directory).ok()?.flatten();
    files.find_map(|entry| Some(entry.path()).filter(is_of_ports))
}

/// Returns the port in the file of ports, once that is whole: `{"nats":["nats://127.0.0.1:41927"], …}`.
fn announced(directory: &Path) -> Option<u16> {
    let text = fs::read_to_string(ports_file(directory)?).ok()?;
    let (address, _) = text.split_once("://")?.1.split_once('"')?;
    address.rsplit_once(':')?.1.parse().ok()
}

/// Makes an authority, and a certificate for `localhost` and these names.
fn write_certificates(directory: &Path, names: &[String]) -> Result<()> {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let key = KeyPair::generate()?;
    let authority = params.self_signed(&key)?.pem();
    let issuer = Issuer::new(params, key);
    let key = KeyPair::generate()?;
    let names = [&["localhost".to_owned()], names].concat();
    let certificate = CertificateParams::new(names)?.signed_by(&key, &issuer)?;
    for (name, content) in [
        (AUTHORITY, authority),
        ("cert.pem", certificate.pem()),
        ("key.pem", key.serialize_pem()),
    ] {
        fs::write(directory.join(name), content)?;
    }
    Ok(())
}
