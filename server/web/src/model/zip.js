// Reads one small file of a ZIP archive, and so finds out whether the archive is complete.

const ZIP_END = 0x06054b50;
const ZIP_END_BYTES = 22;
const ZIP_ENTRY = 0x02014b50;
const ZIP_ENTRY_BYTES = 46;
const ZIP_LOCAL_BYTES = 30;
/** The most bytes of the comment at the end of an archive. */
const ZIP_COMMENT_BYTES = 65_535;
const ZIP_DEFLATED = 8;

/**
 * The text of a file in an archive.
 *
 * @param {ArrayBuffer} archive
 * @param {string} name
 * @returns {Promise<string | undefined>} Nothing if the archive ends early or has no such file.
 */
export async function textOfZip(archive, name) {
  const view = new DataView(archive);
  const end = endOfZip(view);
  if (end === undefined) return undefined;
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0 && at + ZIP_ENTRY_BYTES <= end; left--) {
    if (view.getUint32(at, true) !== ZIP_ENTRY) return undefined;
    const [nameBytes, extra, comment] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true));
    const found = new TextDecoder().decode(new Uint8Array(archive, at + ZIP_ENTRY_BYTES, nameBytes));
    if (found === name) return textOfEntry(archive, view, at);
    at += ZIP_ENTRY_BYTES + nameBytes + extra + comment;
  }
  return undefined;
}

/** @param {DataView} view */
function endOfZip(view) {
  const last = view.byteLength - ZIP_END_BYTES;
  for (let at = last; at >= Math.max(0, last - ZIP_COMMENT_BYTES); at--) {
    if (view.getUint32(at, true) === ZIP_END) return at;
  }
  return undefined;
}

/**
 * @param {ArrayBuffer} archive
 * @param {DataView} view
 * @param {number} at The entry in the list of files.
 */
async function textOfEntry(archive, view, at) {
  const method = view.getUint16(at + 10, true);
  const size = view.getUint32(at + 20, true);
  const local = view.getUint32(at + 42, true);
  const start = local + ZIP_LOCAL_BYTES + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  const content = new Blob([new Uint8Array(archive, start, size)]);
  if (method !== ZIP_DEFLATED) return content.text();
  return new Response(content.stream().pipeThrough(new DecompressionStream('deflate-raw'))).text();
}
