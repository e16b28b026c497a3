//! Planted bugs: edits of the product's sources, made in a copy of the workspace, that the simulation has to find.
//!
//! The product contains no trace of them. [`plant`] copies the workspace and makes every edit of [`BUGS`] in the copy;
//! the edited code asks at run time which bug is on, so that one build serves all of them. `tests/run` builds the copy
//! and runs `tests/simulation/tests/simulation/mutants.rs` in it.

mod bugs;
mod source;

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

pub use bugs::{BUGS, Bug};
use source::{Places, Tree, replace_once};

/// Whether this program was built from a copy that contains the bugs.
pub const IS_PLANTED: bool = false;

/// The environment variable that names the bug that is on.
pub const SWITCH: &str = "TILEWIRE_PLANTED";

/// The folders with crates that bugs are planted in.
const FOLDERS: [&str; 2] = ["rules", "server"];

/// A file of the copy: the files with bugs.
const PLACES: &str = "places";

/// Added to each of these crates: tells whether a bug is on.
const MODULE: &str = r#"//! Tells which planted bug is on.

/// Tells whether this bug is on in this process.
pub(crate) fn is(bug: &str) -> bool {
    static ON: std::sync::OnceLock<Option<String>> = std::sync::OnceLock::new();
    ON.get_or_init(|| std::env::var("TILEWIRE_PLANTED").ok()).as_deref() == Some(bug)
}
"#;

/// Copies the workspace `from` into the directory `to` and plants every bug in the copy. Files that are already the same
/// keep their times, so that a second build of the copy has nothing to do.
///
/// # Errors
/// Names each bug whose place in the sources is missing or not unique, or the file that cannot be read or written.
pub fn plant(from: &Path, to: &Path) -> io::Result<()> {
    let mut tree = source::read(from)?;
    let crates = crates(&tree);
    let (mut places, mut misplaced) = (BTreeSet::new(), Vec::new());
    for bug in BUGS {
        match plant_one(&mut tree, &crates, bug) {
            Ok(place) => drop(places.insert(place)),
            Err(reason) => misplaced.push(reason),
        }
    }
    if !misplaced.is_empty() {
        let list = misplaced.join("\n");
        return Err(io::Error::other(format!(
            "update tests/simulation/src/planted/bugs.rs:\n{list}"
        )));
    }
    for folder in crates {
        let sources = folder.join("src");
        source::append(&mut tree, &sources.join("lib.rs"), "\nmod planted;\n");
        source::append(&mut tree, &sources.join("planted.rs"), MODULE);
    }
    // A different set of features separates the builds of the copy from those of the workspace.
    let feature = "\n[features]\ndefault = [\"planted\"]\nplanted = []\n";
    source::append(&mut tree, Path::new("rules/Cargo.toml"), feature);
    let own = tree
        .get_mut(Path::new("tests/simulation/src/planted/mod.rs"))
        .expect("this file");
    let text = String::from_utf8_lossy(&own.bytes);
    own.set(text.replace("IS_PLANTED: bool = false", "IS_PLANTED: bool = true"));
    // `tests/run --since` looks for the bugs if one of these has changed.
    for place in places {
        source::append(&mut tree, Path::new(PLACES), &format!("{place}\n"));
    }
    source::write(&tree, to)
}

/// Returns the folders of the crates that bugs are planted in.
fn crates(tree: &Tree) -> Vec<PathBuf> {
    let manifests = tree.keys().filter(|path| path.ends_with("Cargo.toml"));
    let folders = manifests.filter_map(|path| path.parent());
    let is_product = |folder: &&Path| FOLDERS.iter().any(|name| folder.starts_with(name));
    let product = folders.filter(is_product).map(Path::to_owned);
    product
        .filter(|folder| tree.contains_key(&folder.join("src/lib.rs")))
        .collect()
}

/// Makes the edit of one bug and returns its file; an error says where its code was found instead of in one place.
fn plant_one(tree: &mut Tree, crates: &[PathBuf], bug: &Bug) -> Result<String, String> {
    let switch = format!("crate::planted::is({:?})", bug.name);
    let put = bug.put.replace("BUG", &switch).replace("FOUND", bug.find);
    let is_product = |path: &Path| {
        let mut folders = crates.iter().map(|folder| folder.join("src"));
        folders.any(|folder| path.starts_with(folder)) && path.extension() == Some("rs".as_ref())
    };
    let mut found = Vec::new();
    let words: Vec<&str> = source::words(bug.find).collect();
    for (path, source) in tree.iter_mut().filter(|(path, _)| is_product(path)) {
        let text = String::from_utf8_lossy(&source.bytes);
        // Most files are out of the question, which is quickly seen.
        if !words.iter().all(|word| text.contains(word)) {
            continue;
        }
        match replace_once(&text, bug.find, &put) {
            Places::None => {}
            Places::One(text) => found.push((path, source, text)),
            Places::Several => {
                return Err(format!(
                    "{}: more than once in {}",
                    bug.name,
                    path.display()
                ));
            }
        }
    }
    match found.as_mut_slice() {
        [(path, source, text)] => {
            source.set(std::mem::take(text));
            Ok(path.display().to_string())
        }
        [] => Err(format!("{}: nowhere: {}", bug.name, bug.find)),
        several => {
            let files: Vec<_> = several
                .iter()
                .map(|(path, ..)| path.display().to_string())
                .collect();
            Err(format!("{}: in {}", bug.name, files.join(" and ")))
        }
    }
}
