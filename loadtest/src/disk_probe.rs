//! The disk, without any server: how long it takes to append and be sure.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::host::now;
use crate::shared::Shared;

/// The size of an append of the probe, bytes: about that of a turn.
const PROBE_BYTES: usize = 8_192;
/// Its pause before each: shorter than a delay of a commit that players notice.
const PROBE_PAUSE: Duration = Duration::from_millis(20);

/// A file that only grows.
#[derive(Debug)]
pub struct AppendLog {
    file: File,
    block: Vec<u8>,
}

impl AppendLog {
    /// An empty one that grows by so many bytes.
    ///
    /// # Errors
    /// When it cannot be made there.
    pub fn create(path: &Path, bytes: usize) -> io::Result<Self> {
        Ok(Self {
            file: File::create(path)?,
            block: vec![0xA5; bytes],
        })
    }

    /// Appends and flushes; says how long both took.
    ///
    /// # Errors
    /// When the disk cannot be written to.
    pub fn append(&mut self) -> io::Result<Duration> {
        let asked = now();
        self.file.write_all(&self.block)?;
        self.file.sync_data()?;
        Ok(asked.elapsed())
    }
}

/// Writes to the server's disk during a run. If the probe and the server stall at the same time, the disk is the cause.
#[derive(Debug)]
pub struct DiskProbe {
    is_over: Arc<AtomicBool>,
}

impl DiskProbe {
    /// Begins to append to a file in `home`; how long it takes is `disk` of the meter, while that measures.
    ///
    /// # Errors
    /// When there can be no such file or no thread.
    pub fn begin(home: &Path, shared: &Arc<Shared>) -> Result<Self> {
        let log = AppendLog::create(&home.join("disk-probe"), PROBE_BYTES);
        let mut log = log.context("nothing can be written beside the server's data")?;
        let is_over = Arc::new(AtomicBool::new(false));
        let (ends, shared) = (Arc::clone(&is_over), Arc::clone(shared));
        thread::Builder::new()
            .name("disk-probe".to_owned())
            .spawn(move || {
                while !ends.load(Ordering::Relaxed) {
                    thread::sleep(PROBE_PAUSE);
                    match log.append() {
                        Ok(took) => shared.recorder.record(&shared.recorder.disk, took),
                        Err(error) => return shared.fault(format!("the disk failed: {error}")),
                    }
                }
            })?;
        Ok(Self { is_over })
    }
}

impl Drop for DiskProbe {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}
