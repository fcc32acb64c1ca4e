import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartupError } from '#kernel/errors/startup-error';
import { type ProjectScope } from '#kernel/context/scope';

/** What later starts show again, and the database cannot tell: it keeps no secrets that can be read back. */
export interface DemoRecord extends ProjectScope {
  readonly email: string;
  readonly password: string;
  /** Of the project, for CI. */
  readonly token: string;
  /** False while the first start is at it: one that finds it so goes on. */
  readonly complete: boolean;
}

/** The file in the data directory that keeps the demo's generated credentials; for its owner's eyes only. */
export class DemoRecordFile {
  constructor(readonly path: string) {}

  /** Null before the first start. @throws StartupError for a file that is no such record. */
  async read(): Promise<DemoRecord | null> {
    try {
      return JSON.parse(await readFile(this.path, 'utf8')) as DemoRecord;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw new StartupError(
        `${this.path} cannot be read. Delete it: the demo's credentials will no longer be shown.`,
        {
          cause: error,
        },
      );
    }
  }

  /** Whole or not at all. */
  async write(record: DemoRecord): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    await writeFile(`${this.path}.part`, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
    await rename(`${this.path}.part`, this.path);
  }
}
