import { type Context } from '../../context';
import { type ImportResult } from '../../imports/importer';
import { CliError } from '../../output/cli-error';
import { ExitCode } from '../../output/exit-code';

/** Prints what an import has done. @throws CliError when it is incomplete. */
export function printImport(context: Context, result: ImportResult): void {
  const { uploaded, present, failed, promoted, testers, remarks } = result;
  for (const remark of remarks) context.output.warn(remark);
  const text = `${uploaded} uploaded, ${present} were there, ${promoted} promoted, ${testers} testers added.`;
  context.output.print(result, text);
  if (failed.length === 0) return;
  const files = failed.slice(0, 10).map(({ file, message }) => `${file}: ${message}`);
  const more = failed.length > files.length ? [`and ${failed.length - files.length} more`] : [];
  const message = `${failed.length} of ${uploaded + present + failed.length} builds were not imported. ${[...files, ...more].join('; ')}`;
  throw new CliError(ExitCode.refused, 'import_incomplete', message, { ...result });
}
