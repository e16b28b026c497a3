//! Waits for states of a server.

use super::{Server, drain, lines_of};
use crate::PATIENCE;
use crate::http::{Answer, ask};

impl Server {
    /// Starts the server while something that it needs is away, and waits until it says so.
    ///
    /// # Panics
    /// When it says something else.
    pub fn start_waiting(&mut self, for_what: &str) {
        assert!(self.child.is_none(), "it does not run");
        let mut child = self.command().spawn().expect("the server starts");
        let output = lines_of(child.stdout.take().expect("its output is piped"));
        std::thread::spawn(move || output.iter().for_each(drop));
        drain(
            child.stderr.take().expect("its log is piped"),
            self.log_path(),
        );
        self.child = Some(child);
        self.until_waiting(for_what);
    }

    /// Waits until the server says on `/readyz` that it waits for something.
    ///
    /// # Panics
    /// When that takes too long.
    #[expect(clippy::disallowed_methods, reason = "a test must not wait for ever")]
    pub fn until_waiting(&self, for_what: &str) {
        let since = std::time::Instant::now();
        let text = format!("waiting for {for_what}");
        let says = |answer: Answer| answer.status == 503 && answer.body.contains(&text);
        while !ask(&self.admin, "GET /readyz", "", "").is_ok_and(says) {
            assert!(since.elapsed() < PATIENCE, "no {text:?}: {}", self.log());
            std::thread::yield_now();
        }
    }

    /// Waits until the log has a text.
    ///
    /// # Panics
    /// When that takes too long.
    #[expect(clippy::disallowed_methods, reason = "a test must not wait for ever")]
    pub fn until_logged(&self, text: &str) {
        let since = std::time::Instant::now();
        while !self.log().contains(text) {
            assert!(since.elapsed() < PATIENCE, "no {text:?} in {}", self.log());
            std::thread::yield_now();
        }
    }

    /// Waits until the server says that it is not ready.
    ///
    /// # Panics
    /// When that takes too long.
    #[expect(clippy::disallowed_methods, reason = "a test must not wait for ever")]
    pub fn until_not_ready(&self) {
        let since = std::time::Instant::now();
        while self.admin_get("/readyz").0 == 200 {
            assert!(since.elapsed() < PATIENCE, "ready: {}", self.log());
            std::thread::yield_now();
        }
    }

    /// Asks for a figure until `wanted` accepts it.
    ///
    /// # Panics
    /// When that takes too long.
    #[expect(clippy::disallowed_methods, reason = "a test must not wait for ever")]
    pub fn until_figure(&self, name: &str, wanted: impl Fn(f64) -> bool) {
        let since = std::time::Instant::now();
        while !wanted(self.figure(name)) {
            assert!(
                since.elapsed() < PATIENCE,
                "{name} is {}",
                self.figure(name)
            );
            std::thread::yield_now();
        }
    }
}
