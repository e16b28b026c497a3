//! Joining by example, and the files of the page.

use super::join::{Files, Script, join_modules, join_styles};
use super::{PageFile, SCRIPTS, find};

fn files(entries: &[(&str, &str)]) -> Files {
    let owned = entries
        .iter()
        .map(|&(path, text)| (path.to_owned(), text.to_owned()));
    owned.collect()
}

/// Joins modules, and checks the names and texts of the scripts.
fn check(modules: &[(&str, &str)], expected: &[(&str, &str)]) {
    let scripts = join_modules(&files(modules), "main.js").unwrap();
    let scripts = scripts.iter();
    let scripts = scripts.map(|Script { name, text }| (name.as_str(), text.as_str()));
    assert_eq!(scripts.collect::<Vec<_>>(), expected);
}

#[test]
fn a_module_comes_after_the_modules_that_it_imports() {
    let modules = [
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
    ];
    let expected = "function sum(a,b){return a + b; // Both.\n}\nconst shown=(n)=>(`${sum(n,1)}`);shown(sum(1,2));";
    check(&modules, &[("main.js", expected)]);
}

#[test]
fn a_module_that_is_loaded_later_begins_a_script() {
    let modules = [
        (
            "main.js",
            "import { el } from './el.js';\nconst load = () => import('./page/chat.js');\nconst other = () => import('./friends.js');\n",
        ),
        ("el.js", "export const el = 1;\nconst own = 2;\n"),
        (
            "page/chat.js",
            "import { el } from '../el.js';\nimport { list, sorted } from '../list.js';\nimport { line } from './line.js';\nexport const chat = () => import('../friends.js');\nexport function close() {}\nconst hidden = 1;\n",
        ),
        (
            "page/line.js",
            "import { el } from '../el.js';\nexport const line = el;\n",
        ),
        ("friends.js", "import { list } from './list.js';\nlist();\n"),
        (
            "list.js",
            "export function list() {}\nexport const sorted = 1;\n",
        ),
    ];
    let expected = [
        (
            "main.js",
            "const el=1;const own=2;function list(){}\nconst sorted=1;const load = () => import('./chat.js');const other = () => import('./friends.js');export{el,list,sorted};\n",
        ),
        (
            "chat.js",
            "import{el,list,sorted}from'./main.js';\nconst line=el;const chat = () => import('./friends.js');function close(){}\nconst hidden=1;export{chat,close};\n",
        ),
        ("friends.js", "import{list}from'./main.js';\nlist();"),
    ];
    check(&modules, &expected);
}

/// Checks that joining fails, and what it says.
fn refused(modules: &[(&str, &str)], expected: &str) {
    let error = join_modules(&files(modules), "main.js").unwrap_err();
    assert!(error.contains(expected), "{error}");
}

#[test]
fn a_module_that_breaks_a_rule_is_named() {
    for (source, expected) in [
        (
            "import { a } from './a.js';\n",
            "a.js: there is no such module",
        ),
        (
            "f(() => import('./a.js'));\n",
            "a.js: there is no such module",
        ),
        ("import * as a from './a.js';\n", "not of the form"),
        ("import { a as b } from './a.js';\n", "not of the form"),
        ("const a = (b) => import(b);\n", "not of the form"),
        (
            "import { a } from './main.js';\n",
            "main.js: imports itself",
        ),
        ("export default 1;\n", "exports no declaration"),
        ("f(`one\n`);\n", "two lines"),
    ] {
        refused(&[("main.js", source)], expected);
    }
}

#[test]
fn modules_that_do_not_fit_together_are_named() {
    let cases = [
        (["f();\n", "g();\n", "g();\n"], "b.js: no module imports it"),
        (
            ["import { a } from './b.js';\n", "const a = 1;\n", ""],
            "main.js: b.js exports no a",
        ),
        (
            [
                "import { b } from './b.js';\nconst key = 1;\n",
                "function key() {}\nexport let b = 2;\n",
                "",
            ],
            "main.js: key is a name of b.js too",
        ),
        (
            [
                "import { b } from './b.js';\nf(() => import('./b.js'));\n",
                "export let b = 2;\n",
                "",
            ],
            "main.js: imports b.js, which begins a script",
        ),
        (
            [
                "f(() => import('./b.js'));\nexport const a = 1;\n",
                "import { a } from './main.js';\n",
                "",
            ],
            "b.js: imports main.js, which begins a script",
        ),
        (
            [
                "f(() => import('./b.js'), () => import('./c/b.js'));\n",
                "f();\n",
                "f();\n",
            ],
            "c/b.js: another script has this name",
        ),
    ];
    for ([main, b, other_b], expected) in cases {
        let mut modules = vec![("main.js", main), ("b.js", b)];
        if !other_b.is_empty() {
            modules.push(("c/b.js", other_b));
        }
        refused(&modules, expected);
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
        "/archive",
        "/leaderboards",
        "/friends",
        "/moderation",
        "/rules",
        "/rules/classic",
        "/settings",
        "/join",
        "/players/Anna%20B",
        "/register",
    ] {
        assert!(std::ptr::eq(find(path).unwrap(), html), "{path}");
    }
    for path in [
        "/games/",
        "/games/a/b",
        "/games/a.gcg",
        "/nothing",
        "/ws",
        "/assets/0/main.js",
        "/assets/main.js",
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
    assert_eq!(assets.iter().filter(|asset| asset.is_immutable).count(), 2);
    assert!(!text.contains("{{"), "a place for a tag is empty");
    let (folder, _) = assets[0].path.rsplit_once('/').unwrap();
    for (name, _) in SCRIPTS {
        let script = find(&format!("{folder}/{name}")).unwrap();
        assert!(script.is_immutable, "{name}");
    }
}

#[test]
fn texts_keep_their_spaces() {
    let source = "export const a = b ? 'x ( y' : \"it's { z\";\nif (a && b) c = 'don\\' t ;' + - 1;\n\
                  const d = /a b/;\nconst e = `a ( ${f( g ) ? `{ ${ h } ;` : 1} b ,` + { i : 2 };\n";
    let expected = "const a=b?'x ( y':\"it's { z\";if(a&&b)c='don\\' t ;' + - 1;\
                    const d = /a b/;const e=`a ( ${f(g)?`{ ${h} ;`:1} b ,` +{i:2};";
    check(&[("main.js", source)], &[("main.js", expected)]);
}
