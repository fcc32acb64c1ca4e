import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { usageError } from '../../output/cli-error';
import { type LocalFile } from '../../upload/local-file';
import { type BuildSource } from '../plan/build-source';
import { type PlannedBuild } from '../plan/import-plan';

/** Files of a folder. */
export class FolderSource implements BuildSource {
  constructor(private readonly folder: string) {}

  async use<Result>({ file }: PlannedBuild, work: (file: LocalFile) => Promise<Result>): Promise<Result> {
    const path = join(this.folder, file);
    const found = await stat(path).catch(() => null);
    if (!found?.isFile()) throw usageError(`There is no file ${path}.`);
    if (found.size === 0) throw usageError(`${path} is empty.`);
    return work({ path, name: basename(path), size: found.size });
  }
}
