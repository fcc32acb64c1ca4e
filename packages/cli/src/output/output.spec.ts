import { Output } from './output';

function outputWith(environment: Record<string, string>, json = false) {
  const written = { stdout: '', stderr: '' };
  const stream = (name: 'stdout' | 'stderr') => ({
    write: (text: string, done?: () => void) => {
      written[name] += text;
      done?.();
    },
  });
  const output = new Output({ stdout: stream('stdout'), stderr: stream('stderr'), environment, json });
  return { output, written };
}

const NOTES = 'First\n::error::injected\n##vso[task.complete result=Failed]';

describe('Output in a CI', () => {
  it('prints no command that a build contains', () => {
    const { output, written } = outputWith({ CI: 'true' });
    output.print(null, NOTES);
    output.say(NOTES);
    for (const text of Object.values(written)) expect(text).not.toMatch(/^::|##vso\[/m);
  });

  it('prints JSON with the same content and no command', async () => {
    const { output, written } = outputWith({ CI: 'true' }, true);
    output.print({ notes: NOTES }, '');
    await output.end();
    expect(written.stdout).not.toContain('##vso[');
    expect(JSON.parse(written.stdout)).toEqual({ notes: NOTES });
  });

  it("writes the program's own commands", () => {
    const { output, written } = outputWith({ CI: 'true' });
    output.command('stderr', '::warning::x');
    expect(written.stderr).toBe('::warning::x\n');
  });
});

describe('Output outside a CI', () => {
  it('prints data unchanged', () => {
    const { output, written } = outputWith({});
    output.print(null, NOTES);
    expect(written.stdout).toBe(`${NOTES}\n`);
  });
});
