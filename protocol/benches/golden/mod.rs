//! The golden frames, which have every field there is, for the benchmarks.

use std::path::Path;

use data_encoding::HEXLOWER;
use tilewire_protocol::Codec;

/// Reads the golden frame of a message.
pub(crate) fn frame(codec: Codec, name: &str) -> Vec<u8> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/v1");
    match codec {
        Codec::Json => {
            let text = std::fs::read_to_string(directory.join(format!("{name}.json"))).unwrap();
            text.trim_end().as_bytes().to_vec()
        }
        Codec::MsgPack => {
            let path = directory.join(format!("{name}.msgpack.hex"));
            let text = std::fs::read_to_string(path).unwrap();
            HEXLOWER.decode(text.replace('\n', "").as_bytes()).unwrap()
        }
    }
}
