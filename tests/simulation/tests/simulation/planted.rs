//! Every planted bug has its place in the product, and a copy of the workspace that contains them is kept ready to build.

use std::path::Path;

use tilewire_simulation::planted::plant;

#[test]
fn every_planted_bug_has_one_place_in_the_product() {
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("planted");
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    plant(workspace.expect("the workspace"), &copy).unwrap_or_else(|error| panic!("{error}"));
}
