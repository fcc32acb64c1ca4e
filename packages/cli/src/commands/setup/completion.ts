import tab from '@bomb.sh/tab/commander';
import { type Command } from 'commander';
import { type Context } from '../../context';

/**
 * Adds `agate completion <shell>`, which prints a script for the shell, and the hidden command that the script calls.
 * The library prints with `console.log`, which this program otherwise keeps out of standard output.
 */
export function addCompletion(program: Command, context: Context): void {
  tab(program, { completionCommandName: 'completion' });
  program.commands
    .find((command) => command.name() === 'completion')
    ?.description('print a completion script for a shell');
  for (const command of program.commands) {
    if (!['completion', 'complete'].includes(command.name())) continue;
    command.hook('preAction', () => {
      console.log = (...lines: unknown[]) => void context.process.stdout.write(`${lines.join(' ')}\n`);
    });
  }
}
