import { type LocalFile } from '../../upload/local-file';
import { type PlannedBuild } from './import-plan';

/** The source of an import's files. */
export interface BuildSource {
  /**
   * Runs `work` with the file of a build, which may be temporary.
   * @throws CliError when the file is unavailable. The import continues with the next file.
   */
  use<Result>(build: PlannedBuild, work: (file: LocalFile) => Promise<Result>): Promise<Result>;
}
