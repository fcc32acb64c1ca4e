import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { BUILD_ARGUMENT, installLink } from '../../builds/find-build';
import { type Context } from '../../context';
import { usageError } from '../../output/cli-error';
import { copyText } from '../../terminal/copy-text';
import { openAddress } from '../../terminal/open-address';
import { showQr, svgQr } from '../../terminal/qr';

interface LinkOptions {
  readonly channel?: string;
  readonly qr?: boolean;
  readonly svg?: string;
  readonly copy?: boolean;
}

export const linkCommand = (context: Context): Command =>
  new Command('link')
    .description('print the install link of a build or channel')
    .argument('[build]', `${BUILD_ARGUMENT}; default: latest`)
    .addOption(new Option('--channel <name>', 'the link of this channel'))
    .option('--qr', 'show a QR code on standard error')
    .option('--svg <file>', 'write the QR code as a picture')
    .option('--copy', 'copy the link to the clipboard')
    .action(async (build: string | undefined, { channel, qr, svg, copy }: LinkOptions) => {
      if (build !== undefined && channel !== undefined) throw usageError('Name a build or --channel, not both.');
      const link = await installLink(context, build, channel);
      context.output.print({ install_url: link }, link);
      if (qr) showQr(context, link);
      if (svg !== undefined) writePicture(resolve(context.process.cwd, svg), link);
      if (copy && !(await copyText(link))) context.output.warn('No program to copy with was found.');
    });

function writePicture(file: string, link: string): void {
  try {
    writeFileSync(file, svgQr(link));
  } catch (error) {
    throw usageError(`The picture cannot be written: ${(error as Error).message}`);
  }
}

interface OpenOptions {
  readonly channel?: string;
  readonly dashboard?: boolean;
}

export const openCommand = (context: Context): Command =>
  new Command('open')
    .description('open an install page, or the dashboard, in the browser')
    .argument('[build]', `${BUILD_ARGUMENT}; default: latest`)
    .option('--channel <name>', 'the page of this channel')
    .option('--dashboard', 'the dashboard')
    .action(async (build: string | undefined, { channel, dashboard }: OpenOptions) => {
      const address = dashboard ? `${(await context.settings()).url}/` : await installLink(context, build, channel);
      context.output.print({ url: address }, address);
      if (!(await openAddress(address))) context.output.warn('No browser could be opened. Open the address yourself.');
    });
