//! The threads of clients that have not authenticated.
//!
//! A runtime has no priorities. When thousands of clients connect at once, each step of a turn would wait behind all of
//! their handshakes. The system's scheduler has priorities, so handshakes run on threads with a low one; after
//! authentication a connection moves to the main runtime.

use std::io;

use tokio::runtime::{Builder, Handle, Runtime};

use tilewire_base::background::stand_back;

/// Threads with a low priority; they end when this is dropped.
#[derive(Debug)]
pub struct HandshakeRuntime {
    /// `None` only during the drop.
    runtime: Option<Runtime>,
    handle: Handle,
}

impl HandshakeRuntime {
    /// Starts one thread per processor. Sockets stay with the main runtime's reactor.
    ///
    /// # Errors
    /// When the system cannot start a thread.
    pub fn open() -> io::Result<Self> {
        let runtime = Builder::new_multi_thread()
            .thread_name("handshake")
            .on_thread_start(stand_back)
            .enable_time()
            .build()?;
        Ok(Self {
            handle: runtime.handle().clone(),
            runtime: Some(runtime),
        })
    }

    /// Returns the runtime, to start tasks in.
    pub const fn handle(&self) -> &Handle {
        &self.handle
    }
}

impl Drop for HandshakeRuntime {
    fn drop(&mut self) {
        // The process does not wait for unfinished handshakes.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;
    use tilewire_base::background::niceness;

    /// The drop does not wait for its tasks.
    #[tokio::test]
    async fn handshakes_run_with_a_low_priority() {
        let runtime = HandshakeRuntime::open().unwrap();
        let there = runtime.handle().spawn(async { niceness() }).await.unwrap();
        assert!(there > niceness() || there == 19, "{there}");
        runtime.handle().spawn(std::future::pending::<()>());
        drop(runtime);
    }
}
