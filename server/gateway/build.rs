//! Joins the parts of the page in `web` into a few scripts and one style sheet, which the program embeds.

#[path = "src/page/join.rs"]
mod join;
#[path = "src/page/module.rs"]
mod module;

use std::fs;
use std::path::{Path, PathBuf};

use join::Files;

/// The sheets that come first: the others use what they define.
const FIRST_STYLES: [&str; 3] = ["tokens.css", "base.css", "layout.css"];

/// The module that starts the page.
const MAIN: &str = "main.js";

fn main() {
    println!("cargo::rerun-if-changed=../web");
    println!("cargo::rerun-if-changed=src/page/join.rs");
    println!("cargo::rerun-if-changed=src/page/module.rs");
    let web = PathBuf::from(variable("CARGO_MANIFEST_DIR")).join("../web");
    let out = PathBuf::from(variable("OUT_DIR"));
    let scripts = join::join_modules(&files(&web.join("src"), "js"), MAIN);
    let scripts = scripts.unwrap_or_else(|error| panic!("web/src/{error}"));
    let mut list = String::new();
    for join::Script { name, text } in scripts {
        write(&out.join(&name), &text);
        list += &format!("({name:?}, include_str!(concat!(env!(\"OUT_DIR\"), \"/{name}\"))),\n");
    }
    write(&out.join("scripts.rs"), &format!("&[\n{list}]\n"));
    let sheets = files(&web.join("style"), "css");
    write(
        &out.join("page.css"),
        &join::join_styles(&sheets, &FIRST_STYLES),
    );
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// Reads the files with an extension in a folder and the folders in it.
fn files(folder: &Path, extension: &str) -> Files {
    let mut found = Files::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        let entries =
            fs::read_dir(&next).unwrap_or_else(|error| panic!("{}: {error}", next.display()));
        for entry in entries {
            let path = entry
                .unwrap_or_else(|error| panic!("{}: {error}", next.display()))
                .path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                let text = fs::read_to_string(&path)
                    .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                let name = path.strip_prefix(folder).expect("a file of the folder");
                let name = name.to_string_lossy().replace('\\', "/");
                found.insert(name, text);
            }
        }
    }
    found
}
