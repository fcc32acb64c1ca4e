import { AppError } from '#kernel/errors/app-error';
import { SystemClock } from '#infra/clock/system-clock';
import { type OperatorCommand, type OperatorInput } from '#modules/operators';
import { operatorProgram } from './operator-program';

describe('operatorProgram', () => {
  let ran: OperatorInput[];
  const commands: readonly OperatorCommand[] = [
    {
      name: 'things list',
      summary: 'List things',
      run: () =>
        Promise.resolve([
          { id: 1, name: 'One\nline' },
          { id: 22, name: null },
        ]),
    },
    {
      name: 'things send',
      summary: 'Send things',
      writesOutput: () => true,
      run: () => Promise.resolve({ sent: 2 }),
    },
    {
      name: 'things lose',
      summary: 'Fail for an unknown organization',
      options: [{ name: 'organization_id', describe: 'the organization' }],
      run: () => Promise.reject(new AppError('permission_denied')),
    },
    { name: 'things spill', summary: 'Spill', run: () => Promise.reject(AppError.invalidInput('wet', 'Mop up.')) },
    { name: 'things break', summary: 'Break', run: () => Promise.reject(new Error('Broken.')) },
    {
      name: 'things paint',
      summary: 'Paint a thing',
      parameters: [{ name: 'thing_id', describe: 'the thing to paint' }],
      options: [
        { name: 'base_colour', describe: 'the colour' },
        { name: 'twice', describe: 'paint two coats', flag: true },
      ],
      effect: (_ctx, { thing_id: id }) => {
        if (id === 'gone') throw AppError.notFound('thing');
        return `Thing ${id} will be painted.`;
      },
      run: ({ identity }, input, report) => {
        ran.push(input);
        for (const done of [1, 2]) report(done, 2, 'coats');
        return Promise.resolve({ painted: input['thing_id'], by: identity.kind });
      },
    },
  ];

  const run = async (
    words: string,
    confirmation?: string,
    showsProgress = false,
  ): Promise<{ status: number; out: string; err: string }> => {
    let [out, err] = ['', ''];
    const io = {
      out: (text: string) => (out += text),
      err: (text: string) => (err += text),
      ask: (question: string) => {
        if (confirmation === undefined) return null;
        err += question;
        return Promise.resolve(confirmation);
      },
      showsProgress,
    };
    const status = await operatorProgram(commands, new SystemClock(), { io }).run(words.split(' '));
    return { status, out, err };
  };

  beforeEach(() => (ran = []));

  it('prints a list as a table', async () => {
    const { status, out } = await run('things list');
    expect([status, out]).toEqual([0, 'id  name\n1   One line\n22  -\n']);
  });

  it('prints the result as JSON with --json', async () => {
    expect(JSON.parse((await run('things list --json')).out)).toEqual([
      { id: 1, name: 'One\nline' },
      { id: 22, name: null },
    ]);
  });

  it.each(['y', 'YES', ' yes '])('runs the command when the operator confirms with %j', async (confirmation) => {
    const { status, out } = await run('things paint 7 --base-colour red --twice', confirmation);
    expect([status, out]).toEqual([0, 'painted  7\nby       operator\n']);
    expect(ran).toEqual([{ thing_id: '7', base_colour: 'red', twice: 'true' }]);
  });

  // red when: a command runs without a confirmation
  it.each(['', 'n', 'yeah', 'no'])('changes nothing when the operator types %j', async (confirmation) => {
    const { status, err } = await run('things paint 7', confirmation);
    expect([status, ran]).toEqual([2, []]);
    expect(err).toContain('Thing 7 will be painted. Continue? [y/N]');
  });

  it('changes nothing without a terminal, unless --yes is given', async () => {
    expect(await run('things paint 7')).toMatchObject({ status: 2, err: expect.stringContaining('--yes') as string });
    expect(ran).toEqual([]);
    expect(await run('things paint 7 --yes')).toMatchObject({ status: 0 });
    expect(ran).toHaveLength(1);
  });

  it('prints the effect and changes nothing with --dry-run', async () => {
    expect(await run('things paint 7 --dry-run --yes')).toMatchObject({
      status: 0,
      out: 'Thing 7 will be painted. Nothing was changed.\n',
    });
    expect(JSON.parse((await run('things paint 7 --dry-run --json')).out)).toMatchObject({ dry_run: true });
    expect(await run('things paint gone --dry-run')).toMatchObject({ status: 1, out: '' });
    expect(ran).toEqual([]);
  });

  it('shows progress on a terminal only', async () => {
    expect((await run('things paint 7 --yes', undefined, true)).err).toBe(
      `\r[${'#'.repeat(15)}${' '.repeat(15)}] 1 of 2 coats\r[${'#'.repeat(30)}] 2 of 2 coats\n`,
    );
    expect((await run('things paint 7 --yes')).err).toBe('');
  });

  it('prints the result to standard error when the command writes to standard output itself', async () => {
    expect(await run('things send --json')).toMatchObject({ status: 0, out: '', err: '{\n  "sent": 2\n}\n' });
  });

  it('does not run a command that is not ready', async () => {
    const ready = (): Promise<void> => Promise.reject(AppError.notFound('schema'));
    let err = '';
    const io = { out: () => undefined, err: (text: string) => (err += text), ask: () => null, showsProgress: false };
    const program = operatorProgram(commands, new SystemClock(), { io, ready });
    expect([await program.run(['things', 'paint', '7', '--yes']), ran]).toEqual([1, []]);
    expect(err).toBe('There is no such schema.\n');
  });

  it.each([
    ['things paint', "missing required argument 'thing_id'"],
    ['things dance', "unknown command 'dance'"],
    ['things list --colour', "unknown option '--colour'"],
    ['things list --yes', "unknown option '--yes'"],
  ])('rejects the usage error in: %s', async (words, problem) => {
    const { status, err } = await run(words);
    expect([status, ran]).toEqual([2, []]);
    expect(err).toContain(problem);
  });

  // red when: with --json, an error is printed as text or together with the help
  it.each<[words: string, status: number, error: object]>([
    ['things paint gone --yes --json', 1, { error: 'not_found', message: 'There is no such thing.' }],
    ['things paint 7 --json', 2, { error: 'misuse', message: expect.stringContaining('--yes') as string }],
    ['things dance --json', 2, { error: 'misuse', message: expect.stringContaining("'dance'") as string }],
    ['things lose --json --organization-id 7', 1, { error: 'not_found', message: 'There is no organization 7.' }],
    ['things spill --json', 1, { error: 'invalid_input', message: 'Mop up.', details: { reason: 'wet' } }],
    ['things break --json', 1, { error: 'internal_error', message: 'Broken.' }],
  ])('prints the error as JSON: %s', async (words, status, error) => {
    const result = await run(words);
    expect([result.status, result.out, JSON.parse(result.err)]).toEqual([status, '', error]);
  });

  it('names the organization that does not exist', async () => {
    const result = await run('things lose --organization-id 7');
    expect([result.status, result.err]).toEqual([1, 'There is no organization 7.\n']);
  });

  it('prints help for the program, a group and a command', async () => {
    for (const words of ['--help', 'things --help', 'things paint --help']) {
      expect(await run(words)).toMatchObject({ status: 0, out: expect.stringContaining('Usage:') as string });
    }
    expect((await run('things paint --help')).out).toMatch(
      /thing_id .*the thing to paint[^]*--base-colour <value> .*the colour/,
    );
  });
});
