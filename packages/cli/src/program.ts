import { Command } from 'commander';
import { loginCommand } from './commands/account/login';
import { logoutCommand } from './commands/account/logout';
import { tokenCommand } from './commands/account/token';
import { whoamiCommand } from './commands/account/whoami';
import { adoptionCommand } from './commands/adoption';
import { buildsCommand } from './commands/builds/builds';
import { existsCommand } from './commands/builds/exists';
import { latestCommand } from './commands/builds/latest';
import { linkCommand, openCommand } from './commands/builds/link';
import { promoteCommand } from './commands/builds/promote';
import { releasesCommand } from './commands/builds/releases';
import { retentionCommand } from './commands/builds/retention';
import { uploadCommand } from './commands/builds/upload';
import { channelsCommand } from './commands/channels';
import { devicesCommand } from './commands/devices';
import { exportCommand } from './commands/export';
import { addGlobalOptions, globalOptionsOf } from './commands/global-options';
import { importCommand } from './commands/import';
import { linksCommand } from './commands/links/links';
import { mcpCommand } from './commands/mcp';
import { addCompletion } from './commands/setup/completion';
import { doctorCommand } from './commands/setup/doctor';
import { helpCommand } from './commands/setup/help';
import { initCommand } from './commands/setup/init';
import { testersCommand } from './commands/testers';
import { updateKeysCommand } from './commands/update-keys';
import { webhooksCommand } from './commands/webhooks/webhooks';
import { type Context } from './context';
import { VERSION } from './version';

/** Makes the command that a module defines. */
type CommandModule = (context: Context) => Command;

const COMMANDS: readonly CommandModule[] = [
  uploadCommand,
  promoteCommand,
  latestCommand,
  existsCommand,
  buildsCommand,
  linkCommand,
  openCommand,
  initCommand,
  doctorCommand,
  loginCommand,
  logoutCommand,
  whoamiCommand,
  testersCommand,
  adoptionCommand,
  devicesCommand,
  channelsCommand,
  releasesCommand,
  retentionCommand,
  linksCommand,
  updateKeysCommand,
  webhooksCommand,
  importCommand,
  exportCommand,
  mcpCommand,
  tokenCommand,
  helpCommand,
];

/** The program with all its commands. Parsing throws a CommanderError instead of ending the process. */
export function createProgram(context: Context): Command {
  const program = new Command('agate')
    .description('Uploads builds to Agate and manages who tests them.')
    .version(VERSION, '-V, --version', 'print the version of this program')
    .helpCommand(false)
    .showSuggestionAfterError();
  for (const create of COMMANDS) program.addCommand(create(context));
  setUp(program, context);
  addCompletion(program, context);
  program.hook('preAction', (_program, command) => context.configure(globalOptionsOf(command)));
  return program;
}

function setUp(command: Command, context: Context): void {
  addGlobalOptions(command);
  command.exitOverride().configureOutput({
    writeOut: (text) => context.process.stdout.write(text),
    // `main` reports errors. Only the help for a command without its subcommand is written here.
    writeErr: (text) => {
      if (!text.startsWith('error:') && !context.output.isJson) context.process.stderr.write(text);
    },
  });
  for (const child of command.commands) setUp(child, context);
}
