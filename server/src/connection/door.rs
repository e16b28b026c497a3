//! The door: threads that greet newcomers.
//!
//! A runtime has no priorities: where thousands come at once, everybody else would wait behind all of them that are ready
//! for the next step of their handshakes, at each step of a turn. The system's scheduler has some. So what a client does
//! until it is somebody runs on threads that stand back; then its connection moves inside.

use std::io;

use tokio::runtime::{Builder, Handle, Runtime};

use crate::background::stand_back;

/// The threads, as long as they are needed.
#[derive(Debug)]
pub(crate) struct Door {
    /// `None` only while it is dropped.
    runtime: Option<Runtime>,
    handle: Handle,
}

impl Door {
    /// Starts as many threads as there are processors. Sockets wait with those of everybody else, where they were accepted.
    ///
    /// # Errors
    /// When the system has no more threads.
    pub(crate) fn open() -> io::Result<Self> {
        let runtime = Builder::new_multi_thread()
            .thread_name("door")
            .on_thread_start(stand_back)
            .enable_time()
            .build()?;
        Ok(Self {
            handle: runtime.handle().clone(),
            runtime: Some(runtime),
        })
    }

    pub(crate) const fn handle(&self) -> &Handle {
        &self.handle
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        // Whoever has not been greeted by now never will be; nobody waits for that.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;
    use crate::background::tests::niceness;

    /// Those at the door wait for everybody inside; when it closes, nobody waits for them.
    #[tokio::test]
    async fn whoever_is_at_the_door_stands_back() {
        let door = Door::open().unwrap();
        let there = door.handle().spawn(async { niceness() }).await.unwrap();
        assert!(there > niceness() || there == 19, "{there}");
        door.handle().spawn(std::future::pending::<()>());
        drop(door);
    }
}
