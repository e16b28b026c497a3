//! Checks that the documents name only links, files, tests, build targets and settings that exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tilewire_harness::binaries::{self, workspace};

/// Flags of cargo that name a package or a target.
const TARGET_FLAGS: &[&str] = &["-p", "--test", "--bin", "--bench", "--example"];
/// The last part of a dotted name that is a file and not a setting.
const EXTENSIONS: &[&str] = &["rs", "md", "toml", "json", "txt"];

/// The names that documents may use.
struct Tree {
    root: PathBuf,
    /// Folders in the root; a path in a document that begins with one must exist.
    folders: BTreeSet<String>,
    /// Packages, programs, tests, benchmarks and examples.
    targets: BTreeSet<String>,
    /// The source of the server's configuration.
    config: String,
}

#[test]
fn documents_name_only_what_exists() {
    let tree = Tree::read(workspace());
    let mut found = Vec::new();
    for document in files(workspace(), "md") {
        let text = fs::read_to_string(&document).expect("readable");
        let problems = tree.problems(&document, &text).into_iter();
        found.extend(problems.map(|problem| format!("{}: {problem}", document.display())));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The operator finds every table of the database in the list of what grows, with what bounds and prunes it.
#[test]
fn the_list_of_what_grows_has_every_table() {
    let path = workspace().join("docs/operating/configure.md");
    let document = fs::read_to_string(path).expect("readable");
    let (_, list) = document.split_once("### What grows").expect("a heading");
    let (list, _) = list.split_once("| `tilewire.sqlite-wal` |").expect("files");
    let mut listed = BTreeSet::new();
    for row in list.lines().filter(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        assert_eq!(cells.len(), 5, "{row}");
        assert!(cells[1..4].iter().all(|cell| !cell.is_empty()), "{row}");
        listed.extend(cells[1].split('`').skip(1).step_by(2));
    }
    let tables = tilewire_sql::personal::TABLES.iter();
    let tables: BTreeSet<&str> = tables.map(|table| table.name).collect();
    let differing: Vec<&&str> = tables.symmetric_difference(&listed).collect();
    assert!(
        differing.is_empty(),
        "configure.md says what bounds each table, and names no others: {differing:?}"
    );
}

#[test]
fn every_kind_of_mistake_is_found() {
    let tree = Tree::read(workspace());
    let document = workspace().join("docs/sample.md");
    let check = |text: &str, mistake: &str| {
        let problems = tree.problems(&document, text);
        let wanted: Vec<&str> = Some(mistake)
            .filter(|text| !text.is_empty())
            .into_iter()
            .collect();
        assert_eq!(problems, wanted, "{text}");
    };
    check("[a](missing.md)", "no file missing.md");
    check("![a](pictures/missing.svg)", "no file pictures/missing.svg");
    check("[a](PROTOCOL.md#missing)", "no heading PROTOCOL.md#missing");
    check("# Here\n\n[a](#there)", "no heading #there");
    check("# Here\n\n[a\nb](#here), [c](https://example.org/x)", "");
    check("[a](../README.md) and [b](PROTOCOL.md#close-codes)", "");
    check(
        "`tests/system/missing.rs`",
        "no file tests/system/missing.rs",
    );
    check("`missing/file.rs`", "no file missing/file.rs");
    check(
        "`tests/system/tests/meta/docs.rs`, `rules/src/` and `target/x`",
        "",
    );
    check(
        "`tests/system/tests/meta/docs.rs` `missing_test`",
        "no test missing_test in tests/system/tests/meta/docs.rs",
    );
    check(
        "`tests/system/tests/meta/docs.rs` `every_kind_of_mistake_is_found`",
        "",
    );
    check("```sh\ncargo test -p missing\n```", "no target missing");
    check("Run `cargo test --test\nmissing`.", "no target missing");
    check("Run `cargo test --test meta` and `mkdir -p missing`.", "");
    check("`limits.no_such` 5", "no setting limits.no_such");
    check("`limits.connections` and `limits.rs`", "");
}

/// Every documented command of our programs has a task and flags that the program knows, and values that it accepts.
#[test]
fn documented_commands_are_accepted() {
    let mut lines: Vec<String> = Vec::new();
    for document in files(workspace(), "md") {
        let text = fs::read_to_string(&document).expect("readable");
        let (prose, commands) = split(&text);
        lines.extend(commands);
        let spans = prose.split("\n\n").flat_map(|block| {
            let block = block.replace('\n', " ");
            let spans = block.split('`').skip(1).step_by(2).map(str::to_owned);
            spans.collect::<Vec<_>>()
        });
        lines.extend(spans);
    }
    for (program, args) in [
        (binaries::client(), &["--help"][..]),
        (binaries::client(), &["record", "--help"]),
        (binaries::client(), &["lexicon", "--help"]),
        (binaries::client(), &["completions", "--help"]),
        (binaries::client(), &["man", "--help"]),
        (binaries::server(), &["--help"]),
    ] {
        let help = Command::new(program).args(args).output().expect("it runs");
        let help = String::from_utf8(help.stdout).expect("UTF-8");
        lines.extend(help.lines().map(|line| line.trim().to_owned()));
    }
    let commands: BTreeSet<Vec<String>> =
        lines.iter().flat_map(|line| our_commands(line)).collect();
    assert!(commands.len() > 40, "{commands:?}");
    let refused = commands.iter().filter_map(|words| refusal(words));
    let refused: Vec<String> = refused.collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

/// The commands of our programs in a line of a shell: `tilewire` or `tilewire-server`, and the arguments.
fn our_commands(line: &str) -> Vec<Vec<String>> {
    let line = line.split(" #").next().unwrap_or_default();
    // A quoted argument is one word.
    let quoted = |(at, part): (usize, &str)| match at % 2 {
        0 => part.to_owned(),
        _ => part.replace(' ', "_"),
    };
    let line: String = line.split('"').enumerate().map(quoted).collect();
    let parts = line.split(['|', ';', '(', ')']);
    let commands = parts.filter_map(|part| {
        // Two spaces separate a command from its explanation in a help text.
        let command = part.trim().split("  ").next()?;
        let words = command.split(' ').map(|word| word.trim_matches('\''));
        let words = words.take_while(|word| !word.contains(['>', '<']));
        let words: Vec<String> = words.map(str::to_owned).collect();
        let text = words.join(" ");
        let text = text.replace("cargo run --release -p tilewire-cli --", "tilewire");
        let (program, args) = text.split_once(' ')?;
        let name = program.rsplit('/').next()?;
        let is_ours = name == "tilewire" || name == "tilewire-server";
        let args = args.split(' ').map(str::to_owned);
        is_ours.then(|| [name.to_owned()].into_iter().chain(args).collect())
    });
    commands.collect()
}

/// The error of a program that refuses these arguments, without doing anything.
fn refusal(words: &[String]) -> Option<String> {
    let program = match words[0].as_str() {
        "tilewire" => binaries::client(),
        _ => binaries::server(),
    };
    // The program parses the arguments before the flag, and then only prints its help.
    let output = Command::new(program)
        .args(&words[1..])
        .arg("--help")
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (!output.status.success()).then(|| format!("{}: {said}", words.join(" ")))
}

impl Tree {
    fn read(root: &Path) -> Self {
        let manifests = files(root, "toml")
            .into_iter()
            .filter(|file| file.ends_with("Cargo.toml"));
        let mut targets = BTreeSet::new();
        for manifest in manifests {
            let text = fs::read_to_string(&manifest).expect("readable");
            let names = text.lines().filter_map(|line| {
                let value = line.strip_prefix("name = \"")?;
                value.strip_suffix('"')
            });
            targets.extend(names.map(str::to_owned));
            let package = manifest.parent().expect("a folder");
            for place in ["tests", "src/bin", "benches", "examples"] {
                targets.extend(entries(&package.join(place)).iter().map(|path| stem(path)));
            }
        }
        // Cargo makes the folder of its output; a clone does not have its files.
        let is_own = |path: &PathBuf| path.is_dir() && !path.ends_with("target");
        let folders = entries(root).into_iter().filter(is_own);
        let config = files(&root.join("server/config/src"), "rs");
        let texts = config.iter().map(fs::read_to_string);
        Self {
            root: root.to_owned(),
            folders: folders.map(|path| stem(&path)).collect(),
            targets,
            config: texts.collect::<Result<_, _>>().expect("readable"),
        }
    }

    /// Returns the names in a document that do not exist.
    fn problems(&self, document: &Path, text: &str) -> Vec<String> {
        let (prose, mut commands) = split(text);
        let mut problems = Vec::new();
        for block in prose.split("\n\n") {
            let block = block.replace('\n', " ");
            let pieces: Vec<&str> = block.split('`').collect();
            let spans: Vec<&str> = pieces.iter().copied().skip(1).step_by(2).collect();
            let plain: String = pieces.iter().copied().step_by(2).collect();
            for piece in plain.split("](").skip(1) {
                let target = piece.split(')').next().unwrap_or_default();
                problems.extend(self.problem_of_link(document, text, target));
            }
            for span in &spans {
                problems.extend(self.problem_of_name(document, span));
            }
            // A test is named right behind its file.
            for (at, name) in spans.iter().enumerate().skip(1) {
                if pieces[2 * at] == " " && spans[at - 1].ends_with(".rs") {
                    problems.extend(self.problem_of_test(spans[at - 1], name));
                }
            }
            commands.extend(spans.iter().map(|span| (*span).to_owned()));
        }
        let wrong = commands
            .iter()
            .flat_map(|command| self.wrong_targets(command));
        problems.extend(wrong);
        problems
    }

    fn problem_of_link(&self, document: &Path, text: &str, target: &str) -> Option<String> {
        if target.contains("://") {
            return None;
        }
        let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
        let path = document.parent()?.join(file);
        if !file.is_empty() && !path.exists() {
            return Some(format!("no file {file}"));
        }
        let other = (!file.is_empty()).then(|| fs::read_to_string(&path).unwrap_or_default());
        let is_there = anchor.is_empty() || has_heading(other.as_deref().unwrap_or(text), anchor);
        (!is_there).then(|| format!("no heading {target}"))
    }

    /// Looks at a path or a setting in backticks.
    fn problem_of_name(&self, document: &Path, name: &str) -> Option<String> {
        if let Some((section, key)) = name.split_once('.') {
            let sections = [
                "backup",
                "limits",
                "timing",
                "storage",
                "overload",
                "identity",
                "retention",
            ];
            let is_setting = sections.contains(&section) && !EXTENSIONS.contains(&key);
            if is_setting && !self.config.contains(&format!(" {key}: ")) {
                return Some(format!("no setting {name}"));
            }
        }
        let first = name.split_once('/')?.0;
        let is_pattern = name.contains([' ', '*', '<', '$']) || name.starts_with('/');
        let is_ours = self.folders.contains(first) || name.ends_with(".rs");
        if is_pattern || !is_ours {
            return None;
        }
        let is_there = self.root.join(name).exists() || document.with_file_name(name).exists();
        (!is_there).then(|| format!("no file {name}"))
    }

    fn problem_of_test(&self, file: &str, name: &str) -> Option<String> {
        let text = fs::read_to_string(self.root.join(file)).ok()?;
        let is_there = text.contains(&format!("fn {name}("));
        (!is_there).then(|| format!("no test {name} in {file}"))
    }

    /// Returns the packages and targets that a command names and that do not exist.
    fn wrong_targets(&self, command: &str) -> Vec<String> {
        if !command.contains("cargo ") {
            return Vec::new();
        }
        let words: Vec<&str> = command.split_whitespace().collect();
        let named = words
            .windows(2)
            .filter(|pair| TARGET_FLAGS.contains(&pair[0]));
        let wrong = named.filter(|pair| !self.targets.contains(pair[1]));
        wrong.map(|pair| format!("no target {}", pair[1])).collect()
    }
}

/// Separates prose from the lines of fenced code; a line that ends in a backslash continues.
fn split(text: &str) -> (String, Vec<String>) {
    let (mut prose, mut commands) = (String::new(), Vec::new());
    for (number, part) in text.replace("\\\n", " ").split("```").enumerate() {
        if number % 2 == 0 {
            prose.push_str(part);
            prose.push_str("\n\n");
        } else {
            commands.extend(part.lines().map(str::to_owned));
        }
    }
    (prose, commands)
}

fn has_heading(text: &str, anchor: &str) -> bool {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings.into_iter().any(|line| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c })
            .eq(anchor.chars())
    })
}

fn stem(path: &Path) -> String {
    let name = path.file_stem().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// The entries of a folder, none if there is no such folder.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries
        .map(|entry| entry.expect("an entry").path())
        .collect()
}

/// All files of a kind below a folder, without those that builds and installers put there.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in entries(folder) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_foreign =
            name.starts_with('.') || ["target", "node_modules", "venv"].contains(&&*name);
        if path.is_dir() && !is_foreign {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found
}
