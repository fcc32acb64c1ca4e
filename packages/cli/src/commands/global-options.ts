import { type EventEmitter } from 'node:events';
import { type Command, Option } from 'commander';
import { durationOf } from '../option-values';

const GROUP = 'Options of all commands:';

/** Options whose variable would be `AGATE_VERSION` or `AGATE_BUILD_NUMBER`, which jobs pass on as results of an upload. */
const OWN_VARIABLES: Readonly<Record<string, string>> = {
  '--version': 'AGATE_APP_VERSION',
  '--build-number': 'AGATE_APP_BUILD_NUMBER',
};

const globalOptions = (): Option[] => [
  new Option('--url <address>', 'address of the service'),
  new Option('--organization <name>', 'name or id of the organization'),
  new Option('--project <name>', 'name or id of the project'),
  new Option(
    '--retry-for <duration>',
    'how long to repeat requests that fail for a while, such as 90s or 15m',
  ).argParser(durationOf),
  new Option('--json', 'print one JSON document, also for a failure'),
  new Option('--quiet', 'print results, warnings and errors only'),
  new Option('--debug', 'explain every request, without credentials'),
];

/** Adds the options that every command has, and a variable for each option. */
export function addGlobalOptions(command: Command): void {
  if (command.commands.length > 0) return;
  const own = command.options as Option[];
  for (const option of [...own.splice(0), ...globalOptions().map((each) => each.helpGroup(GROUP))]) {
    if (option.long && !option.envVar) option.env(variableOf(option.long));
    // Commander reads the variable of an option only if it is known when the option is added.
    (command as unknown as EventEmitter).removeAllListeners(`option:${option.name()}`);
    command.addOption(option);
  }
}

/** The variable of an option: `AGATE_NOTES_FILE` of `--notes-file`. */
const variableOf = (long: string): string =>
  OWN_VARIABLES[long] ?? `AGATE_${long.slice(2).replaceAll('-', '_').toUpperCase()}`;
