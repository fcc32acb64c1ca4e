const END = 0x06054b50;
const END_BYTES = 22;
const MAX_COMMENT = 65_535;
const ENTRY_BYTES = 46;
const HEADER_BYTES = 30;
/** Larger tables of contents and files are not read: the reader then chooses the project. */
const MAX_BYTES = 16_000_000;

const viewOf = async (blob: Blob): Promise<DataView> => new DataView(await blob.arrayBuffer());

/**
 * The first file of an archive whose path matches, unpacked; null without one, and when it is not read.
 * @throws when the archive is damaged, or the file is larger than the table of contents says.
 */
export async function zipEntry(archive: Blob, path: RegExp): Promise<Uint8Array | null> {
  const tail = await viewOf(archive.slice(-END_BYTES - MAX_COMMENT));
  let end = tail.byteLength - END_BYTES;
  while (end >= 0 && tail.getUint32(end, true) !== END) end -= 1;
  if (end < 0) return null;
  const [size, start] = [tail.getUint32(end + 12, true), tail.getUint32(end + 16, true)];
  if (size > MAX_BYTES) return null;
  const table = await viewOf(archive.slice(start, start + size));
  for (let at = 0; at + ENTRY_BYTES <= table.byteLength;) {
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) => table.getUint16(at + field, true));
    const name = new TextDecoder().decode(new Uint8Array(table.buffer, at + ENTRY_BYTES, nameBytes));
    if (path.test(name)) return contentOf(archive, table, at);
    at += ENTRY_BYTES + (nameBytes ?? 0) + (extraBytes ?? 0) + (commentBytes ?? 0);
  }
  return null;
}

async function contentOf(archive: Blob, table: DataView, at: number): Promise<Uint8Array | null> {
  const [packed, unpacked, offset] = [20, 24, 42].map((field) => table.getUint32(at + field, true));
  if (packed === undefined || unpacked === undefined || offset === undefined || unpacked > MAX_BYTES) return null;
  const header = await viewOf(archive.slice(offset, offset + HEADER_BYTES));
  const start = offset + HEADER_BYTES + header.getUint16(26, true) + header.getUint16(28, true);
  const content = archive.slice(start, start + packed).stream();
  const isStored = table.getUint16(at + 10, true) === 0;
  const plain = isStored ? content : content.pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(plain.pipeThrough(limitedTo(MAX_BYTES))).arrayBuffer());
}

/** Passes bytes on, and fails after the limit: a file may unpack to more than the archive says. */
function limitedTo(limit: number): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let left = limit;
  return new TransformStream({
    transform(part, controller) {
      left -= part.byteLength;
      if (left < 0) throw new RangeError('The file is too large.');
      controller.enqueue(part);
    },
  });
}
