//! Reads a module of the page: its imports, its exports and its code without what only developers need.
//!
//! The modules keep rules that make joining simple; a module that breaks one stops the build with its name:
//! * an import has the form `import { a, b } from './file.js';`, without renaming;
//! * a script of its own is loaded by `import('./file.js')`, with the path as a text;
//! * `export` stands in front of a declaration;
//! * a text between backticks ends in its line.

/// The parts of a module that joining needs.
#[derive(Debug, Default)]
pub(crate) struct Module {
    /// The modules that it imports, and the names that it uses of each.
    pub(crate) imports: Vec<(String, Vec<String>)>,
    /// The modules that it loads later: each begins a script of its own.
    pub(crate) later: Vec<String>,
    /// The names at its top level.
    pub(crate) names: Vec<String>,
    /// Those of the names that others may use.
    pub(crate) exports: Vec<String>,
    /// Its code without comments, types, imports and `export`.
    pub(crate) code: String,
}

impl Module {
    /// Reads the module at `path`.
    ///
    /// # Errors
    /// If the module breaks one of the rules; the text names the module.
    pub(crate) fn read(path: &str, source: &str) -> Result<Self, String> {
        let mut module = Self::default();
        let stripped = code_of(source, true);
        let mut lines = stripped.lines();
        while let Some(line) = lines.next() {
            if line.starts_with("import ") {
                let mut import = line.to_owned();
                while !import.ends_with(';') {
                    import += lines.next().ok_or_else(|| format!("{path}: {import}"))?;
                }
                module.imports.push(imported(path, &import)?);
            } else {
                module.take(path, line)?;
            }
        }
        Ok(module)
    }

    /// Takes a line of code.
    fn take(&mut self, path: &str, line: &str) -> Result<(), String> {
        if line.matches('`').count() % 2 == 1 {
            return Err(format!(
                "{path}: a text between backticks has two lines: {line}"
            ));
        }
        let declaration = line.strip_prefix("export ").unwrap_or(line);
        let name = declared(declaration);
        self.names.extend(name.map(str::to_owned));
        if declaration != line {
            let name = name.ok_or_else(|| format!("{path}: exports no declaration: {line}"))?;
            self.exports.push(name.to_owned());
        }
        let code = self.with_scripts(path, declaration.trim_start())?;
        self.code += &without_spaces(&code);
        // A statement can end with a line without saying so. These lines end none, or say so.
        if !code.ends_with(['{', '(', ',', ';']) || code.contains("//") {
            self.code.push('\n');
        }
        Ok(())
    }

    /// Names the scripts in place of the modules that a line loads later.
    fn with_scripts(&mut self, path: &str, line: &str) -> Result<String, String> {
        let mut parts = line.split("import(");
        let mut code = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let wrong = || format!("{path}: not of the form import('./file.js'): {line}");
            let text = part.strip_prefix('\'').ok_or_else(wrong)?;
            let (target, behind) = text.split_once("')").ok_or_else(wrong)?;
            let module = resolved(path, target).ok_or_else(wrong)?;
            code += &format!("import('./{}'){behind}", script_name(&module));
            self.later.push(module);
        }
        Ok(code)
    }
}

/// Returns the name of the script that begins with the module at `path`.
pub(crate) fn script_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns the path of the module that a statement in the module at `path` imports, and the imported names.
fn imported(path: &str, import: &str) -> Result<(String, Vec<String>), String> {
    let wrong = || format!("{path}: not of the form import {{ a, b }} from './file.js': {import}");
    let (names, from) = import.split_once(" from '").ok_or_else(wrong)?;
    let names = names
        .strip_prefix("import {")
        .and_then(|names| names.strip_suffix('}'))
        .filter(|names| !names.contains(" as "))
        .ok_or_else(wrong)?;
    let target = from.strip_suffix("';").ok_or_else(wrong)?;
    let names = names.split(',').map(str::trim);
    let names = names.filter(|name| !name.is_empty()).map(str::to_owned);
    Ok((resolved(path, target).ok_or_else(wrong)?, names.collect()))
}

/// Returns the path of a module that the module at `path` calls `target`.
fn resolved(path: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
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
pub(crate) fn code_of(source: &str, is_script: bool) -> String {
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

/// Removes the spaces beside punctuation from a line of code. A line with a slash stays as it is: it can hold a regular
/// expression or a comment.
fn without_spaces(line: &str) -> String {
    if line.contains('/') {
        return line.to_owned();
    }
    let mut code = String::new();
    // The texts and templates that are open, and the braces, also those of the code in a template.
    let mut open = Vec::new();
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        if let Some(quote @ ('\'' | '"' | '`')) = open.last().copied() {
            code.push(character);
            if character == '\\' {
                code.extend(characters.next());
            } else if character == quote {
                open.pop();
            } else if character == '$' && quote == '`' && characters.peek() == Some(&'{') {
                code.extend(characters.next());
                open.push('{');
            }
            continue;
        }
        match character {
            '\'' | '"' | '`' | '{' => open.push(character),
            '}' => drop(open.pop()),
            _ => {}
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
