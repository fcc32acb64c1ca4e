import { once } from 'node:events';
import { type PassThrough, Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { type Subject } from './subjects.service';

/** A file of rows in an archive. */
export interface ArchivedFile {
  readonly name: string;
  readonly describe: string;
  readonly rows: number;
}

/** The files of builds in an archive. */
export interface ArchivedArtifacts {
  readonly artifacts: number;
  /** The builds without an artifact in the store. */
  readonly missing: readonly string[];
}

export const NO_ARTIFACTS: ArchivedArtifacts = { artifacts: 0, missing: [] };

const README = `This archive was made while the service was in use.

contents.json lists the files and the time from which they were read (exported_at).

Each row is as it was at some moment after that time. A row that existed from the beginning to the end of the export is
contained exactly once. A row that was created or deleted in between may be contained or not. Rows are not all of one
moment: for example, a file can name a build that was deleted before the file of the builds was read, and the balance
can differ from the sum of the ledger by charges that were made in between.

Request an export while nothing is uploaded, downloaded or changed to get one without such differences.
`;

/** A zip file that is written entry by entry: an entry starts when the previous one has been written. */
export class Archive {
  private readonly zip = new ZipFile();
  private readonly written: Promise<void>;

  constructor(
    private readonly time: Date,
    target: Writable,
  ) {
    this.zip.on('error', (error: Error) => (this.zip.outputStream as PassThrough).destroy(error));
    this.written = pipeline(this.zip.outputStream, target);
    // `add` and `end` report the error. Without this handler, an error before their call would be an unhandled rejection.
    this.written.catch(() => undefined);
  }

  async add(name: string, source: Readable, options: { readonly compress?: boolean } = {}): Promise<void> {
    this.zip.addReadStream(source, name, { mtime: this.time, mode: 0o100640, ...options });
    await Promise.race([once(source, 'close'), this.written]);
  }

  /** Adds the list of contents, and ends the archive. */
  async end(
    { id, kind, label }: Subject,
    files: readonly ArchivedFile[],
    artifacts: ArchivedArtifacts = NO_ARTIFACTS,
  ): Promise<void> {
    const contents = files.map(({ name, describe, rows }) => ({ file: `${name}.json`, describe, rows }));
    const summary = { format: 1, [kind]: { id, name: label }, exported_at: this.time, contents, ...artifacts };
    await this.add('contents.json', Readable.from([`${JSON.stringify(summary, null, 2)}\n`]));
    await this.add('README.txt', Readable.from([README]));
    this.zip.end();
    await this.written;
  }
}
