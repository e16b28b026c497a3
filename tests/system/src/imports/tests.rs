//! Tests of the reader of imports.

use super::*;

fn check(source: &str, depth: usize, names: &[&str]) {
    let found = names_at_root(source, depth);
    let names: BTreeSet<String> = names.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(found, names, "{source}");
}

#[test]
fn paths_from_the_root_are_found() {
    check("use crate::game::Hub;", 1, &["game"]);
    check(
        "use crate::{game::{Hub, Room}, lobby, x::y as z};",
        1,
        &["game", "lobby", "x"],
    );
    check(
        "fn f() -> crate::game::Hub { crate::lobby::start() }",
        1,
        &["game", "lobby"],
    );
    check("use {std::fmt, crate::game};", 2, &["game"]);
    check("pub(crate) fn f() {} pub(in crate::game) fn g() {}", 1, &[]);
    check(
        "m! { $crate::game::f(crate::lobby) }",
        1,
        &["game", "lobby"],
    );
    check("use std::sync::Arc; use super::x;", 2, &[]);
}

#[test]
fn enough_supers_lead_to_the_root() {
    check("use super::game::Hub;", 1, &["game"]);
    check(
        "use super::hub; use super::super::lobby::{a, b};",
        2,
        &["lobby"],
    );
    check("use super::super::{lobby, game::x};", 2, &["game", "lobby"]);
    check("use super::super::lobby;", 3, &[]);
}

#[test]
fn comments_and_texts_are_not_read() {
    check(
        "// crate::a\n/* crate::b /* */ crate::c */ crate::d::e",
        1,
        &["d"],
    );
    check(
        r##"f("crate::a\"", r#"crate::b"#, b"crate::c", '"', crate::d::e)"##,
        1,
        &["d"],
    );
    check(
        "fn f<'a>(x: &'a str) { g('\\'', '{', crate::d::e) }",
        1,
        &["d"],
    );
}

#[test]
fn code_for_tests_is_not_read() {
    check(
        "#[cfg(test)] mod tests { use crate::a; } use crate::b;",
        1,
        &["b"],
    );
    check(
        "#[cfg(test)]\n#[cfg(unix)]\nmod tests;\nuse crate::b;",
        1,
        &["b"],
    );
    check(
        "#[cfg(test)] fn f(a: [u8; 2]) { crate::a::b() } fn g() { crate::b::c() }",
        1,
        &["b"],
    );
    check("#[cfg(not(test))] use crate::a;", 1, &["a"]);
    check("#[cfg(feature = \"x\")] use crate::a;", 1, &["a"]);
}

fn cycle_of(edges: &[(&str, &str)]) -> Option<String> {
    let mut graph = Graph::new();
    for (from, to) in edges {
        graph.entry((*to).to_owned()).or_default();
        graph
            .entry((*from).to_owned())
            .or_default()
            .insert((*to).to_owned());
    }
    cycle(&graph).map(|cycle| cycle.join(" "))
}

#[test]
fn cycles_are_found() {
    assert_eq!(cycle_of(&[("a", "b"), ("b", "c"), ("a", "c")]), None);
    assert_eq!(
        cycle_of(&[("a", "b"), ("b", "a")]).as_deref(),
        Some("a b a")
    );
    let long = [("x", "a"), ("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")];
    assert_eq!(cycle_of(&long).as_deref(), Some("a b c a"));
}

#[test]
fn a_crate_on_disk_is_read() {
    let src = tempfile::tempdir().unwrap();
    let write = |file: &str, text: &str| {
        let path = src.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write(
        "lib.rs",
        "mod a; mod b; mod c; pub use a::{One, Two}; pub use b::*;",
    );
    write("a.rs", "pub struct One; use crate::c::d;");
    write("b/mod.rs", "pub struct Three; mod inner;");
    write("b/inner.rs", "use super::Three; use super::super::Two;");
    write("b/inner_tests.rs", "use crate::c;");
    write("c.rs", "use crate::Three;");
    let graph = top_level_modules(src.path());
    let of = |module: &str| graph[module].iter().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(
        (of("a"), of("b"), of("c")),
        ("c".into(), "a".into(), "b".into())
    );
    assert_eq!(cycle(&graph).unwrap().join(" "), "a c b a");
}
