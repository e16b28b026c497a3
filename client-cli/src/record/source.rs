//! Reads records from files and servers, with their rules and lexica.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;
use tilewire_rules::event::Record;
use tilewire_rules::lexicon::{FstLexicon, Lexicon};
use tilewire_rules::quoted::quoted;
use tilewire_rules::record::gcg::{self, Gcg, GcgError, RULE_SET};
use tilewire_rules::record::native::{self, Header, NativeError};
use tilewire_rules::ruleset::RuleSet;

use super::RecordFile;
use crate::http;
use crate::output::WriteError;
use crate::text::printable;

/// The largest record that is read, in bytes.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// The reason why a record cannot be used.
#[derive(Debug, Error)]
pub(crate) enum Problem {
    #[error("{path}: {source}")]
    Read { path: PathBuf, source: io::Error },
    #[error("{0}: larger than {MAX_BYTES} bytes")]
    TooLarge(String),
    #[error("{file}:{}: {}", .error.line, .error.problem)]
    Gcg { file: String, error: GcgError },
    #[error("{file}:{}: {}", .error.line, .error.problem)]
    Native { file: String, error: NativeError },
    #[error(
        "unknown rule set {name}; the built-in ones are {1}; name the file of another one: --rules FILE",
        name = quoted(.0)
    )]
    RuleSet(String, String),
    #[error("{0}")]
    RuleFile(#[from] tilewire_rules::ruleset::RuleSetError),
    #[error(
        "{0}: the record has other rules than those of {name}; choose the rules: --rules NAME|FILE",
        name = quoted(.1)
    )]
    OtherRules(String, String),
    #[error("{0} has no tiles for {language}", language = quoted(.1))]
    Language(String, String),
    #[error("{0}")]
    Lexicon(String),
    #[error(
        "{0} draws its board for each game, and GCG does not contain the board; use the native record"
    )]
    DrawnBoard(String),
    #[error("{0}")]
    Replay(#[from] tilewire_rules::state::ReplayError),
    #[error("{0}")]
    Server(String),
    #[error("{0}")]
    Format(String),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// A parsed record.
pub(crate) enum Source {
    Gcg(Gcg),
    Native(Header, Vec<Record>),
}

/// A record with its rules.
pub(crate) struct Loaded {
    pub(crate) name: String,
    pub(crate) source: Source,
    pub(crate) rules: Arc<RuleSet>,
}

impl Loaded {
    /// Reads a file, or downloads a finished game from the server, and finds its rules.
    pub(crate) fn new(args: &RecordFile, server: &str) -> Result<Self, Problem> {
        let bytes = bytes(&args.file, server, args.code.as_deref())?;
        let source = parse(&args.file, &bytes)?;
        let rules = rules(args, &source)?;
        Ok(Self {
            name: args.file.clone(),
            source,
            rules,
        })
    }

    /// The score sheet; a native record is converted.
    pub(crate) fn sheet(&self) -> Result<Gcg, Problem> {
        match &self.source {
            Source::Gcg(gcg) => Ok(gcg.clone()),
            Source::Native(_, records) => Ok(gcg::from_log(&self.rules, records)?),
        }
    }

    /// The name of the lexicon in the record.
    pub(crate) fn lexicon_name(&self) -> Option<&str> {
        match &self.source {
            Source::Gcg(gcg) => gcg.pragma("lexicon"),
            Source::Native(header, _) => Some(&header.lexicon),
        }
    }
}

/// The bytes of a file, or of the native record of a game on the server.
fn bytes(name: &str, server: &str, code: Option<&str>) -> Result<Vec<u8>, Problem> {
    let path = Path::new(name);
    let is_id = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric());
    if !path.exists() && is_id {
        return fetch(server, name, "jsonl", code);
    }
    let problem = |source| Problem::Read {
        path: path.to_owned(),
        source,
    };
    let length = path.metadata().map_err(problem)?.len();
    if length > MAX_BYTES {
        return Err(Problem::TooLarge(name.to_owned()));
    }
    std::fs::read(path).map_err(problem)
}

/// Downloads the record of a finished game; `server` is the address of the WebSocket.
pub(super) fn fetch(
    server: &str,
    game: &str,
    extension: &str,
    code: Option<&str>,
) -> Result<Vec<u8>, Problem> {
    let url = http::url(server, &format!("/games/{game}.{extension}"));
    let failed = |error: &dyn std::fmt::Display| Problem::Server(format!("{url}: {error}"));
    let mut request = http::agent(server).get(&url);
    if let Some(code) = code {
        request = request.header("x-game-code", code);
    }
    let mut answer = request.call().map_err(|error| failed(&error))?;
    let status = answer.status();
    let body = answer.body_mut().with_config().limit(MAX_BYTES);
    let body = body.read_to_vec().map_err(|error| failed(&error))?;
    let said = String::from_utf8_lossy(&body);
    if status.is_success() {
        Ok(body)
    } else if status.as_u16() == 404 && !said.starts_with("no_form:") {
        let text = "no such game, or it is private (give its code with --code)";
        Err(Problem::Server(text.to_owned()))
    } else {
        // The text begins with a code for programs.
        let said = said.split_once(": ").map_or(&*said, |(_, text)| text);
        Err(Problem::Server(printable(said.trim())))
    }
}

/// Parses a record; the content determines the format.
fn parse(name: &str, bytes: &[u8]) -> Result<Source, Problem> {
    let file = name.to_owned();
    if native::is_native(bytes) {
        return match native::read(bytes) {
            Ok((header, records)) => Ok(Source::Native(header, records)),
            Err(error) => Err(Problem::Native { file, error }),
        };
    }
    match gcg::read(bytes) {
        Ok(gcg) => Ok(Source::Gcg(gcg)),
        Err(error) => Err(Problem::Gcg { file, error }),
    }
}

/// Finds the rules: those that the command names, else those of the record.
fn rules(args: &RecordFile, source: &Source) -> Result<Arc<RuleSet>, Problem> {
    let language = match source {
        Source::Gcg(gcg) => gcg.language(),
        Source::Native(header, _) => Some(header.language.clone()),
    };
    let rules = match (&args.rules, source) {
        (Some(wanted), _) => named(wanted)?,
        (None, Source::Gcg(gcg)) => {
            let layout = gcg.pragma("board-layout").unwrap_or_default();
            let usual = if layout.contains("Super") {
                "super"
            } else {
                "classic"
            };
            builtin(gcg.pragma(RULE_SET).unwrap_or(usual))?
        }
        (None, Source::Native(header, _)) => match &header.rules {
            Some(text) => own(&args.file, &header.rule_set, text)?,
            None => builtin(&header.rule_set)?,
        },
    };
    let rules = match args.language.as_deref().or(language.as_deref()) {
        None => rules,
        Some(language) => {
            let translated = rules.in_language(language);
            let problem = || Problem::Language(rules.id.clone(), language.to_owned());
            Arc::new(translated.ok_or_else(problem)?)
        }
    };
    let is_drawn = rules.premiums == tilewire_rules::ruleset::Premiums::Drawn;
    if is_drawn && matches!(source, Source::Gcg(_)) {
        return Err(Problem::DrawnBoard(rules.id.clone()));
    }
    Ok(rules)
}

/// The rule set that `--rules` names: a built-in one, or a file.
pub(crate) fn named(wanted: &str) -> Result<Arc<RuleSet>, Problem> {
    let path = Path::new(wanted);
    if RuleSet::builtin(wanted).is_some() || !path.exists() {
        return builtin(wanted);
    }
    let text = std::fs::read_to_string(path).map_err(|source| Problem::Read {
        path: path.to_owned(),
        source,
    })?;
    Ok(Arc::new(RuleSet::parse(&text, wanted)?))
}

fn builtin(id: &str) -> Result<Arc<RuleSet>, Problem> {
    RuleSet::builtin(id).ok_or_else(|| {
        let known = RuleSet::builtins().iter().map(|rules| rules.id.as_str());
        let known: Vec<&str> = known.collect();
        Problem::RuleSet(id.to_owned(), known.join(", "))
    })
}

/// The rule set of an operator, which the record brings along.
fn own(file: &str, id: &str, text: &str) -> Result<Arc<RuleSet>, Problem> {
    let rules = RuleSet::parse(text, file)?;
    if rules.id != id || RuleSet::builtin(id).is_some() {
        return Err(Problem::OtherRules(file.to_owned(), id.to_owned()));
    }
    Ok(Arc::new(rules))
}

/// Finds a lexicon: none, the built-in one, or a file. By default it is that of the record, if it is built in.
pub(crate) fn lexicon(
    wanted: Option<&str>,
    named: Option<&str>,
) -> Result<Option<Arc<FstLexicon>>, Problem> {
    let builtin = FstLexicon::builtin();
    match wanted {
        Some("none") => Ok(None),
        Some(name) if name == builtin.name() => Ok(Some(builtin)),
        Some(file) => {
            let bytes = std::fs::read(file)
                .map_err(|error| Problem::Lexicon(format!("{file}: {error}")))?;
            let lexicon = FstLexicon::from_bytes("lexicon", bytes)
                .map_err(|error| Problem::Lexicon(format!("{file}: {error}")))?;
            Ok(Some(Arc::new(lexicon)))
        }
        None => Ok((named == Some(builtin.name())).then_some(builtin)),
    }
}
