//! Joins the modules of the page into one script, and its style sheets into one.
//!
//! A browser needs one request for each module it imports, and then one for each module which that one imports. One file
//! starts about four times as fast. The build script compiles this file, so it uses the standard library only.
//!
//! The modules keep rules that make joining simple; a module that breaks one stops the build with its name:
//! * an import has the form `import { a, b } from './file.js';`, without renaming;
//! * `export` stands in front of a declaration;
//! * a name at the top level occurs in one module only;
//! * modules do not import each other in a cycle;
//! * a text between backticks ends in its line.

use std::collections::{BTreeMap, BTreeSet};

/// Modules or style sheets: their texts by their paths, with `/` between the parts.
pub(crate) type Files = BTreeMap<String, String>;

/// Returns a script for each of `entries` with the modules that it needs: each comes after the modules that it imports.
///
/// # Errors
/// If a module breaks one of the rules, or no script needs it; the text names the module.
pub(crate) fn join_modules(modules: &Files, entries: &[&str]) -> Result<Vec<String>, String> {
    let mut needed = BTreeSet::new();
    let mut scripts = Vec::new();
    for entry in entries {
        let mut joined = Joined::default();
        joined.add(modules, entry, &mut Vec::new())?;
        needed.extend(joined.done);
        scripts.push(joined.script);
    }
    match modules.keys().find(|path| !needed.contains(*path)) {
        Some(path) => Err(format!("{path}: no module imports it")),
        None => Ok(scripts),
    }
}

/// Joins style sheets: those of `first` in this order, then the others by name.
#[must_use]
pub(crate) fn join_styles(sheets: &Files, first: &[&str]) -> String {
    let rest = sheets.keys().map(String::as_str);
    let rest = rest.filter(|name| !first.contains(name));
    let names = first.iter().copied().chain(rest);
    let sheets = names.filter_map(|name| sheets.get(name));
    sheets.map(|sheet| code_of(sheet, false)).collect()
}

#[derive(Debug, Default)]
struct Joined {
    script: String,
    done: BTreeSet<String>,
    /// The names at the top level, and the modules that declare them.
    names: BTreeMap<String, String>,
}

impl Joined {
    fn add(&mut self, modules: &Files, path: &str, above: &mut Vec<String>) -> Result<(), String> {
        if above.iter().any(|module| module == path) {
            return Err(format!("{path}: imports itself, by {}", above.join(", ")));
        }
        if self.done.contains(path) {
            return Ok(());
        }
        let source = modules
            .get(path)
            .ok_or_else(|| format!("{path}: there is no such module"))?;
        let (imports, code) = split(path, source)?;
        above.push(path.to_owned());
        for import in imports {
            self.add(modules, &import, above)?;
        }
        above.pop();
        for line in code.lines() {
            let Some(name) = declared(line) else { continue };
            if let Some(other) = self.names.insert(name.to_owned(), path.to_owned()) {
                return Err(format!("{path}: {name} is a name of {other} too"));
            }
        }
        self.done.insert(path.to_owned());
        for line in code.lines() {
            self.script += &without_spaces(line.trim_start());
            self.script.push('\n');
        }
        Ok(())
    }
}

/// Splits a module into the paths that it imports and its code without comments, imports and `export`.
fn split(path: &str, source: &str) -> Result<(Vec<String>, String), String> {
    let mut imports = Vec::new();
    let mut code = String::new();
    let stripped = code_of(source, true);
    let mut lines = stripped.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("import ") {
            let mut import = line.to_owned();
            while !import.ends_with(';') {
                import += lines.next().ok_or_else(|| format!("{path}: {import}"))?;
            }
            imports.push(imported(path, &import)?);
            continue;
        }
        if line.matches('`').count() % 2 == 1 {
            return Err(format!(
                "{path}: a text between backticks has two lines: {line}"
            ));
        }
        let declaration = line.strip_prefix("export ").unwrap_or(line);
        if declaration != line && declared(declaration).is_none() {
            return Err(format!("{path}: exports no declaration: {line}"));
        }
        code += declaration;
        code.push('\n');
    }
    Ok((imports, code))
}

/// Returns the path of the module that a statement in the module at `path` imports.
fn imported(path: &str, import: &str) -> Result<String, String> {
    let wrong = || format!("{path}: not of the form import {{ a, b }} from './file.js': {import}");
    let (names, from) = import.split_once(" from '").ok_or_else(wrong)?;
    let is_plain = names.starts_with("import {") && names.ends_with('}') && !names.contains(" as ");
    let target = from.strip_suffix("';").filter(|_| is_plain);
    let target = target.ok_or_else(wrong)?;
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop().ok_or_else(wrong)?),
            part => parts.push(part),
        }
    }
    Ok(parts.join("/"))
}

/// Returns the name that a line at the top level declares.
fn declared(line: &str) -> Option<&str> {
    let line = line.strip_prefix("async ").unwrap_or(line);
    let kinds = ["function* ", "function ", "class ", "const ", "let "];
    let rest = kinds.iter().find_map(|kind| line.strip_prefix(kind))?;
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
    Some(&rest[..end.unwrap_or(rest.len())]).filter(|name| !name.is_empty())
}

/// Returns the text without its comments, empty lines and indentation. A line of code at the top level of a module, and no
/// other, begins with a name, so it keeps its indentation where `is_script`: one space in place of any.
fn code_of(source: &str, is_script: bool) -> String {
    let mut code = String::new();
    let mut is_comment = false;
    for line in source.lines() {
        let mut trimmed = line.trim();
        if is_comment || trimmed.starts_with("/*") {
            let end = trimmed.split_once("*/");
            is_comment = end.is_none();
            trimmed = end.map_or("", |(_, behind)| behind.trim_start());
        }
        if trimmed.is_empty() || (is_script && trimmed.starts_with("//")) {
            continue;
        }
        if is_script && line.starts_with(' ') {
            code.push(' ');
        }
        code += &without_types(trimmed);
        code.push('\n');
    }
    code
}

/// Removes the spaces beside punctuation from a line of code. A line with a slash or a backtick stays as it is: it can hold a
/// regular expression or a template.
fn without_spaces(line: &str) -> String {
    if line.contains(['/', '`']) {
        return line.to_owned();
    }
    let mut code = String::new();
    let mut quote = None;
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        match quote {
            Some(open) => {
                code.push(character);
                if character == '\\' {
                    code.extend(characters.next());
                } else if character == open {
                    quote = None;
                }
                continue;
            }
            None if matches!(character, '\'' | '"') => quote = Some(character),
            None => {}
        }
        let is_beside =
            |other: Option<char>| other.is_some_and(|other| "=(){}[],;:?<>|&!".contains(other));
        let is_idle = character == ' '
            && (is_beside(code.chars().last()) || is_beside(characters.peek().copied()));
        if !is_idle {
            code.push(character);
        }
    }
    code
}

/// Removes the types that are named within a line of code.
fn without_types(line: &str) -> String {
    let mut rest = line;
    let mut code = String::new();
    while let Some((before, after)) = rest.split_once("/** @type") {
        let Some((_, behind)) = after.split_once("*/") else {
            break;
        };
        code += before;
        rest = behind.trim_start();
    }
    code + rest
}
