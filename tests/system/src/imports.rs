//! Reads from the source of a crate which of its top-level modules use which, and finds cycles among them.
//!
//! A path names another module by `crate::`, or by as many `super::` as lead out of its own. Names that the crate's root
//! re-exports count for the module that defines them. Tests do not count: files and items that only tests compile are
//! left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// For each module, the modules it uses.
pub type Graph = BTreeMap<String, BTreeSet<String>>;

/// Words before the name of an item.
const ITEM_KEYWORDS: &[&str] = &[
    "struct", "enum", "union", "trait", "type", "fn", "const", "static",
];

/// Reads which top-level modules of the crate with its sources in `src` use which.
///
/// # Panics
/// When a source cannot be read.
#[must_use]
pub fn top_level_modules(src: &Path) -> Graph {
    let sources: Vec<Source> = rust_files(src)
        .into_iter()
        .filter_map(|path| Source::read(src, &path))
        .collect();
    let modules: BTreeSet<&str> = sources.iter().map(|source| source.module()).collect();
    let reexports = reexports(src, &sources);
    let mut graph: Graph = modules
        .iter()
        .map(|module| ((*module).to_owned(), BTreeSet::new()))
        .collect();
    for source in &sources {
        let used = graph.get_mut(source.module()).expect("it was just added");
        for name in names_at_root(&source.text, source.depth()) {
            let defined_in = reexports.get(&name).unwrap_or(&name);
            if modules.contains(defined_in.as_str()) && defined_in != source.module() {
                used.insert(defined_in.clone());
            }
        }
    }
    graph
}

/// Returns a shortest cycle, from a module back to itself, if there is one.
#[must_use]
pub fn cycle(graph: &Graph) -> Option<Vec<String>> {
    graph
        .keys()
        .filter_map(|start| way_back(graph, start))
        .min_by_key(Vec::len)
}

/// Returns a shortest way from a module back to itself.
fn way_back(graph: &Graph, start: &str) -> Option<Vec<String>> {
    let mut ways = vec![vec![start.to_owned()]];
    let mut seen = BTreeSet::new();
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for way in ways {
            for next in graph.get(way.last()?)? {
                let way: Vec<String> = way.iter().chain([next]).cloned().collect();
                if next == start {
                    return Some(way);
                }
                if seen.insert(next) {
                    longer.push(way);
                }
            }
        }
        ways = longer;
    }
    None
}

/// A file that is not only for tests, and the path of its module from the crate's root.
struct Source {
    path: Vec<String>,
    text: String,
}

impl Source {
    fn read(src: &Path, file: &Path) -> Option<Self> {
        let inner = file
            .strip_prefix(src)
            .expect("it is below")
            .with_extension("");
        let mut path: Vec<String> = inner
            .iter()
            .map(|part| part.to_string_lossy().into_owned())
            .collect();
        if path.last().is_some_and(|last| last == "mod") {
            path.pop();
        }
        let is_test = |part: &String| part == "tests" || part.ends_with("_tests");
        let is_root = matches!(path.first()?.as_str(), "lib" | "main" | "bin");
        if is_root || path.iter().any(is_test) {
            return None;
        }
        let text = fs::read_to_string(file).expect("readable");
        Some(Self { path, text })
    }

    fn module(&self) -> &str {
        &self.path[0]
    }

    fn depth(&self) -> usize {
        self.path.len()
    }
}

/// Returns all Rust files below a directory.
///
/// # Panics
/// When a directory cannot be read.
#[must_use]
pub fn rust_files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != "target") {
                found.extend(rust_files(&path));
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Returns the module that defines each name which the crate's root re-exports.
fn reexports(src: &Path, sources: &[Source]) -> BTreeMap<String, String> {
    let root = fs::read_to_string(src.join("lib.rs")).unwrap_or_default();
    let tokens = without_tests(&tokens(&root));
    let mut found = BTreeMap::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at] != "use" {
            at += 1;
            continue;
        }
        let end = at
            + tokens[at..]
                .iter()
                .position(|token| *token == ";")
                .unwrap_or(0);
        let statement = &tokens[at + 1..end.max(at + 1)];
        at = end.max(at + 1);
        let statement = statement.strip_prefix(&["self", "::"]).unwrap_or(statement);
        let Some((module, names)) = statement.split_first() else {
            continue;
        };
        if names.contains(&"*") {
            let own = sources.iter().filter(|source| source.module() == *module);
            let items = own.flat_map(|source| items(&source.text));
            found.extend(items.map(|item| (item, (*module).to_owned())));
        }
        let names = names.iter().filter(|name| is_word(name));
        found.extend(names.map(|name| ((*name).to_owned(), (*module).to_owned())));
    }
    found
}

/// Returns the names of the items in a source.
fn items(source: &str) -> Vec<String> {
    let tokens = without_tests(&tokens(source));
    let pairs = tokens.windows(2);
    let named = pairs.filter(|pair| ITEM_KEYWORDS.contains(&pair[0]) && is_word(pair[1]));
    named.map(|pair| pair[1].to_owned()).collect()
}

/// Returns the names that paths in the source of a module look for at the crate's root. The module is `depth` below it.
fn names_at_root(source: &str, depth: usize) -> BTreeSet<String> {
    let tokens = without_tests(&tokens(source));
    let mut found = BTreeSet::new();
    let mut at = 0;
    while at < tokens.len() {
        let (start, mut levels) = (at, 0);
        while tokens.get(at) == Some(&"super") && tokens.get(at + 1) == Some(&"::") {
            (levels, at) = (levels + 1, at + 2);
        }
        let is_restriction = start > 0 && tokens[start - 1] == "in";
        if tokens[at] == "crate" && tokens.get(at + 1) == Some(&"::") {
            at += 2;
        } else if levels == 0 || levels < depth {
            at += 1;
            continue;
        }
        if !is_restriction {
            let names = first_names(&tokens[at..]).into_iter();
            found.extend(names.map(str::to_owned));
        }
    }
    found
}

/// Returns the first name of each path in a tree of paths: one, or as many as the braces hold.
fn first_names<'a>(tree: &[&'a str]) -> Vec<&'a str> {
    let group = match tree.first() {
        Some(&"{") => &tree[1..end_of_group(tree, 0) - 1],
        Some(_) => &tree[..1],
        None => tree,
    };
    let (mut found, mut at) = (Vec::new(), 0);
    while at < group.len() {
        found.extend(Some(group[at]).filter(|name| is_word(name)));
        while at < group.len() && group[at] != "," {
            at = match group[at] {
                "{" => end_of_group(group, at),
                _ => at + 1,
            };
        }
        at += 1;
    }
    found
}

/// Leaves out the items that only tests compile.
fn without_tests<'a>(tokens: &[&'a str]) -> Vec<&'a str> {
    let mut kept = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        let end = end_of_attribute(tokens, at);
        match end {
            Some(end) if is_for_tests(&tokens[at..end]) => at = end_of_item(tokens, end),
            Some(end) => {
                kept.extend_from_slice(&tokens[at..end]);
                at = end;
            }
            None => {
                kept.push(tokens[at]);
                at += 1;
            }
        }
    }
    kept
}

/// Returns where the attribute ends that begins at a token, if one does.
fn end_of_attribute(tokens: &[&str], at: usize) -> Option<usize> {
    let is_attribute = tokens[at] == "#" && tokens.get(at + 1) == Some(&"[");
    is_attribute.then(|| end_of_group(tokens, at + 1))
}

fn is_for_tests(attribute: &[&str]) -> bool {
    let is_cfg = attribute.get(2) == Some(&"cfg");
    is_cfg && attribute.contains(&"test") && !attribute.contains(&"not")
}

/// Returns where an item ends: after its first block or semicolon, or where the block around it ends.
fn end_of_item(tokens: &[&str], mut at: usize) -> usize {
    while at < tokens.len() {
        match tokens[at] {
            ";" => return at + 1,
            "{" => return end_of_group(tokens, at),
            "(" | "[" => at = end_of_group(tokens, at),
            "}" => return at,
            _ => at += 1,
        }
    }
    at
}

/// Returns where a group in brackets ends that begins at a token.
fn end_of_group(tokens: &[&str], mut at: usize) -> usize {
    let mut depth = 0_usize;
    while at < tokens.len() {
        match tokens[at] {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
        if depth == 0 {
            break;
        }
    }
    at
}

fn is_word(token: &str) -> bool {
    token.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// Cuts a source into words, `::` and single signs; comments, strings and characters are left out.
fn tokens(source: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let length = if let Some(length) = ignored(rest) {
            length
        } else if first.is_alphanumeric() || first == '_' {
            let length = word_length(rest);
            found.push(&rest[..length]);
            length
        } else if rest.starts_with("::") {
            found.push(&rest[..2]);
            2
        } else {
            if !first.is_whitespace() {
                found.push(&rest[..first.len_utf8()]);
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    found
}

fn word_length(text: &str) -> usize {
    text.find(|sign: char| !sign.is_alphanumeric() && sign != '_')
        .unwrap_or(text.len())
}

/// Returns the length of the comment, string or character at the start, if there is one.
fn ignored(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    if text.starts_with("/*") {
        return Some(block_comment(text));
    }
    if let Some(character) = text.strip_prefix('\'') {
        return character_length(character).map(|length| length + 1);
    }
    let prefix = ["br", "cr", "r", "b", "c", ""].into_iter().find(|prefix| {
        let quoted = text.strip_prefix(prefix);
        let quoted = quoted.map(|quoted| match prefix.ends_with('r') {
            true => quoted.trim_start_matches('#'),
            false => quoted,
        });
        quoted.is_some_and(|quoted| quoted.starts_with('"'))
    })?;
    let inner = &text[prefix.len()..];
    let length = if prefix.ends_with('r') {
        let hashes = inner.len() - inner.trim_start_matches('#').len();
        let end = format!("\"{}", "#".repeat(hashes));
        let opened = hashes + 1;
        let closes = inner[opened..].find(&end).unwrap_or(inner.len() - opened);
        (opened + closes + end.len()).min(inner.len())
    } else {
        string_length(inner)
    };
    Some(prefix.len() + length)
}

fn block_comment(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < text.len() {
        if text[at..].starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if text[at..].starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                break;
            }
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    at
}

/// Returns the length of a string with its quotes.
fn string_length(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, sign) in text.char_indices().skip(1) {
        match sign {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Returns the length of a character after its opening quote; a lifetime is none.
fn character_length(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    if first == '\\' {
        let escaped = text.chars().nth(1)?.len_utf8();
        let closes = text[1 + escaped..].find('\'')?;
        return Some(1 + escaped + closes + 1);
    }
    let after = first.len_utf8();
    text[after..].starts_with('\'').then_some(after + 1)
}

#[cfg(test)]
mod tests;
