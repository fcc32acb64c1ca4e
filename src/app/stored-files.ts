import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Request, type Response } from 'express';

/** The encodings of a stored file, the preferred first, and the extension that the build gives them. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;
type ContentEncoding = (typeof ENCODINGS)[number][0];

/** A file with its compressed forms. */
export interface StoredFile {
  readonly identity: Buffer;
  /** Absent for files that the build did not compress. */
  readonly encoded: ReadonlyMap<ContentEncoding, Buffer>;
}

/** Reads the files of a folder that the build wrote, by their names. */
export function readStoredFiles(directory: string): ReadonlyMap<string, StoredFile> {
  const names = new Set(readdirSync(directory));
  const isEncoded = (name: string): boolean => ENCODINGS.some(([, extension]) => name.endsWith(extension));
  const read = (name: string): Buffer => readFileSync(join(directory, name));
  return new Map(
    [...names]
      .filter((name) => !isEncoded(name) && !name.startsWith('.'))
      .map((name) => {
        const forms = ENCODINGS.filter(([, extension]) => names.has(name + extension));
        const encoded = new Map(forms.map(([encoding, extension]) => [encoding, read(name + extension)] as const));
        return [name, { identity: read(name), encoded }];
      }),
  );
}

/** The form of a file that a client prefers, null for the file as it is. */
export const encodingFor = (request: Request, { encoded }: StoredFile): ContentEncoding | null =>
  ENCODINGS.find(([name]) => encoded.has(name) && request.acceptsEncodings(name))?.[0] ?? null;

/** Sends a form of a file. The caller has set the other headers, among them `Vary`. */
export function sendStored(response: Response, file: StoredFile, encoding: ContentEncoding | null): void {
  if (encoding) response.setHeader('Content-Encoding', encoding);
  response.send((encoding && file.encoded.get(encoding)) ?? file.identity);
}
