import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type ProjectScope } from '#kernel/context/scope';
import { StartupError } from '#kernel/errors/startup-error';

/** The demo's credentials, for the notice of later starts. The database has only their hashes. */
export interface DemoRecord extends ProjectScope {
  readonly email: string;
  readonly password: string;
  /** Project access token for CI. */
  readonly token: string;
  /** False until everything is made. A start that finds false continues. */
  readonly complete: boolean;
}

/** The file in the data directory with the demo's generated credentials. Only its owner can read it. */
export class DemoRecordFile {
  constructor(readonly path: string) {}

  /** The record; null before the first start. @throws StartupError when the file is not a record. */
  async read(): Promise<DemoRecord | null> {
    try {
      return JSON.parse(await readFile(this.path, 'utf8')) as DemoRecord;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw new StartupError(
        `${this.path} cannot be read. Delete it. The demo's credentials will no longer be shown.`,
        {
          cause: error,
        },
      );
    }
  }

  /** Replaces the file atomically. */
  async write(record: DemoRecord): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    await writeFile(`${this.path}.part`, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
    await rename(`${this.path}.part`, this.path);
  }
}
