import { Command } from 'commander';
import { type Context } from '../../context';
import { type Check, reportOf } from '../../doctor/check';
import { examine } from '../../doctor/examine';
import { severalValues } from '../../option-values';
import { CliError, ExitCode } from '../../output/cli-error';

interface Options {
  readonly channel?: readonly string[];
  readonly upload?: boolean;
}

export const doctorCommand = (context: Context): Command =>
  new Command('doctor')
    .description('check everything that an upload depends on, and say what to do')
    .argument('[file]', 'file that is to be uploaded')
    .option('--channel <name>', 'channels that are to be used; can be repeated', severalValues)
    .option('--upload', 'send one byte to where files are stored')
    .action(async (file: string | undefined, { channel, upload = false }: Options) => {
      const channels =
        channel ??
        (await context.settings().then(
          (settings) => settings.channels,
          () => [],
        ));
      const checks = await examine(context, { file, channels, uploads: upload });
      const broken = checks.filter(({ state }) => state === 'failed');
      context.output.print({ ok: broken.length === 0, checks }, reportOf(checks, context.output));
      if (broken.length > 0) throw failureOf(broken, checks);
    });

function failureOf(broken: readonly Check[], checks: readonly Check[]): CliError {
  const what = broken.length === 1 ? 'One thing needs' : `${broken.length} things need`;
  return new CliError(
    ExitCode.refused,
    'checks_failed',
    `${what} attention: ${broken.map(({ name }) => name).join(', ')}.`,
    {
      checks,
    },
  );
}
