//! A server process that a test can stop, kill and restart.

mod awaited;

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};

use tempfile::TempDir;

use crate::http::{Answer, ask, get};
use crate::network::ServerHost;
use crate::ports::Port;
use crate::{PATIENCE, binaries, faketime, signals};

/// The line that the shell of [`Server::start_dying`] writes to the log between both processes.
const HAS_DIED: &str = "first-process-has-died";

/// A server process and its data directory.
#[derive(Debug)]
pub struct Server {
    child: Option<Child>,
    directory: TempDir,
    /// The command in which its program runs; empty: it is started as it is.
    enter: Vec<String>,
    /// Its ports also while it does not run.
    _ports: Vec<Port>,
    /// How far the machine's clock is off for the next process, such as `+3d`; empty if it is right.
    pub clock_offset: &'static str,
    /// Where players connect, `ADDR:PORT`; stays the same over restarts.
    pub address: String,
    /// Where the operator connects, `ADDR:PORT`.
    pub admin: String,
}

impl Server {
    /// Starts a server on free ports; `config` is the text of its configuration file.
    #[must_use]
    pub fn start(config: &str) -> Self {
        Self::start_with(config, |_| {})
    }

    /// Starts a server whose data directory is filled by `prepare`.
    #[must_use]
    pub fn start_with(config: &str, prepare: impl FnOnce(&Path)) -> Self {
        let mut server = Self::prepared(config);
        prepare(&server.data_dir());
        server.start_again();
        server
    }

    /// Starts a server on a data directory filled by `prepare`, which it must refuse; returns its error
    /// message.
    #[must_use]
    pub fn refused(config: &str, prepare: impl FnOnce(&Path)) -> String {
        let server = Self::prepared(config);
        prepare(&server.data_dir());
        server.refuses_to_start()
    }

    /// Returns a server that does not run yet.
    #[must_use]
    pub fn prepared(config: &str) -> Self {
        Self::prepared_in(config, None)
    }

    /// The same for a server that runs on a host of a network of its own.
    #[must_use]
    pub fn prepared_in(config: &str, on: Option<ServerHost>) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let (addresses, ports, enter) = match on {
            // Nobody else is in its network.
            Some(on) => (
                [0; 2].map(|port| format!("{}:{port}", on.host)),
                Vec::new(),
                on.enter,
            ),
            None => {
                let ports = [(); 2].map(|()| Port::reserve());
                let addresses = [0, 1].map(|at: usize| format!("127.0.0.1:{}", ports[at].number));
                (addresses, ports.into(), Vec::new())
            }
        };
        let [address, admin] = addresses;
        let server = Self {
            child: None,
            directory,
            enter,
            _ports: ports,
            clock_offset: "",
            address,
            admin,
        };
        server.configure(config);
        std::fs::create_dir(server.data_dir()).expect("a new directory");
        server
    }

    /// Returns where the server keeps everything.
    #[must_use]
    pub fn data_dir(&self) -> PathBuf {
        self.directory.path().join("data")
    }

    /// Writes the configuration that counts from the next start on.
    pub fn configure(&self, config: &str) {
        let mut config = config.to_owned();
        // A machine that stalls for a second must not make the server shed load, except in tests of load shedding.
        if !config.contains("[overload]") {
            config.push_str("\n[overload]\nlag_ms = 60000\n");
        }
        std::fs::write(self.directory.path().join("tilewire.toml"), config)
            .expect("it can be written to");
    }

    /// Starts the server, which must refuse; returns its error message.
    #[must_use]
    pub fn refuses_to_start(&self) -> String {
        assert!(self.child.is_none(), "it does not run");
        let output = self.command().output().expect("the server starts");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{said}");
        said
    }

    /// Starts the server, which may refuse; returns its error message if it does.
    ///
    /// # Errors
    /// The output of a server that exits instead of serving.
    ///
    /// # Panics
    /// When it ends in any other way than by a refusal.
    pub fn try_start(&mut self) -> Result<(), String> {
        assert!(self.child.is_none(), "it does not run");
        let mut child = self.command().spawn().expect("the server starts");
        let lines = lines_of(child.stdout.take().expect("its output is piped"));
        let Ok(first) = lines.recv_timeout(PATIENCE) else {
            let output = child.wait_with_output().expect("it has ended");
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(1), "{said}");
            assert!(!said.contains("panicked"), "{said}");
            return Err(said);
        };
        self.serving(child, &first, lines);
        Ok(())
    }

    /// Starts the server again on its ports and its data, and waits until it is ready.
    pub fn start_again(&mut self) {
        assert!(self.child.is_none(), "it does not run");
        self.launch(self.command());
    }

    /// Runs a command that starts the server, and waits until the server is ready.
    fn launch(&mut self, mut command: Command) {
        self.prepare(&mut command);
        let mut child = command.spawn().expect("the server starts");
        let lines = lines_of(child.stdout.take().expect("its output is piped"));
        let first = lines.recv_timeout(PATIENCE);
        self.serving(child, &first.unwrap_or_default(), lines);
    }

    /// Starts the server with so many open files at most.
    ///
    /// # Panics
    /// When it does not start.
    pub fn start_with_files(&mut self, files: u32) {
        let usual = self.command();
        let mut command = Command::new("prlimit");
        command
            .arg(format!("--nofile={files}"))
            .arg(binaries::server())
            .args(usual.get_args());
        self.launch(command);
    }

    /// Starts the server; it dies at this crash point, and a second process takes over.
    ///
    /// # Panics
    /// When it does not start.
    pub fn start_dying(&mut self, crash_at: &str) {
        assert!(self.child.is_none(), "it does not run");
        let usual = self.command();
        let mut command = Command::new("sh");
        // A signal that kills the shell also kills the server.
        let script = "CRASH_AT=$DIE_AT setpriv --pdeathsig KILL \"$SERVER\" \"$@\"; echo $HAS_DIED >&2; exec \"$SERVER\" \"$@\"";
        command
            .args(["-c", script, "sh"])
            .args(usual.get_args())
            .env("DIE_AT", crash_at)
            .env("HAS_DIED", HAS_DIED)
            .env("SERVER", binaries::server());
        self.launch(command);
    }

    /// Waits until the server that [`start_dying`](Self::start_dying) started has died and the second process is ready.
    ///
    /// # Panics
    /// When it does not die, or the second process does not start.
    pub fn wait_for_death(&self) {
        self.until_logged(HAS_DIED);
        self.wait_until_ready();
    }

    /// Reads the output of a server that has started.
    fn serving(&mut self, mut child: Child, first: &str, lines: Receiver<String>) {
        drain(
            child.stderr.take().expect("its log is piped"),
            self.log_path(),
        );
        self.child = Some(child);
        let (scheme, address) = first.split_once("://").unwrap_or_default();
        assert!(
            scheme.starts_with("listening on ws"),
            "the server prints where it listens, not {first:?}; its log:\n{}",
            self.log()
        );
        address
            .trim_end_matches("/ws")
            .clone_into(&mut self.address);
        self.admin = self.announced(&lines, "admin on http://");
        // The later output is not needed, but the pipe must not fill up.
        std::thread::spawn(move || lines.iter().for_each(drop));
        self.wait_until_ready();
    }

    /// Runs an operator command on the data directory, with `input` on stdin; returns its output.
    ///
    /// # Errors
    /// Its error output.
    pub fn operate(&self, args: &[&str], input: &str) -> Result<String, String> {
        let mut command = self.command();
        let mut child = command
            .args(args)
            .stdin(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut stdin = child.stdin.take().expect("its input is piped");
        // Not every command reads it.
        drop(stdin.write_all(input.as_bytes()));
        drop(stdin);
        let output = child.wait_with_output().expect("it ends");
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        if output.status.success() {
            Ok(text(output.stdout))
        } else {
            Err(text(output.stderr))
        }
    }

    /// The same with another configuration file, which counts from the next start on.
    ///
    /// # Errors
    /// Its error output.
    pub fn operate_with(&self, config: &str, args: &[&str]) -> Result<String, String> {
        self.configure(config);
        self.operate(args, "")
    }

    /// Ends the process at once, as a power cut would.
    pub fn kill(&mut self) {
        let mut child = self.child.take().expect("it runs");
        child.kill().expect("it can be killed");
        child.wait().expect("it has ended");
        faketime::clean_up(child.id());
    }

    /// Asks the process to stop (SIGTERM) and returns whether it ended well.
    pub fn stop(&mut self) -> bool {
        self.signal("-TERM");
        let mut child = self.child.take().expect("it runs");
        child.wait().expect("it has ended").success()
    }

    /// Waits until the process ends by itself; returns its exit code, if it has one.
    pub fn ended(&mut self) -> Option<i32> {
        let mut child = self.child.take().expect("it runs");
        child.wait().expect("it has ended").code()
    }

    /// Returns the id of the process.
    ///
    /// # Panics
    /// When it does not run.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.as_ref().expect("it runs").id()
    }

    /// Sets a limit of the running process, such as `--nofile=64`.
    pub fn limit(&self, limit: &str) {
        let pid = self.pid().to_string();
        let set = Command::new("prlimit")
            .args(["--pid", &pid, limit])
            .status();
        assert!(set.expect("prlimit runs").success(), "{limit}");
    }

    /// Sends the process a signal, such as `-HUP`.
    pub fn signal(&self, signal: &str) {
        signals::send(self.pid(), signal);
    }

    /// Suspends the process; returns when all of its threads stand still.
    pub fn suspend(&self) {
        signals::suspend(self.pid());
    }

    /// Lets the suspended process run again.
    pub fn resume(&self) {
        signals::resume(self.pid());
    }

    /// Runs `tilewire-server check` on the data; returns whether it found no fault, and its output.
    ///
    /// # Panics
    /// When it ends in any other way than by a verdict.
    #[must_use]
    pub fn check(&self) -> (bool, String) {
        let mut command = Command::new(binaries::server());
        without_ours(&mut command);
        command.arg("check").arg("--data-dir").arg(self.data_dir());
        let output = command
            .current_dir(self.directory.path())
            .output()
            .expect("the server runs");
        let said = [&output.stdout[..], &output.stderr[..]].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        assert!(matches!(output.status.code(), Some(0 | 1)), "{said}");
        (output.status.success(), said)
    }

    /// Returns the server's log.
    #[must_use]
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.log_path()).unwrap_or_default()
    }

    /// Returns the URL for WebSocket clients.
    #[must_use]
    pub fn url(&self) -> String {
        format!("ws://{}/ws", self.address)
    }

    /// Returns the status and body of `GET path` on the admin listener.
    #[must_use]
    pub fn admin_get(&self, path: &str) -> (u16, String) {
        get(&self.admin, path)
    }

    /// Returns the value of a figure on the admin listener, such as `tilewire_games` or
    /// `tilewire_connections_refused_total{reason="origin"}`; a metric without samples is 0.
    ///
    /// # Panics
    /// When it is no number.
    #[must_use]
    pub fn figure(&self, name: &str) -> f64 {
        let (_, page) = self.admin_get("/metrics");
        let value = page
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        value.map_or(0.0, |value| value.trim().parse().expect("a number"))
    }

    fn command(&self) -> Command {
        let mut command = match self.enter.split_first() {
            Some((program, args)) => {
                let mut command = Command::new(program);
                command.args(args).arg(binaries::server());
                command
            }
            None => Command::new(binaries::server()),
        };
        command
            .args([
                "--listen",
                &self.address,
                "--admin-listen",
                &self.admin,
                "--log-format",
                "json",
            ])
            .arg("--data-dir")
            .arg(self.data_dir())
            .arg("--config")
            .arg(self.directory.path().join("tilewire.toml"));
        self.prepare(&mut command);
        command
    }

    /// Lets a command run where the server keeps its files, with its output piped.
    fn prepare(&self, command: &mut Command) {
        command
            .current_dir(self.directory.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        without_ours(command);
        if !self.clock_offset.is_empty() {
            faketime::shift_clock(command, self.clock_offset);
        }
    }

    fn log_path(&self) -> PathBuf {
        self.directory.path().join("log")
    }

    fn announced(&self, lines: &Receiver<String>, start: &str) -> String {
        loop {
            let line = lines.recv_timeout(PATIENCE).unwrap_or_else(|_| {
                panic!("the server prints {start:?}; its log:\n{}", self.log())
            });
            if let Some(at) = line.find(start) {
                return line[at + start.len()..].trim().to_owned();
            }
        }
    }

    /// Waits until the server takes players.
    ///
    /// # Panics
    /// When that takes too long.
    #[expect(clippy::disallowed_methods, reason = "a test must not wait for ever")]
    pub fn wait_until_ready(&self) {
        let started = std::time::SystemTime::now();
        // One that dies while it starts does not answer; another takes over then.
        let is_ready = |answer: Answer| answer.status == 200;
        while !ask(&self.admin, "GET /readyz", "", "").is_ok_and(is_ready) {
            assert!(
                started.elapsed().is_ok_and(|waited| waited < PATIENCE),
                "{}",
                self.log()
            );
            std::thread::yield_now();
        }
    }
}

impl Drop for Server {
    #[expect(
        clippy::print_stderr,
        reason = "a failed test shows the output of the server"
    )]
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            // The process may have ended already.
            drop(child.kill());
            drop(child.wait());
            faketime::clean_up(child.id());
        }
        if std::thread::panicking() {
            eprintln!("the server's log:\n{}", self.log());
        }
    }
}

/// Environment variables for the tests do not configure the server.
fn without_ours(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("TILEWIRE_") {
            command.env_remove(name);
        }
    }
}

/// Reads a pipe line by line.
pub(crate) fn lines_of(pipe: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(pipe).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    lines
}

/// Appends a pipe to a file.
fn drain(mut pipe: impl Read + Send + 'static, path: PathBuf) {
    std::thread::spawn(move || {
        let mut file = std::fs::File::options()
            .create(true)
            .append(true)
            .open(path)
            .expect("a log file");
        io::copy(&mut pipe, &mut file).ok();
    });
}
