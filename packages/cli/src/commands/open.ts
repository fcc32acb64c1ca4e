import { Command } from 'commander';
import { BUILD_ARGUMENT } from '../builds/find-build';
import { installLink } from '../builds/install-link';
import { type Context } from '../context';
import { openAddress } from '../desktop/open-address';

interface Options {
  readonly channel?: string;
  readonly dashboard?: boolean;
}

export const openCommand = (context: Context): Command =>
  new Command('open')
    .description('open an install page, or the dashboard, in the browser')
    .argument('[build]', `${BUILD_ARGUMENT}; default: latest`)
    .option('--channel <name>', 'the page of this channel')
    .option('--dashboard', 'the dashboard')
    .action(async (build: string | undefined, { channel, dashboard }: Options) => {
      const address = dashboard ? `${(await context.settings()).url}/` : await installLink(context, build, channel);
      context.output.print({ url: address }, address);
      if (!(await openAddress(address))) context.output.warn('No browser could be opened. Open the address yourself.');
    });
