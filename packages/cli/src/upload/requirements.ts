import { CliError } from '../output/cli-error';
import { ExitCode } from '../output/exit-code';
import { type UploadResult } from './upload-result';

export interface RequirementOptions {
  readonly expectInstallable?: boolean;
  /** True for any warning, otherwise the codes that count. */
  readonly failOnWarning?: true | readonly string[];
}

/** @throws CliError when an uploaded build is not what the options demand. The builds stay. */
export function checkRequirements(
  results: readonly UploadResult[],
  { expectInstallable, failOnWarning }: RequirementOptions,
): void {
  const builds = results.map(({ build }) => build);
  const details = { builds: results.map(({ json }) => json) };
  const broken = expectInstallable ? builds.filter(({ installable }) => !installable) : [];
  if (broken.length > 0) {
    const reasons = broken.map(({ file_name: name, warnings }) =>
      [`${name} was uploaded, but devices cannot install it.`, ...warnings.map(({ message }) => message)].join(' '),
    );
    throw new CliError(ExitCode.refused, 'not_installable', reasons.join(' '), details);
  }
  if (failOnWarning === undefined) return;
  const counts = (code: string): boolean => failOnWarning === true || failOnWarning.includes(code);
  const codes = builds.flatMap(({ warnings }) => warnings.map(({ code }) => code)).filter(counts);
  if (codes.length === 0) return;
  const message = `The build was uploaded, and --fail-on-warning demands a build without warnings: ${codes.join(', ')}.`;
  throw new CliError(ExitCode.refused, 'warnings', message, { warnings: codes, ...details });
}
