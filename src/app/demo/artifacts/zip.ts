import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

export interface ZipEntry {
  readonly name: string;
  readonly content: Buffer;
  /** By default true. */
  readonly compress?: boolean;
  readonly executable?: boolean;
}

/**
 * Packs the entries in the order given. Local headers carry no extra fields, so the first entry's content begins at byte
 * 30 plus the length of its name.
 */
export function zip(entries: readonly ZipEntry[], modifiedAt: Date): Promise<Buffer> {
  const archive = new ZipFile();
  for (const { name, content, compress = true, executable = false } of entries) {
    archive.addBuffer(content, name, {
      mtime: modifiedAt,
      mode: executable ? 0o100755 : 0o100644,
      compress,
      forceDosTimestamp: true,
    });
  }
  archive.end();
  return buffer(archive.outputStream);
}
