//! The comparison with a product that is not installed.

use std::process::Command;

#[test]
fn a_product_that_is_not_installed() {
    let nowhere = tempfile::tempdir().expect("a folder");
    let output = Command::new(env!("CARGO_BIN_EXE_tilewire-rivals"))
        .args(["products", "--product", "nchan", "--quiet", "--installed"])
        .arg(nowhere.path())
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(said.contains("loadtest/rivals/install nchan"), "{said}");
}
