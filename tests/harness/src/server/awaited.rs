//! Waits for states of a server.

use super::Server;
use crate::PATIENCE;

impl Server {
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
