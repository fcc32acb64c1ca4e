import { type Command } from 'commander';
import { Context, type ProcessFacts } from '../context';
import { type Output } from '../output/output';
import { createProgram } from '../program';
import { forgetUnsetVariables } from './variables';

/** The variables of all options without a value, and of those whose value is optional. */
function switchesOf(command: Command): string[] {
  const own = command.options.flatMap(({ envVar, required }) => (envVar === undefined || required ? [] : [envVar]));
  return [...own, ...command.commands.flatMap(switchesOf)];
}

describe('Variables of options', () => {
  const program = createProgram(new Context({} as ProcessFacts, {} as Output));

  // red when: an option without a value is added to a command and not to the list of switches
  it.each([...new Set(switchesOf(program))].sort())('%s is off with false, 0, no, off and an empty text', (name) => {
    for (const value of ['false', '0', 'no', 'OFF', ' ']) {
      const environment = { [name]: value };
      forgetUnsetVariables(environment);
      expect(environment).toEqual({});
    }
    const environment = { [name]: 'true' };
    forgetUnsetVariables(environment);
    expect(environment).toEqual({ [name]: 'true' });
  });

  it('keep a value that reads like a switch', () => {
    const environment = { AGATE_NOTES: 'no', AGATE_CHANNEL: '', PATH: '' };
    forgetUnsetVariables(environment);
    expect(environment).toEqual({ AGATE_NOTES: 'no', PATH: '' });
  });

  it.each(['--no-ci-metadata', '--no-commits', '--no-testers'])('exist for %s', (long) => {
    const options = program.commands
      .flatMap((command) => [command, ...command.commands])
      .flatMap((each) => each.options);
    const variable = `AGATE_${long.slice(2).replaceAll('-', '_').toUpperCase()}`;
    expect(options.find((option) => option.long === long)).toMatchObject({ envVar: variable });
  });
});
