//! The reference client as a process in line mode.

use std::io::Write;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError};

use serde_json::Value;

use crate::server::lines_of;
use crate::{PATIENCE, binaries, signals};

/// A running `tilewire`.
#[derive(Debug)]
pub struct Client {
    name: String,
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    sent: u64,
    /// Every line it printed that was read so far.
    pub printed: Vec<Value>,
}

impl Client {
    /// Starts `tilewire ARGS` for the profile `name` against the server at `address`.
    #[must_use]
    pub fn start(name: &str, address: &str, home: &Path, args: &[&str]) -> Self {
        let mut child = Command::new(binaries::client())
            .args(args)
            .args(["--json", "--profile", name, "--name", name])
            .args(["--server", &format!("ws://{address}/ws")])
            .arg("--home")
            .arg(home)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the client starts");
        let lines = lines_of(child.stdout.take().expect("its output is piped"));
        Self {
            name: name.to_owned(),
            stdin: child.stdin.take(),
            child,
            lines,
            sent: 0,
            printed: Vec::new(),
        }
    }

    /// Types a line; returns its number.
    ///
    /// # Panics
    /// When the client has ended.
    pub fn type_line(&mut self, line: &str) -> u64 {
        let stdin = self.stdin.as_mut().expect("its input is open");
        let typed = writeln!(stdin, "{line}").and_then(|()| stdin.flush());
        if let Err(error) = typed {
            self.read_rest();
            self.fail(&format!("does not read: {error}"));
        }
        self.sent += 1;
        self.sent
    }

    /// Returns the next line it prints.
    ///
    /// # Panics
    /// When none comes.
    pub fn next_line(&mut self) -> Value {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => {
                let value: Value = serde_json::from_str(&line).unwrap_or_else(|_| {
                    panic!("{} printed something that is no JSON: {line}", self.name)
                });
                self.printed.push(value.clone());
                value
            }
            Err(RecvTimeoutError::Timeout) => self.fail("printed nothing for too long"),
            Err(RecvTimeoutError::Disconnected) => self.fail("ended"),
        }
    }

    /// Returns the next line that `wanted` accepts.
    pub fn wait_for(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let value = self.next_line();
            if wanted(&value) {
                return value;
            }
        }
    }

    /// Suspends the process; returns when all of its threads stand still.
    pub fn suspend(&self) {
        signals::suspend(self.child.id());
    }

    /// Lets the suspended process run again.
    pub fn resume(&self) {
        signals::resume(self.child.id());
    }

    /// Closes its input and waits for its end; returns its exit code.
    ///
    /// # Panics
    /// When it is killed.
    pub fn finish(mut self) -> i32 {
        drop(self.stdin.take());
        self.read_rest();
        self.child
            .wait()
            .expect("it ends")
            .code()
            .expect("by itself")
    }

    /// Reads what it prints until it ends.
    fn read_rest(&mut self) {
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            self.printed
                .push(serde_json::from_str(&line).expect("JSON to the end"));
        }
    }

    fn fail(&self, what: &str) -> ! {
        let last = &self.printed[self.printed.len().saturating_sub(12)..];
        let last: Vec<String> = last
            .iter()
            .map(|value| value.to_string().chars().take(400).collect())
            .collect();
        panic!("{} {what}; its last lines:\n{}", self.name, last.join("\n"));
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // A client that ended by itself cannot be killed any more.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
