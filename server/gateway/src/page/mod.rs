//! The page that browsers get: HTML, scripts, style sheet and small files, embedded in the program.
//!
//! The scripts and the style sheet are in a folder whose name is their SHA-256, so a browser keeps them for ever and still
//! never runs an old one. Scripts name each other without the folder. Everything else is asked for anew, with an entity
//! tag.

#[cfg(test)]
mod join;
#[cfg(test)]
mod module;
#[cfg(test)]
mod tests;

use std::io::Write;
use std::sync::LazyLock;

use bytes::Bytes;
use data_encoding::HEXLOWER;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

/// The scripts that the build script has joined: their names and texts, the main one first.
const SCRIPTS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/scripts.rs"));
/// The style sheet that the build script has joined.
const STYLE: &str = include_str!(concat!(env!("OUT_DIR"), "/page.css"));

/// How many characters of a hash name a folder.
const HASH_CHARACTERS: usize = 16;

const SCRIPT_TYPE: &str = "text/javascript; charset=utf-8";

/// The first parts of paths below which the page shows something: one HTML file serves all.
const FOLDERS: [&str; 4] = ["games", "seeks", "players", "rules"];
/// Paths of the page without a part behind them.
const PAGES: [&str; 14] = [
    "/",
    "/join",
    "/rules",
    "/settings",
    "/finished",
    "/archive",
    "/leaderboards",
    "/watch",
    "/account",
    "/friends",
    "/login",
    "/moderation",
    "/recover",
    "/register",
];

/// A file of the page.
#[derive(Debug)]
pub(crate) struct PageFile {
    path: String,
    /// The media type.
    pub(crate) media_type: &'static str,
    /// The content.
    pub(crate) plain: Bytes,
    /// The content, compressed by gzip.
    pub(crate) gzip: Bytes,
    /// The entity tag, with its quotes.
    pub(crate) etag: String,
    /// Whether the path names the content, so that a browser may keep it for ever.
    pub(crate) is_immutable: bool,
}

/// Returns the file of the page at a path; `None` if the page has none there.
pub(crate) fn find(path: &str) -> Option<&'static PageFile> {
    static FILES: LazyLock<Vec<PageFile>> = LazyLock::new(files);
    let path = if is_page(path) { "/" } else { path };
    FILES.iter().find(|file| file.path == path)
}

/// Says whether a path shows the page. Records have a point in their names.
fn is_page(path: &str) -> bool {
    let is_shown_below = |folder: &str| {
        let name = path
            .strip_prefix('/')
            .and_then(|path| path.strip_prefix(folder));
        let name = name.and_then(|name| name.strip_prefix('/'));
        name.is_some_and(|name| !name.is_empty() && !name.contains(['/', '.']))
    };
    PAGES.contains(&path) || FOLDERS.into_iter().any(is_shown_below)
}

fn files() -> Vec<PageFile> {
    let folder = assets_folder();
    let html = include_str!("../../../web/index.html")
        .replace(
            "{{styles}}",
            &format!("<link rel=\"stylesheet\" href=\"{folder}/page.css\">"),
        )
        .replace(
            "{{script}}",
            &format!(
                "<script type=\"module\" src=\"{folder}/{}\"></script>",
                SCRIPTS[0].0
            ),
        );
    let mut files = vec![
        PageFile::new("/", "text/html; charset=utf-8", &html),
        PageFile::new(
            "/icon.svg",
            "image/svg+xml",
            include_str!("../../../web/icon.svg"),
        ),
        PageFile::new(
            "/touch-icon.png",
            "image/png",
            include_bytes!("../../../web/touch-icon.png"),
        ),
        PageFile::new(
            "/app.webmanifest",
            "application/manifest+json",
            include_str!("../../../web/app.webmanifest"),
        ),
        PageFile::new(
            "/service-worker.js",
            SCRIPT_TYPE,
            include_str!("../../../web/service-worker.js"),
        ),
        PageFile::asset(&folder, "page.css", "text/css; charset=utf-8", STYLE),
    ];
    let scripts = SCRIPTS.iter();
    files.extend(scripts.map(|(name, text)| PageFile::asset(&folder, name, SCRIPT_TYPE, text)));
    files
}

/// Returns the path of the folder that the page keeps its scripts and its style sheet in: it names their contents.
fn assets_folder() -> String {
    let assets = SCRIPTS.iter().chain([&("page.css", STYLE)]);
    let contents: String = assets
        .map(|(name, text)| format!("{name}\n{text}\n"))
        .collect();
    format!("/assets/{}", hash(contents.as_bytes()))
}

impl PageFile {
    fn new(path: &str, media_type: &'static str, content: impl AsRef<[u8]>) -> Self {
        let content = content.as_ref();
        Self {
            path: path.to_owned(),
            media_type,
            plain: Bytes::copy_from_slice(content),
            gzip: compressed(content),
            etag: format!("\"{}\"", hash(content)),
            is_immutable: false,
        }
    }

    /// Makes a file in a folder whose path contains the hash of its content.
    fn asset(folder: &str, name: &str, media_type: &'static str, content: &str) -> Self {
        Self {
            is_immutable: true,
            ..Self::new(&format!("{folder}/{name}"), media_type, content)
        }
    }
}

fn hash(content: &[u8]) -> String {
    let mut hash = HEXLOWER.encode(&Sha256::digest(content));
    hash.truncate(HASH_CHARACTERS);
    hash
}

fn compressed(content: &[u8]) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let written = encoder.write_all(content).and_then(|()| encoder.finish());
    // Writing to memory does not fail.
    Bytes::from(written.unwrap_or_default())
}
