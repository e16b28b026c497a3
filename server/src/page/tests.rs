//! Joining by example, and the files of the page.

use super::join::{Files, join_modules, join_styles};
use super::{PageFile, find};

fn files(entries: &[(&str, &str)]) -> Files {
    let owned = entries
        .iter()
        .map(|&(path, text)| (path.to_owned(), text.to_owned()));
    owned.collect()
}

#[test]
fn a_module_comes_after_the_modules_that_it_imports() {
    let modules = files(&[
        (
            "main.js",
            "// The start.\nimport {\n  shown,\n} from './view/board.js';\nimport { sum } from './sum.js';\n\nshown(sum(1, 2));\n",
        ),
        (
            "sum.js",
            "/** Adds.\n * @param {number} a */\nexport function sum(a, b) {\n  return a + b; // Both.\n}\n",
        ),
        (
            "view/board.js",
            "import { sum } from '../sum.js';\n/** @type {number} */ export const shown = (n) => /** @type {any} */ (`${sum(n, 1)}`);\n",
        ),
    ]);
    let scripts = join_modules(&modules, &["main.js", "sum.js"]).unwrap();
    let expected = "function sum(a,b){\nreturn a + b; // Both.\n}\nconst shown = (n) => (`${sum(n, 1)}`);\nshown(sum(1,2));\n";
    assert_eq!(scripts[0], expected);
    assert!(expected.starts_with(&scripts[1]), "{}", scripts[1]);
}

#[test]
fn a_module_that_breaks_a_rule_is_named() {
    let cases: [(&[(&str, &str)], &str); 8] = [
        (
            &[("main.js", "import { a } from './a.js';\n")],
            "a.js: there is no such module",
        ),
        (
            &[("main.js", "import * as a from './a.js';\n")],
            "not of the form",
        ),
        (
            &[("main.js", "import { a as b } from './a.js';\n")],
            "not of the form",
        ),
        (
            &[("main.js", "import { a } from './main.js';\n")],
            "main.js: imports itself",
        ),
        (
            &[("main.js", "export default 1;\n")],
            "exports no declaration",
        ),
        (&[("main.js", "f(`one\n`);\n")], "two lines"),
        (
            &[("main.js", "f();\n"), ("b.js", "g();\n")],
            "b.js: no module imports it",
        ),
        (
            &[
                ("main.js", "import { b } from './b.js';\nconst key = 1;\n"),
                ("b.js", "function key() {}\nexport let b = 2;\n"),
            ],
            "main.js: key is a name of b.js too",
        ),
    ];
    for (modules, expected) in cases {
        let error = join_modules(&files(modules), &["main.js"]).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn style_sheets_have_no_comments_and_the_first_one_is_first() {
    let sheets = files(&[
        (
            "board.css",
            "/* The board. */\n.board {\n  width: 1px;\n}\n",
        ),
        ("tokens.css", ":root { --a: 1px; }\n"),
    ]);
    assert_eq!(
        join_styles(&sheets, &["tokens.css"]),
        ":root { --a: 1px; }\n.board {\nwidth: 1px;\n}\n"
    );
}

#[test]
fn every_page_is_the_same_file_and_its_assets_are_found() {
    let html = find("/").unwrap();
    for path in [
        "/games/g4k7",
        "/seeks/s1",
        "/rules",
        "/rules/classic",
        "/settings",
        "/join",
        "/players/Anna%20B",
    ] {
        assert!(std::ptr::eq(find(path).unwrap(), html), "{path}");
    }
    for path in [
        "/games/",
        "/games/a/b",
        "/games/a.gcg",
        "/nothing",
        "/ws",
        "/assets/page-0.js",
        "/rules/../x",
    ] {
        assert!(find(path).is_none(), "{path}");
    }
    let text = std::str::from_utf8(&html.plain).unwrap();
    let assets: Vec<&PageFile> = text
        .split('"')
        .filter(|path| path.starts_with("/assets/"))
        .filter_map(find)
        .collect();
    assert_eq!(assets.iter().filter(|asset| asset.is_immutable).count(), 3);
    assert!(!text.contains("{{"), "a place for a tag is empty");
}

#[test]
fn texts_keep_their_spaces() {
    let source = "export const a = b ? 'x ( y' : \"it's { z\";\nif (a && b) c = 'don\\' t ;' + - 1;\nconst d = /a b/;\n";
    let scripts = join_modules(&files(&[("main.js", source)]), &["main.js"]).unwrap();
    let expected =
        "const a=b?'x ( y':\"it's { z\";\nif(a&&b)c='don\\' t ;' + - 1;\nconst d = /a b/;\n";
    assert_eq!(scripts[0], expected);
}
