import { type EventEmitter } from 'node:events';
import { type Command, Option } from 'commander';
import { durationOf } from '../option-values';
import { type GlobalOptions } from '../settings/settings';

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

/**
 * Adds the options that every command has. A command also gets a variable for each option; a group of commands and the program, before
 * whose commands the options can be given, too, do not.
 */
export function addGlobalOptions(command: Command): void {
  const global = globalOptions().map((each) => each.helpGroup(GROUP));
  if (command.commands.length > 0) {
    for (const option of global) command.addOption(option);
    // The options after a command are its own.
    command.enablePositionalOptions();
    return;
  }
  const own = command.options as Option[];
  for (const option of [...own.splice(0), ...global]) {
    if (option.long && !option.envVar) option.env(variableOf(option.long));
    // Commander reads the variable of an option only if it is known when the option is added.
    (command as unknown as EventEmitter).removeAllListeners(`option:${option.name()}`);
    command.addOption(option);
  }
}

/** The values of the options that every command has, before or after the command. Of an option that is given twice, the last one counts. */
export function globalOptionsOf(command: Command): GlobalOptions {
  const path = [command];
  for (let { parent } = command; parent !== null; { parent } = parent) path.unshift(parent);
  const given = path.flatMap((each) =>
    Object.entries(each.opts()).filter(([name]) => each.getOptionValueSource(name) === 'cli'),
  );
  return { ...command.opts(), ...Object.fromEntries(given) };
}

/** The variable of an option: `AGATE_NOTES_FILE` of `--notes-file`. */
const variableOf = (long: string): string =>
  OWN_VARIABLES[long] ?? `AGATE_${long.slice(2).replaceAll('-', '_').toUpperCase()}`;
