//! The throughput of the journal alone: many games append to it concurrently with fsync, as in the server.
//!
//! `cargo bench -p tilewire-server --bench journal -- --games 64,512,2048 --seconds 5`. Each game has one append in
//! flight, of as many records as a turn has, out of a game that was played; with `--rate` they come by a schedule. The
//! last column is the rate of a program that only writes and syncs the same number of bytes.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]
#![allow(clippy::disallowed_methods, reason = "a benchmark reads clocks")]
#![allow(clippy::cast_precision_loss, reason = "far fewer than 2^52")]

#[allow(dead_code, reason = "only the log is asked for")]
#[path = "../../rules/benches/played/mod.rs"]
mod played;

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::Parser;
use metrics_exporter_prometheus::PrometheusHandle;
use tilewire_config::StorageConfig;
use tilewire_rules::event::{Event, Record};
use tilewire_rules::time::{Seq, Timestamp};
use tilewire_store::{Append, GameMeta};
use tokio::task::JoinSet;

/// Syncs of the disk alone.
const SYNCS: u32 = 200;

/// Measures group commit.
#[derive(Debug, Parser)]
struct Flags {
    /// Games that append at once, one row of the table for each number
    #[arg(long, value_delimiter = ',', default_value = "1,16,128,512,2048")]
    games: Vec<usize>,
    /// How long each row is measured
    #[arg(long, default_value_t = 3)]
    seconds: u64,
    /// Records of an append
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=20))]
    records: u64,
    /// Appends in a second, by schedule, in place of as many as go
    #[arg(long)]
    rate: Option<f64>,
    /// Where to write [default: a temporary directory]
    #[arg(long)]
    dir: Option<PathBuf>,
    /// Changes written with one flush, where it is not to be the usual number
    #[arg(long)]
    batch: Option<usize>,
    /// Memory for pages, MiB, where it is not to be the usual one
    #[arg(long)]
    cache_mib: Option<u32>,
    /// Given by cargo
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() {
    let flags = Flags::parse();
    let figures = tilewire_base::metrics::install().unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (sample, _) = log();
    let bytes: usize = sample
        .iter()
        .map(|r| rmp_serde::to_vec_named(r).unwrap().len())
        .sum();
    let mean = bytes / sample.len();
    println!(
        "appends of {} records of {mean} bytes on average, synced",
        flags.records
    );
    println!(
        "{:>6} {:>10} {:>10} {:>9} {:>8} {:>9} {:>10} {:>11} {:>9}",
        "games",
        "events/s",
        "appends/s",
        "commits/s",
        "events/c",
        "commit ms",
        "writer µs",
        "KiB/commit",
        "syncs/s"
    );
    for games in &flags.games {
        runtime.block_on(row(&flags, &figures, *games));
    }
}

/// The counters read before and after a run.
#[derive(Debug, Clone, Copy)]
struct Reading {
    commits: f64,
    commit_s: f64,
    appends: f64,
    writer_ns: u64,
    written: u64,
}

async fn row(flags: &Flags, figures: &PrometheusHandle, games: usize) {
    let dir = match &flags.dir {
        Some(dir) => tempfile::tempdir_in(dir),
        None => tempfile::tempdir(),
    };
    let dir = dir.unwrap();
    let mut config = StorageConfig::default();
    if let Some(cache_mib) = flags.cache_mib {
        config.cache_mib = cache_mib;
    }
    if let Some(batch) = flags.batch {
        config.batch = batch;
    }
    let storage = tilewire_databases::open(dir.path(), &config, Timestamp(0)).unwrap();
    let (log, first) = log();
    let log = Arc::new(log);
    for game in 0..games {
        storage.create(meta(game), first.clone()).await.unwrap();
    }
    let before = Reading::take(figures);
    let began = Instant::now();
    let end = began + Duration::from_secs(flags.seconds);
    let due = Arc::new(AtomicU64::new(0));
    let mut tasks = JoinSet::new();
    for game in 0..games {
        let (storage, log, due) = (Arc::clone(&storage), Arc::clone(&log), Arc::clone(&due));
        let (records, rate) = (flags.records, flags.rate);
        tasks.spawn(async move {
            let name = name(game);
            let mut head = 1;
            loop {
                if let Some(rate) = rate {
                    let number = due.fetch_add(1, Ordering::Relaxed);
                    let at = began + Duration::from_secs_f64(number as f64 / rate);
                    tokio::time::sleep_until(at.into()).await;
                }
                if Instant::now() >= end {
                    return;
                }
                storage
                    .append(append(&name, &log, head, records))
                    .await
                    .unwrap();
                head += records;
            }
        });
    }
    tasks.join_all().await;
    let seconds = began.elapsed().as_secs_f64();
    let after = Reading::take(figures);
    storage.close().await;
    drop(storage);
    let commits = after.commits - before.commits;
    let appends = after.appends - before.appends;
    let events = appends * flags.records as f64;
    let per_commit = (after.written - before.written) as f64 / commits;
    println!(
        "{games:>6} {:>10.0} {:>10.0} {:>9.0} {:>8.1} {:>9.2} {:>10.2} {:>11.0} {:>9.0}",
        events / seconds,
        appends / seconds,
        commits / seconds,
        events / commits,
        (after.commit_s - before.commit_s) * 1e3 / commits,
        (after.writer_ns - before.writer_ns) as f64 / 1e3 / events,
        per_commit / 1024.0,
        syncs(dir.path(), per_commit),
    );
}

/// Records of a game that was played, without the first one, and that.
fn log() -> (Vec<Record>, Record) {
    let mut records = played::records();
    let first = records.remove(0);
    // The end of a game is no usual turn, nor is its beginning.
    records.retain(|record| !matches!(record.event, Event::BagShuffled { .. }));
    records.pop();
    (records, first)
}

fn name(game: usize) -> String {
    // As long as a real one, and as little in order.
    format!(
        "{:016x}",
        (game as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    )
}

fn meta(game: usize) -> GameMeta {
    GameMeta {
        game: name(game).into(),
        epoch: 1,
        rule_set: "classic".to_owned(),
        private_code: None,
        players: (0..2)
            .map(|seat| format!("identity-{game}-{seat}"))
            .collect(),
        created_at: Timestamp(0),
    }
}

fn append(game: &str, log: &[Record], after: u64, count: u64) -> Append {
    let records = (after + 1..=after + count).map(|seq| {
        let place = usize::try_from(seq).unwrap() % log.len();
        Record {
            seq: Seq(seq),
            ..log[place].clone()
        }
    });
    Append {
        game: game.into(),
        after,
        records: records.collect::<Vec<_>>().into(),
        is_finished: false,
    }
}

impl Reading {
    fn take(figures: &PrometheusHandle) -> Self {
        figures.run_upkeep();
        let text = figures.render();
        let of = |name: &str| -> f64 {
            let value = text.lines().find_map(|line| line.strip_prefix(name));
            value.map_or(0.0, |value| value.trim().parse().unwrap())
        };
        Self {
            commits: of("tilewire_storage_batch_size_count "),
            commit_s: of("tilewire_storage_commit_seconds_sum "),
            appends: of("tilewire_storage_batch_size_sum "),
            writer_ns: writer_ns().unwrap_or(0),
            written: written().unwrap_or(0),
        }
    }
}

/// Processor time of the thread that writes.
fn writer_ns() -> Option<u64> {
    let threads = fs::read_dir("/proc/self/task").ok()?;
    let is_writer = |thread: &PathBuf| {
        let name = fs::read_to_string(thread.join("comm"));
        name.is_ok_and(|name| name.trim() == "storage-writer")
    };
    let mut threads = threads.filter_map(|thread| Some(thread.ok()?.path()));
    let times = fs::read_to_string(threads.find(is_writer)?.join("schedstat")).ok()?;
    times.split(' ').next()?.parse().ok()
}

/// Bytes that this process has had written to disks.
fn written() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/io").ok()?;
    let value = text
        .lines()
        .find_map(|line| line.strip_prefix("write_bytes: "));
    value?.parse().ok()
}

/// Returns how many blocks of this size the disk syncs per second.
fn syncs(dir: &Path, bytes: f64) -> f64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "some MiB at most"
    )]
    let block = vec![0xA5; bytes as usize];
    let mut file = File::create(dir.join("floor")).unwrap();
    let began = Instant::now();
    for _ in 0..SYNCS {
        file.write_all(&block).unwrap();
        file.sync_data().unwrap();
    }
    f64::from(SYNCS) / began.elapsed().as_secs_f64()
}
