//! The files of a ZIP file that the API returned.

use std::collections::BTreeMap;
use std::io;

use flate2::bufread::DeflateDecoder;
use rawzip::ZipArchive;

/// Returns the texts in a ZIP file by their names.
pub(super) fn unzipped(zip: &[u8]) -> BTreeMap<String, String> {
    let archive = ZipArchive::from_slice(zip).expect("a ZIP file");
    let mut entries = archive.entries();
    let mut files = BTreeMap::new();
    while let Some(entry) = entries.next_entry().expect("an entry") {
        let name = entry.file_path().try_normalize().expect("a name");
        let local = archive.get_entry(entry.wayfinder()).expect("a file");
        let inflated = DeflateDecoder::new(local.data());
        let text = io::read_to_string(local.verifying_reader(inflated)).expect("text");
        files.insert(name.as_ref().to_owned(), text);
    }
    files
}
