import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

/** Kinds of files that compression makes smaller. */
const COMPRESSIBLE = /(\.(css|html|js|json|mjs|svg|txt|webmanifest)|LICENSES)$/;
const MIN_COMPRESSED_BYTES = 512;

/** Stores the Brotli and gzip forms of each file beside it, so that the service does not compress anything. */
export async function compressFiles(folder) {
  const compress = [
    ['.br', promisify(brotliCompress)],
    ['.gz', (content) => promisify(gzip)(content, { level: 9 })],
  ];
  const files = readdirSync(folder).filter((name) => COMPRESSIBLE.test(name));
  await Promise.all(
    files.map(async (name) => {
      const content = readFileSync(path.join(folder, name));
      if (content.length < MIN_COMPRESSED_BYTES) return;
      for (const [extension, compressed] of compress)
        writeFileSync(path.join(folder, name + extension), await compressed(content));
    }),
  );
}
