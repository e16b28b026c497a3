//! Joins the modules of the page into a few scripts, and its style sheets into one.
//!
//! A browser needs one request for each module it imports, and then one for each module which that one imports. One file
//! starts about four times as fast. The build script compiles this file, so it uses the standard library only.
//!
//! The main script has the modules that `main.js` imports, directly or by others. A module that is loaded by
//! `import('./file.js')` begins a script of its own, with the modules that it imports. Each module is in one script: the
//! main one has those that it needs or that several others need, and exports what the others use of it.
//!
//! The modules keep a few rules ([`super::module`] has those for one module by itself):
//! * a name at the top level occurs in one module only;
//! * modules do not import each other in a cycle;
//! * a module that begins a script is not imported by another one;
//! * scripts begin with modules of different file names.

use std::collections::{BTreeMap, BTreeSet};

use super::module::{Module, code_of, script_name};

/// Modules or style sheets: their texts by their paths, with `/` between the parts.
pub(crate) type Files = BTreeMap<String, String>;

/// A script for browsers.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Script {
    /// Its file name, under which other scripts load it.
    pub(crate) name: String,
    /// Its code.
    pub(crate) text: String,
}

/// Joins the modules: the script that begins with the module `main` is the first one.
///
/// # Errors
/// If a module breaks one of the rules, or no script needs it; the text names the module.
pub(crate) fn join_modules(files: &Files, main: &str) -> Result<Vec<Script>, String> {
    let mut modules = BTreeMap::new();
    for (path, source) in files {
        modules.insert(path.as_str(), Module::read(path, source)?);
    }
    check_names(&modules)?;
    let joined = Joined::new(&modules, main)?;
    joined.check()?;
    Ok(joined.scripts())
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

type Modules<'a> = BTreeMap<&'a str, Module>;

/// Checks that a name at the top level occurs in one module only.
fn check_names(modules: &Modules<'_>) -> Result<(), String> {
    let mut known = BTreeMap::new();
    for (path, module) in modules {
        for name in &module.names {
            if let Some(other) = known.insert(name, path) {
                return Err(format!("{path}: {name} is a name of {other} too"));
            }
        }
    }
    Ok(())
}

/// Appends a module to an order, after the modules that it imports.
fn add<'a>(
    modules: &'a Modules<'a>,
    path: &'a str,
    order: &mut Vec<&'a str>,
    above: &mut Vec<&'a str>,
) -> Result<(), String> {
    if above.contains(&path) {
        return Err(format!("{path}: imports itself, by {}", above.join(", ")));
    }
    if order.contains(&path) {
        return Ok(());
    }
    let module = modules
        .get(path)
        .ok_or_else(|| format!("{path}: there is no such module"))?;
    above.push(path);
    for (import, names) in &module.imports {
        add(modules, import, order, above)?;
        let exports = &modules[import.as_str()].exports;
        if let Some(name) = names.iter().find(|name| !exports.contains(name)) {
            return Err(format!("{path}: {import} exports no {name}"));
        }
    }
    above.pop();
    order.push(path);
    Ok(())
}

/// Which module is in which script. A script is known by the module that it begins with.
#[derive(Debug)]
struct Joined<'a> {
    modules: &'a Modules<'a>,
    main: &'a str,
    /// The scripts with all modules that each needs, in order; the main script is the first one.
    needs: Vec<(&'a str, Vec<&'a str>)>,
    /// The script of each module.
    homes: BTreeMap<&'a str, &'a str>,
}

impl<'a> Joined<'a> {
    fn new(modules: &'a Modules<'a>, main: &'a str) -> Result<Self, String> {
        let mut entries = vec![main];
        let mut needs = Vec::new();
        let mut homes = BTreeMap::new();
        while let Some(&entry) = entries.get(needs.len()) {
            let mut order = Vec::new();
            add(modules, entry, &mut order, &mut Vec::new())?;
            for path in &order {
                homes
                    .entry(*path)
                    .and_modify(|home| *home = main)
                    .or_insert(entry);
                for later in &modules[path].later {
                    if !entries.contains(&later.as_str()) {
                        entries.push(later);
                    }
                }
            }
            needs.push((entry, order));
        }
        Ok(Self {
            modules,
            main,
            needs,
            homes,
        })
    }

    fn check(&self) -> Result<(), String> {
        let mut names = BTreeSet::new();
        for (entry, _) in &self.needs {
            if !names.insert(script_name(entry)) {
                return Err(format!("{entry}: another script has this name"));
            }
            let imports_it = |module: &Module| module.imports.iter().any(|(path, _)| path == entry);
            if let Some((path, _)) = self.modules.iter().find(|(_, module)| imports_it(module)) {
                return Err(format!("{path}: imports {entry}, which begins a script"));
            }
        }
        let lonely = self
            .modules
            .keys()
            .find(|path| !self.homes.contains_key(*path));
        lonely.map_or(Ok(()), |path| Err(format!("{path}: no module imports it")))
    }

    fn scripts(&self) -> Vec<Script> {
        // Modules that several scripts need come before the module that starts the page.
        let all = self.needs.iter().skip(1).chain(self.needs.first());
        let all = all.flat_map(|(_, order)| order.iter().copied());
        let mut shared = Vec::new();
        for path in all.filter(|path| self.homes[path] == self.main) {
            if !shared.contains(&path) {
                shared.push(path);
            }
        }
        let later = self.needs.iter().skip(1).map(|(entry, order)| {
            let own = order
                .iter()
                .copied()
                .filter(|path| self.homes[path] == *entry);
            (*entry, own.collect::<Vec<_>>())
        });
        let mut scripts = Vec::new();
        let mut used = BTreeSet::new();
        for (entry, own) in later {
            let names = self.used(entry, &own);
            let exports = self.modules[entry].exports.iter().map(String::as_str);
            let text = format!(
                "{}{}{}",
                names_line(
                    "import",
                    &names,
                    &format!("from'./{}'", script_name(self.main))
                ),
                self.code(&own),
                names_line("export", &exports.collect(), ""),
            );
            used.extend(names);
            let name = script_name(entry).to_owned();
            scripts.push(Script { name, text });
        }
        let name = script_name(self.main).to_owned();
        let text = self.code(&shared) + &names_line("export", &used, "");
        scripts.insert(0, Script { name, text });
        scripts
    }

    /// The names that a script uses of the main script.
    fn used(&self, entry: &str, own: &[&'a str]) -> BTreeSet<&'a str> {
        let modules = self.modules;
        let imports = own.iter().flat_map(|path| &modules[path].imports);
        imports
            .filter(|(path, _)| self.homes[path.as_str()] != entry)
            .flat_map(|(_, names)| names.iter().map(String::as_str))
            .collect()
    }

    fn code(&self, paths: &[&str]) -> String {
        let modules = paths.iter().map(|path| self.modules[path].code.as_str());
        modules.collect()
    }
}

/// Returns a statement that imports or exports names; nothing if there are none.
fn names_line(verb: &str, names: &BTreeSet<&str>, from: &str) -> String {
    if names.is_empty() {
        return String::new();
    }
    let names: Vec<&str> = names.iter().copied().collect();
    format!("{verb}{{{}}}{from};\n", names.join(","))
}
