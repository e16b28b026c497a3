//! The files of a workspace in memory, and replacements that do not depend on how the code is laid out.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A file of the workspace.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) bytes: Vec<u8>,
    /// When the file was last modified; `None` after an edit.
    modified: Option<SystemTime>,
}

impl Source {
    /// Replaces the whole text.
    pub(super) fn set(&mut self, text: String) {
        self.bytes = text.into_bytes();
        self.modified = None;
    }
}

/// All files of a workspace, by their path in it.
pub(super) type Tree = BTreeMap<PathBuf, Source>;

/// Reads all files below `root`, except hidden files and build output.
pub(super) fn read(root: &Path) -> io::Result<Tree> {
    let mut tree = Tree::new();
    read_below(root, root, &mut tree)?;
    Ok(tree)
}

fn read_below(root: &Path, directory: &Path, tree: &mut Tree) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let (path, kind) = entry.and_then(|entry| Ok((entry.path(), entry.file_type()?)))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with('.') || name == "target" || name == "node_modules" {
            continue;
        }
        if kind.is_dir() {
            read_below(root, &path, tree)?;
        } else if kind.is_file() {
            let source = Source {
                bytes: fs::read(&path)?,
                modified: Some(fs::metadata(&path)?.modified()?),
            };
            let within = path.strip_prefix(root).expect("it lies below the root");
            tree.insert(within.to_owned(), source);
        }
    }
    Ok(())
}

/// Makes `root` contain exactly these files. A file that is the same already is left alone.
pub(super) fn write(tree: &Tree, root: &Path) -> io::Result<()> {
    for (path, source) in tree {
        let path = root.join(path);
        if fs::read(&path).is_ok_and(|bytes| bytes == source.bytes) {
            continue;
        }
        fs::create_dir_all(path.parent().expect("it lies below the root"))?;
        fs::write(&path, &source.bytes)?;
        // Cargo compares modification times: it does not rebuild an unedited file.
        if let Some(modified) = source.modified {
            File::options()
                .write(true)
                .open(&path)?
                .set_modified(modified)?;
        }
    }
    let mut stale = read(root)?
        .into_keys()
        .filter(|path| !tree.contains_key(path));
    stale.try_for_each(|path| fs::remove_file(root.join(path)))
}

/// Adds text to the end of a file, or creates the file.
pub(super) fn append(tree: &mut Tree, path: &Path, text: &str) {
    let source = tree.entry(path.to_owned()).or_insert_with(|| Source {
        bytes: Vec::new(),
        modified: None,
    });
    source.set(String::from_utf8_lossy(&source.bytes).into_owned() + text);
}

/// The places of a piece of code in a text; white space does not matter.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Places {
    /// The code does not occur.
    None,
    /// The code occurs once: the text with its replacement.
    One(String),
    /// The code occurs more than once.
    Several,
}

/// Returns the names and keywords in a piece of code. White space never divides them.
pub(super) fn words(code: &str) -> impl Iterator<Item = &str> {
    let words = code.split(|char: char| !char.is_alphanumeric() && char != '_');
    words.filter(|word| !word.is_empty())
}

/// Replaces a piece of code that occurs once.
pub(super) fn replace_once(text: &str, find: &str, put: &str) -> Places {
    let find: String = find.split_whitespace().collect();
    let solid = text
        .char_indices()
        .filter(|(_, char)| !char.is_whitespace());
    let mut dense = String::new();
    let mut offsets = Vec::new();
    for (offset, char) in solid {
        dense.push(char);
        offsets.extend((0..char.len_utf8()).map(|byte| offset + byte));
    }
    let mut places = dense.match_indices(&find);
    match (places.next(), places.next()) {
        (None, _) => Places::None,
        (Some((at, _)), None) => {
            let (first, last) = (offsets[at], offsets[at + find.len() - 1]);
            Places::One([&text[..first], put, &text[last + 1..]].concat())
        }
        (Some(_), Some(_)) => Places::Several,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replacement_ignores_white_space_and_wants_one_place() {
        let text = "fn f() {\n    g(\n        1, 2);\n}\n";
        let replaced = "fn f() {\n    h(3)\n}\n".to_owned();
        assert_eq!(
            replace_once(text, "g(1, 2);", "h(3)"),
            Places::One(replaced)
        );
        assert_eq!(replace_once(text, "g(2)", "h(3)"), Places::None);
        assert_eq!(replace_once("f(); f();", "f();", "g();"), Places::Several);
    }
}
