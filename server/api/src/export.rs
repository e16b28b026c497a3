//! The games of a player as one ZIP file, written while it is sent; and what other exports need for that.

use std::io::{self, Write};

use axum::body::Body;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderValue, Response};
use bytes::Bytes;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use futures::stream;
use rawzip::{CompressionMethod, ZipArchiveWriter};
use serde_json::json;
use tilewire_protocol::GameId;
use tilewire_rules::event::Event;
use tilewire_rules::record::{gcg, native};
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

use super::result_bodies::game_result;
use tilewire_results::history::{ExportPlace, History, HistoryServices};
use tilewire_store::{ResultFilter, StoreError, StoredGame};
use tilewire_wire::catalogue::Catalogue;

/// Games of one export; `manifest.json` says how to get the next ones.
const GAMES_MAX: usize = 500;
/// Results that are read at once.
const PAGE: usize = 100;
/// Bytes of a piece of the file.
const PIECE_BYTES: usize = 64 * 1024;
/// Pieces that wait for the connection.
const PIECES: usize = 2;

/// Answers a request for an export of finished games.
pub(super) fn answer(
    history: &History,
    viewer: &str,
    before: Option<u64>,
    place: ExportPlace,
) -> Response<Body> {
    let export = Export {
        parts: history.parts.clone(),
        player: viewer.to_owned(),
        before,
        runtime: Handle::current(),
    };
    let name = HeaderValue::from_static("attachment; filename=\"tilewire-games.zip\"");
    streamed(name, place, move |zip| export.games(zip))
}

/// A file that is sent while it is written.
pub(super) type Zip<'a> = ZipArchiveWriter<&'a mut Pieces>;

/// A part of a file on its way to the connection.
enum Part {
    Piece(Bytes),
    End,
}

/// Returns the answer with a ZIP file, which `write` writes on a thread that may block. The thread works in its turn, and not
/// while it waits for the client; an export whose client reads too slowly ends.
pub(super) fn streamed(
    name: HeaderValue,
    place: ExportPlace,
    write: impl FnOnce(&mut Zip<'_>) -> io::Result<()> + Send + 'static,
) -> Response<Body> {
    let (sender, ready) = mpsc::channel(PIECES);
    let mut pieces = Pieces {
        sender,
        piece: Vec::with_capacity(PIECE_BYTES),
        place,
        runtime: Handle::current(),
    };
    // No thread before the first turn: a crowd of exports waits without threads.
    tokio::spawn(async move {
        pieces.place.work().await;
        let writing = move || {
            if let Err(error) = written(pieces, write) {
                tracing::debug!(%error, "an export was not sent to its end");
            }
        };
        drop(tokio::task::spawn_blocking(writing));
    });
    let ready = stream::unfold(Some(ready), |ready| async {
        let mut ready = ready?;
        match ready.recv().await {
            Some(Part::Piece(piece)) => Some((Ok(piece), Some(ready))),
            Some(Part::End) => None,
            // The client must not take a part for the whole.
            None => Some((Err(io::Error::from(io::ErrorKind::UnexpectedEof)), None)),
        }
    });
    let mut response = Response::new(Body::from_stream(ready));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/zip"));
    headers.insert(CONTENT_DISPOSITION, name);
    response
}

fn written(
    mut pieces: Pieces,
    write: impl FnOnce(&mut Zip<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let mut zip = ZipArchiveWriter::new(&mut pieces);
    write(&mut zip)?;
    zip.finish().map_err(io::Error::other)?;
    pieces.flush()?;
    pieces.send(Part::End)
}

/// The end of a file that is sent in pieces.
pub(super) struct Pieces {
    sender: mpsc::Sender<Part>,
    piece: Vec<u8>,
    place: ExportPlace,
    runtime: Handle,
}

impl Pieces {
    fn send(&mut self, part: Part) -> io::Result<()> {
        let part = match self.sender.try_send(part) {
            Ok(()) => return Ok(()),
            Err(TrySendError::Closed(_)) => return Err(io::ErrorKind::BrokenPipe.into()),
            Err(TrySendError::Full(part)) => part,
        };
        self.place.rest();
        let stall = self.place.stall();
        self.runtime.block_on(async {
            let sending = tokio::time::timeout(stall, self.sender.send(part));
            let sent = sending.await.map_err(|_| io::ErrorKind::TimedOut)?;
            sent.map_err(|_| io::ErrorKind::BrokenPipe)?;
            self.place.work().await;
            Ok(())
        })
    }
}

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.piece.extend_from_slice(bytes);
        if self.piece.len() >= PIECE_BYTES {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.piece.is_empty() {
            return Ok(());
        }
        let piece = std::mem::replace(&mut self.piece, Vec::with_capacity(PIECE_BYTES));
        self.send(Part::Piece(piece.into()))
    }
}

/// An export in progress, on a thread that may block.
struct Export {
    parts: HistoryServices,
    player: String,
    before: Option<u64>,
    runtime: Handle,
}

impl Export {
    fn games(&self, zip: &mut Zip<'_>) -> io::Result<()> {
        let (mut before, mut results, mut games) = (self.before, Vec::new(), 0);
        loop {
            let filter = ResultFilter::of_player(&self.player);
            let limit = PAGE.min(GAMES_MAX - games);
            let page = self.parts.store.page(filter, before, limit);
            let page = self.runtime.block_on(page).map_err(failed)?;
            before = page.next;
            for stored in page.results {
                games += 1;
                self.game(zip, &GameId(stored.result.game.clone()))?;
                serde_json::to_writer(&mut results, &game_result(stored))?;
                results.push(b'\n');
            }
            if before.is_none() || games >= GAMES_MAX {
                break;
            }
        }
        add(zip, "results.jsonl", &results)?;
        let next = before.map(|before| before.to_string());
        let manifest = json!({ "player": self.player, "games": games, "next": next });
        add(zip, "manifest.json", manifest.to_string().as_bytes())
    }

    /// Adds the records of a game, if its log is still stored.
    fn game(&self, zip: &mut Zip<'_>, game: &GameId) -> io::Result<()> {
        let loaded = self.runtime.block_on(self.parts.journal.load(game));
        match loaded.map_err(failed)?.filter(|stored| stored.is_finished) {
            Some(stored) => finished(zip, &stored, &self.parts.catalogue),
            None => Ok(()),
        }
    }
}

/// Adds the records of a game that is over.
pub(super) fn finished(
    zip: &mut Zip<'_>,
    stored: &StoredGame,
    catalogue: &Catalogue,
) -> io::Result<()> {
    let game = &stored.meta.game;
    let Some(Event::Created(created)) = stored.records.first().map(|record| &record.event) else {
        return Ok(());
    };
    let options = &created.options;
    let rules = catalogue.rules(&options.rule_set, &options.language);
    if let Some(record) = native::write(&stored.records, rules.map(|rules| &**rules)) {
        add(zip, &format!("games/{game}.jsonl"), record.as_bytes())?;
    }
    if let Some(sheet) = rules.and_then(|rules| gcg::from_log(rules, &stored.records).ok()) {
        let sheet = gcg::write(&sheet);
        add(zip, &format!("games/{game}.gcg"), sheet.as_bytes())?;
    }
    Ok(())
}

/// Adds a file.
pub(super) fn add(zip: &mut Zip<'_>, name: &str, content: &[u8]) -> io::Result<()> {
    add_with(zip, name, |file| file.write_all(content))
}

/// Adds a file that is written piece by piece.
pub(super) fn add_with(
    zip: &mut Zip<'_>,
    name: &str,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let file = zip
        .new_file(name)
        .compression_method(CompressionMethod::DEFLATE);
    let (mut entry, config) = file.start().map_err(io::Error::other)?;
    let mut writer = config.wrap(DeflateEncoder::new(&mut entry, Compression::default()));
    fill(&mut writer)?;
    let (encoder, descriptor) = writer.finish().map_err(io::Error::other)?;
    encoder.finish()?;
    entry.finish(descriptor).map_err(io::Error::other)?;
    Ok(())
}

pub(super) fn failed(error: StoreError) -> io::Error {
    io::Error::other(error)
}

#[cfg(test)]
pub(super) mod tests {
    use std::io::Read;
    use std::net::IpAddr;
    use std::sync::Arc;

    use axum::body::to_bytes;
    use rawzip::ZipArchive;
    use serde_json::Value;

    use super::*;
    use tilewire_accounts::people::NoRatings;
    use tilewire_base::address::ClientAddress;
    use tilewire_base::clock::ServerClock;
    use tilewire_config::{Limits, StorageConfig, Timing};
    use tilewire_databases::sqlite;
    use tilewire_results::chronicle::played::chronicled;
    use tilewire_rules::time::{Millis, Timestamp};
    use tilewire_sql::SqlStorage;
    use tilewire_wire::lexica::Lexica;

    /// Returns the files of an archive by name.
    pub(crate) fn files(zip: &[u8]) -> Vec<(String, String)> {
        let archive = ZipArchive::from_slice(zip).unwrap();
        let mut entries = archive.entries();
        let mut files = Vec::new();
        while let Some(entry) = entries.next_entry().unwrap() {
            let name = entry
                .file_path()
                .try_normalize()
                .unwrap()
                .as_ref()
                .to_owned();
            let local = archive.get_entry(entry.wayfinder()).unwrap();
            let inflated = flate2::bufread::DeflateDecoder::new(local.data());
            let mut text = Vec::new();
            let mut verified = local.verifying_reader(inflated);
            verified.read_to_end(&mut text).unwrap();
            files.push((name, String::from_utf8_lossy(&text).into_owned()));
        }
        files
    }

    fn history(storage: &Arc<SqlStorage>, limits: &Limits, timing: &Timing) -> History {
        let parts = HistoryServices {
            clock: ServerClock::system(),
            store: Arc::clone(storage) as _,
            ratings: Arc::new(NoRatings),
            accounts: Arc::clone(storage) as _,
            journal: Arc::clone(storage) as _,
            catalogue: Catalogue::new(Lexica::builtin()),
        };
        History::new(parts, limits, timing)
    }

    fn client(last: u8) -> ClientAddress {
        ClientAddress::from(IpAddr::from([192, 0, 2, last]))
    }

    /// Begins an export that is too long for the pieces in memory.
    fn begin(place: ExportPlace) -> Response<Body> {
        streamed(HeaderValue::from_static("attachment"), place, |zip| {
            // Noise stays as long as it is.
            let mut state = 1_u64;
            let noise = std::iter::repeat_with(|| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                state.to_be_bytes()[0]
            });
            let noise: Vec<u8> = noise.take(8 * PIECES * PIECE_BYTES).collect();
            add(zip, "noise", &noise)
        })
    }

    async fn empty_storage() -> (tempfile::TempDir, Arc<SqlStorage>) {
        let dir = tempfile::tempdir().unwrap();
        let config = StorageConfig::default();
        let storage = sqlite::open(dir.path(), &config, Timestamp(1_000)).unwrap();
        (dir, Arc::new(storage))
    }

    /// With one place of each kind, somebody who asks for exports and reads none keeps nobody from reading results, and
    /// nobody at another address from an export.
    #[tokio::test]
    async fn an_export_that_nobody_reads_keeps_no_place_of_work() {
        let (_dir, storage) = empty_storage().await;
        let limits = Limits {
            records_read: 1,
            records_per_address: 1,
            exports_written: 1,
            exports_sent_per_address: 3,
            ..Limits::default()
        };
        let history = history(&storage, &limits, &Timing::default());
        let begin_from = |last| history.begin_export(client(last)).map(begin);
        let unread = [begin_from(1), begin_from(1), begin_from(1)];
        assert!(unread.iter().all(Option::is_some));
        assert!(
            begin_from(1).is_none(),
            "the share of an address is used up"
        );
        assert!(history.try_enter(client(1)).is_some());
        let read = to_bytes(begin_from(2).unwrap().into_body(), 1 << 22).await;
        let names: Vec<String> = files(&read.unwrap())
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        assert_eq!(names, ["noise"]);
    }

    #[tokio::test]
    async fn an_export_whose_client_reads_nothing_ends_and_is_not_whole() {
        let (_dir, storage) = empty_storage().await;
        let limits = Limits {
            exports_sent_per_address: 1,
            ..Limits::default()
        };
        let timing = Timing {
            export_stall_ms: Millis(10),
            ..Timing::default()
        };
        let history = history(&storage, &limits, &timing);
        let unread = begin(history.begin_export(client(1)).unwrap());
        while history.begin_export(client(1)).is_none() {
            tokio::task::yield_now().await;
        }
        assert!(to_bytes(unread.into_body(), 1 << 22).await.is_err());
    }

    #[tokio::test]
    async fn an_export_has_the_games_of_its_player() {
        let dir = tempfile::tempdir().unwrap();
        let config = StorageConfig::default();
        let storage = Arc::new(sqlite::open(dir.path(), &config, Timestamp(1_000)).unwrap());
        chronicled(&storage, 10).await;
        let history = history(&storage, &Limits::default(), &Timing::default());
        let place = history.begin_export(client(1)).unwrap();
        let response = answer(&history, "ada", None, place);
        let zip = to_bytes(response.into_body(), 1 << 20).await.unwrap();
        let files = files(&zip);
        let of = |name: &str| {
            let found = files.iter().find(|(known, _)| known == name);
            found.map(|(_, text)| text.clone())
        };
        let manifest: Value = serde_json::from_str(&of("manifest.json").unwrap()).unwrap();
        assert_eq!(manifest["next"], Value::Null);
        let results = of("results.jsonl").unwrap();
        let results: Vec<Value> = results
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(manifest["games"], results.len());
        assert!(results.len() > 2);
        assert_eq!(files.len(), 2 + 2 * results.len());
        for result in &results {
            let seats = result["seats"].as_array().unwrap().iter();
            assert!(
                seats.clone().any(|seat| seat["identity"] == "ada"),
                "{result}"
            );
            let game = result["game"].as_str().unwrap();
            let sheet = of(&format!("games/{game}.gcg")).unwrap();
            assert!(sheet.starts_with('#'), "{sheet}");
            let record = of(&format!("games/{game}.jsonl")).unwrap();
            assert!(record.lines().count() > 3, "{record}");
        }
    }
}
