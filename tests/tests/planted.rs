//! Every planted bug has its place in the product, and a copy of the workspace that contains them is kept ready to build.

use std::path::Path;

use tilewire_tests::binaries::workspace;
use tilewire_tests::planted::plant;

#[test]
fn every_planted_bug_has_one_place_in_the_product() {
    let copy = Path::new(env!("CARGO_TARGET_TMPDIR")).join("planted");
    plant(workspace(), &copy).unwrap_or_else(|error| panic!("{error}"));
}
