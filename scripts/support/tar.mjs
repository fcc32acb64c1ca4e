const BLOCK = 512;
/** npm gives all files this time, because some systems reject files of 1970: 26 October 1985, in seconds. */
const MODIFIED = 499_162_500;

/** An uncompressed tar archive of regular files, in their order. Equal files give equal bytes. */
export function tarOf(files) {
  const entries = files.flatMap(({ name, content, mode = 0o644 }) => [
    headerOf(name, content.length, mode),
    content,
    Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK),
  ]);
  return Buffer.concat([...entries, Buffer.alloc(2 * BLOCK)]);
}

/** A header in the ustar format. Numbers are octal and end with a NUL. */
function headerOf(name, size, mode) {
  const header = Buffer.alloc(BLOCK);
  const octal = (value, length) => `${value.toString(8).padStart(length - 1, '0')}\0`;
  const fields = [
    [0, name],
    [100, octal(mode, 8)],
    [108, octal(0, 8)],
    [116, octal(0, 8)],
    [124, octal(size, 12)],
    [136, octal(MODIFIED, 12)],
    // The checksum counts its own field as spaces.
    [148, ' '.repeat(8)],
    [156, '0'],
    [257, 'ustar\x0000'],
  ];
  for (const [offset, text] of fields) header.write(text, offset, 'latin1');
  const checksum = header.reduce((sum, byte) => sum + byte, 0);
  header.write(`${checksum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}
