import { AppError } from '#kernel/errors/app-error';
import { type OperatorCommand, type OperatorInput } from '#modules/operators';
import { SystemClock } from '#infra/clock/system-clock';
import { operatorProgram } from './operator-program';

describe('the operators’ command line', () => {
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
      summary: 'Send things somewhere',
      takesOutput: () => true,
      run: () => Promise.resolve({ sent: 2 }),
    },
    {
      name: 'things lose',
      summary: 'Look for things of somebody',
      options: [{ name: 'organization_id', describe: 'whose' }],
      run: () => Promise.reject(new AppError('permission_denied')),
    },
    { name: 'things spill', summary: 'Spill', run: () => Promise.reject(AppError.invalidInput('wet', 'Mop up.')) },
    { name: 'things break', summary: 'Break', run: () => Promise.reject(new Error('Broken.')) },
    {
      name: 'things paint',
      summary: 'Paint a thing',
      parameters: [{ name: 'thing_id', describe: 'which' }],
      options: [
        { name: 'base_colour', describe: 'what colour' },
        { name: 'twice', describe: 'thicker', flag: true },
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
    answer?: string,
    watched = false,
  ): Promise<{ status: number; out: string; err: string }> => {
    let [out, err] = ['', ''];
    const io = {
      out: (text: string) => (out += text),
      err: (text: string) => (err += text),
      ask: (question: string) => {
        if (answer === undefined) return null;
        err += question;
        return Promise.resolve(answer);
      },
      watched,
    };
    const status = await operatorProgram(commands, new SystemClock(), { io }).run(words.split(' '));
    return { status, out, err };
  };

  beforeEach(() => (ran = []));

  it('shows lists as tables', async () => {
    const { status, out } = await run('things list');
    expect([status, out]).toEqual([0, 'id  name\n1   One line\n22  -\n']);
  });

  it('answers as JSON', async () => {
    expect(JSON.parse((await run('things list --json')).out)).toEqual([
      { id: 1, name: 'One\nline' },
      { id: 22, name: null },
    ]);
  });

  it.each(['y', 'YES', ' yes '])('goes on after %j', async (answer) => {
    const { status, out } = await run('things paint 7 --base-colour red --twice', answer);
    expect([status, out]).toEqual([0, 'painted  7\nby       operator\n']);
    expect(ran).toEqual([{ thing_id: '7', base_colour: 'red', twice: 'true' }]);
  });

  // red when: a change is made without a yes
  it.each(['', 'n', 'yeah', 'no'])('changes nothing after %j', async (answer) => {
    const { status, err } = await run('things paint 7', answer);
    expect([status, ran]).toEqual([2, []]);
    expect(err).toContain('Thing 7 will be painted. Go on? [y/N]');
  });

  it('changes nothing where nobody can be asked, unless told --yes', async () => {
    expect(await run('things paint 7')).toMatchObject({ status: 2, err: expect.stringContaining('--yes') as string });
    expect(ran).toEqual([]);
    expect(await run('things paint 7 --yes')).toMatchObject({ status: 0 });
    expect(ran).toHaveLength(1);
  });

  it('only tells with --dry-run, also when it would fail', async () => {
    expect(await run('things paint 7 --dry-run --yes')).toMatchObject({
      status: 0,
      out: 'Thing 7 will be painted. Nothing was changed.\n',
    });
    expect(JSON.parse((await run('things paint 7 --dry-run --json')).out)).toMatchObject({ dry_run: true });
    expect(await run('things paint gone --dry-run')).toMatchObject({ status: 1, out: '' });
    expect(ran).toEqual([]);
  });

  it('shows how far long work has come, to whoever watches', async () => {
    expect((await run('things paint 7 --yes', undefined, true)).err).toBe(
      `\r[${'#'.repeat(15)}${' '.repeat(15)}] 1 of 2 coats\r[${'#'.repeat(30)}] 2 of 2 coats\n`,
    );
    expect((await run('things paint 7 --yes')).err).toBe('');
  });

  it('leaves the output to a command that wants it', async () => {
    expect(await run('things send --json')).toMatchObject({ status: 0, out: '', err: '{\n  "sent": 2\n}\n' });
  });

  it('does nothing for a command that is not ready', async () => {
    const ready = (): Promise<void> => Promise.reject(AppError.notFound('schema'));
    let err = '';
    const io = { out: () => undefined, err: (text: string) => (err += text), ask: () => null, watched: false };
    const program = operatorProgram(commands, new SystemClock(), { io, ready });
    expect([await program.run(['things', 'paint', '7', '--yes']), ran]).toEqual([1, []]);
    expect(err).toBe('There is no such schema.\n');
  });

  it.each([
    ['things paint', "missing required argument 'thing_id'"],
    ['things dance', "unknown command 'dance'"],
    ['things list --colour', "unknown option '--colour'"],
    ['things list --yes', "unknown option '--yes'"],
  ])('%s is typed wrongly', async (words, problem) => {
    const { status, err } = await run(words);
    expect([status, ran]).toEqual([2, []]);
    expect(err).toContain(problem);
  });

  // red when: an error is told as text, or the help is mixed into it
  it.each<[words: string, status: number, told: object]>([
    ['things paint gone --yes --json', 1, { error: 'not_found', message: 'There is no such thing.' }],
    ['things paint 7 --json', 2, { error: 'misuse', message: expect.stringContaining('--yes') as string }],
    ['things dance --json', 2, { error: 'misuse', message: expect.stringContaining("'dance'") as string }],
    ['things lose --json --organization-id 7', 1, { error: 'not_found', message: 'There is no organization 7.' }],
    ['things spill --json', 1, { error: 'invalid_input', message: 'Mop up.', details: { reason: 'wet' } }],
    ['things break --json', 1, { error: 'internal_error', message: 'Broken.' }],
  ])('tells as JSON what went wrong: %s', async (words, status, told) => {
    const said = await run(words);
    expect([said.status, said.out, JSON.parse(said.err)]).toEqual([status, '', told]);
  });

  it('tells an operator who is missing', async () => {
    const said = await run('things lose --organization-id 7');
    expect([said.status, said.err]).toEqual([1, 'There is no organization 7.\n']);
  });

  it('has help for every command', async () => {
    for (const words of ['--help', 'things --help', 'things paint --help']) {
      expect(await run(words)).toMatchObject({ status: 0, out: expect.stringContaining('Usage:') as string });
    }
    expect((await run('things paint --help')).out).toMatch(/thing_id .*which[^]*--base-colour <value> .*what colour/);
  });
});
