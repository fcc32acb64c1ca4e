import { type LocalFile } from '../../upload/local-file';
import { type PlannedBuild } from './import-plan';

/** Where the files of an import come from. */
export interface BuildSource {
  /**
   * Does work with the file of a build, which may be temporary.
   * @throws CliError when the file cannot be had. The import goes on with the next.
   */
  use<Result>(build: PlannedBuild, work: (file: LocalFile) => Promise<Result>): Promise<Result>;
}
