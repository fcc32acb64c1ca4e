import { Output } from './output';

function outputWith(environment: Record<string, string>, json = false, isTTY = false) {
  const written = { stdout: '', stderr: '' };
  const stream = (name: 'stdout' | 'stderr') => ({
    isTTY,
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

/** Moves the cursor, sets the clipboard, clears the screen with a C1 control, and turns the reading direction. */
const HOSTILE = 'a\u001b[2A\u001b]52;c;eA==\u0007b\u009b2J\u007f\rc\u202ed';
const SHOWN = String.raw`a\x1b[2A\x1b]52;c;eA==\x07b\x9b2J\x7f\x0dc\u202ed`;

describe('Output on a terminal', () => {
  // red when: `print`, `talk` or `status` writes the text without `visible`.
  it('shows control characters as escapes, wherever text is shown', () => {
    const { output, written } = outputWith({}, false, true);
    output.print(null, HOSTILE);
    expect(written.stdout).toBe(`${SHOWN}\n`);
    output.say(HOSTILE);
    output.warn(HOSTILE);
    output.fail({ exitCode: 3, error: 'x', message: HOSTILE, details: { request_id: HOSTILE } });
    expect(written.stderr.split(SHOWN)).toHaveLength(5);
    output.status(HOSTILE);
    expect(written.stderr.endsWith(SHOWN)).toBe(true);
  });

  it('keeps line breaks, tabs and its own colours, and escapes the colours of others', () => {
    const { output, written } = outputWith({ FORCE_COLOR: '1' }, false, true);
    output.say(`one\r\n\ttwo ${output.colors.bold('three \u001b[8m')}\u001b[31m`);
    expect(written.stderr).toBe('one\n\ttwo \u001b[1mthree \\x1b[8m\u001b[22m\\x1b[31m\n');
  });

  it('prints JSON with the same content', async () => {
    const { output, written } = outputWith({}, true, true);
    output.print({ notes: HOSTILE }, '');
    await output.end();
    expect(written.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(JSON.parse(written.stdout)).toEqual({ notes: HOSTILE });
  });
});

describe('Output into a file', () => {
  it('is the data, exactly', async () => {
    const text = outputWith({});
    text.output.print(null, HOSTILE);
    expect(text.written.stdout).toBe(`${HOSTILE}\n`);
    const json = outputWith({}, true);
    json.output.print({ notes: HOSTILE }, '');
    await json.output.end();
    expect(json.written.stdout).toContain('\u009b2J\u007f');
  });
});
