import { readGithubFile, workflowCommands } from '../../../test/outputs/github-file';
import { type OutputHost } from './output-host';
import { prepareTargets, publishBuilds, publishFailure } from './publish';
import { parseTargets, type Target } from './targets';
import { type UploadedBuild } from './values';

const HOSTILE = 'Line one\nEOF\n::error::injected\n##vso[task.setvariable variable=PATH]x\n%0A `code` 🎉 ${PATH} $(id)';
const BUILD: UploadedBuild = {
  id: '0199aaaa-0000-7000-8000-000000000001',
  platform: 'android',
  version: '1.4.0',
  build_number: '42',
  file_name: 'app-release.apk',
  notes: 'Fixes the login.',
  install_url: 'https://agate.example.com/i/abc123',
  qr_url: 'https://agate.example.com/i/abc123/qr.png',
  app: { name: 'Demo' },
  warnings: [{ code: 'debug_signed', message: 'Signed with a debug key: 100%, really' }],
  releases: [
    { channel: 'Beta', release_id: 'r-1', install_url: 'https://agate.example.com/c/beta' },
    { channel: 'QA', release_id: 'r-2', install_url: null },
  ],
};
const HOSTILE_BUILD: UploadedBuild = {
  ...BUILD,
  version: '1.0"; rm -rf $HOME `id`\nAGATE_BUILD_ID=other',
  notes: HOSTILE,
  app: { name: '<script>alert(1)</script> | @everyone [x](http://evil.example)' },
  warnings: [{ code: 'odd', message: HOSTILE }],
};

class FakeHost implements OutputHost {
  readonly files = new Map<string, string>();
  readonly stdout: string[] = [];
  readonly stderr: string[] = [];
  readonly runs: { command: string; args: readonly string[]; input: string }[] = [];
  private ids = 0;

  constructor(
    readonly env: OutputHost['env'] = {},
    readonly isJson = false,
  ) {}

  readonly appendFile = (path: string, text: string): void => {
    this.writeFile(path, `${this.files.get(path) ?? ''}${text}`);
  };
  readonly writeFile = (path: string, text: string): void => {
    if (path.startsWith('/no/')) throw new Error(`ENOENT: ${path}`);
    this.files.set(path, text);
  };
  readonly writeLine = (stream: 'stdout' | 'stderr', line: string): void => {
    this[stream].push(line);
  };
  readonly run = (command: string, args: readonly string[], input: string): boolean =>
    this.runs.push({ command, args, input }) > 0;
  readonly randomId = (): string => `id${(this.ids += 1)}`;
}

function publish(targets: string, host: FakeHost, build = BUILD): FakeHost {
  expect(publishBuilds(parseTargets(targets), [build], host)).toEqual([]);
  return host;
}

const host = (): FakeHost => new FakeHost({ GITHUB_OUTPUT: '/out', GITHUB_STEP_SUMMARY: '/summary' });

describe('publishBuilds for GitHub', () => {
  it('writes the outputs', () => {
    const { files } = publish('github', host());
    expect(Object.fromEntries(readGithubFile(files.get('/out') ?? ''))).toEqual({
      'build-id': BUILD.id,
      'install-url': BUILD.install_url,
      'qr-url': BUILD.qr_url,
      version: '1.4.0',
      'build-number': '42',
      'release-ids': 'r-1,r-2',
      warnings: JSON.stringify(BUILD.warnings),
      builds: JSON.stringify([BUILD]),
    });
  });

  it('keeps the earlier output of the step', () => {
    const before = host();
    before.files.set('/out', 'mine=1\n');
    expect(readGithubFile(publish('github', before).files.get('/out') ?? '').get('mine')).toBe('1');
  });

  it('injects no output when version and notes look like outputs', () => {
    const outputs = readGithubFile(publish('github', host(), HOSTILE_BUILD).files.get('/out') ?? '');
    expect(outputs.get('build-id')).toBe(BUILD.id);
    expect(outputs.get('version')).toBe(HOSTILE_BUILD.version);
    expect(JSON.parse(outputs.get('builds') ?? '')).toEqual([HOSTILE_BUILD]);
  });

  it('annotates warnings, each as one command', () => {
    const { stderr } = publish('github', host(), HOSTILE_BUILD);
    expect(workflowCommands(stderr.join('\n'))).toEqual([
      { name: 'warning', properties: { title: 'odd' }, message: HOSTILE },
    ]);
  });
});

describe('publishBuilds for the summary of GitHub', () => {
  it('writes the link, the picture and the warnings', () => {
    const summary = publish('github', host()).files.get('/summary') ?? '';
    expect(summary).toContain('href="https://agate.example.com/i/abc123"');
    expect(summary).toContain('<img src="https://agate.example.com/i/abc123/qr.png"');
    expect(summary).toContain('Signed with a debug key');
    expect(summary).toContain('| Channel Beta |');
  });

  it('leaves the picture out when the host is private', () => {
    for (const origin of ['http://localhost:3000', 'http://192.168.1.5', 'https://agate.corp', 'http://[::1]:3000']) {
      const build = { ...BUILD, install_url: `${origin}/i/abc`, qr_url: `${origin}/i/abc/qr.png` };
      expect(publish('github', host(), build).files.get('/summary')).not.toContain('<img');
    }
  });

  it('writes no markup of the build into the summary', () => {
    const summary = publish('github', host(), HOSTILE_BUILD).files.get('/summary') ?? '';
    expect(summary).not.toContain('<script');
    expect(summary).not.toContain('@everyone');
    expect(summary).not.toContain('[x](');
    expect(summary).toContain('```text\nLine one\nEOF\n');
    for (const line of summary.split('\n').filter((each) => each.startsWith('|'))) {
      expect(line.split('|')).toHaveLength(4);
    }
  });

  it('fences notes that contain fences', () => {
    const notes = 'Before\n````\ncode\n````\nafter';
    expect(publish('github', host(), { ...BUILD, notes }).files.get('/summary')).toContain(
      `\`\`\`\`\`text\n${notes}\n\`\`\`\`\``,
    );
  });

  it('reports a file that cannot be written, without failing', () => {
    const problems = publishBuilds([{ kind: 'github' }], [BUILD], new FakeHost({ GITHUB_OUTPUT: '/no/out' }));
    expect(problems).toEqual(['The result could not be passed to the next step (github): ENOENT: /no/out']);
  });
});

describe('publishBuilds for dotenv', () => {
  const dotenv = (build: UploadedBuild): string =>
    publish('dotenv=agate.env', new FakeHost(), build).files.get('agate.env') ?? '';

  it('writes the five variables', () => {
    expect(dotenv(BUILD)).toBe(
      [
        `AGATE_BUILD_ID=${BUILD.id}`,
        'AGATE_INSTALL_URL=https://agate.example.com/i/abc123',
        'AGATE_QR_URL=https://agate.example.com/i/abc123/qr.png',
        'AGATE_VERSION=1.4.0',
        'AGATE_BUILD_NUMBER=42',
        '',
      ].join('\n'),
    );
  });

  it('leaves out unknown values', () => {
    expect(dotenv({ ...BUILD, install_url: null, qr_url: null, build_number: null })).toBe(
      `AGATE_BUILD_ID=${BUILD.id}\nAGATE_VERSION=1.4.0\n`,
    );
  });

  it('writes no characters that a shell would interpret', () => {
    const text = dotenv({ ...HOSTILE_BUILD, install_url: 'https://agate.example.com/i/a b&c$(id)' });
    expect(text).not.toMatch(/["'$`;&|<>()\\ ]/);
    expect(text.match(/^AGATE_BUILD_ID=/gm)).toHaveLength(1);
    expect(text).toContain('AGATE_INSTALL_URL=https://agate.example.com/i/a%20b%26c%24%28id%29\n');
  });

  it('stays below the limit of GitLab', () => {
    const long = dotenv({ ...BUILD, install_url: `https://agate.example.com/${'i'.repeat(6000)}` });
    expect(long.length).toBeLessThan(5120);
    expect(long).toContain('AGATE_BUILD_ID=');
  });

  it('empties the file before the upload', () => {
    const host = new FakeHost();
    host.files.set('agate.env', 'AGATE_BUILD_ID=old\n');
    prepareTargets(parseTargets('dotenv=agate.env'), host);
    expect(host.files.get('agate.env')).toBe('');
  });

  it('throws before the upload when the file cannot be written', () => {
    expect(() => prepareTargets(parseTargets('dotenv=/no/agate.env'), new FakeHost())).toThrow('ENOENT');
  });
});

describe('publishBuilds for other CIs', () => {
  it('sets output variables and uploads a summary on Azure Pipelines', () => {
    const host = publish('azure', new FakeHost({ AGENT_TEMPDIRECTORY: '/tmp/agent' }), HOSTILE_BUILD);
    expect(host.stderr).toContain(`##vso[task.setvariable variable=AGATE_BUILD_ID;isOutput=true]${BUILD.id}`);
    expect(host.stderr).toContain('##vso[task.uploadsummary]/tmp/agent/agate-id1.md');
    expect(host.files.get('/tmp/agent/agate-id1.md')).toContain('abc123');
    expect(host.stderr.filter((line) => line.includes('\n'))).toEqual([]);
    expect(host.stderr.filter((line) => line.includes('type=warning'))).toHaveLength(1);
  });

  it('sets parameters on TeamCity, through standard output', () => {
    const host = publish('teamcity', new FakeHost(), { ...BUILD, version: "1|2'3[4]\n5 ü" });
    expect(host.stdout).toContain("##teamcity[setParameter name='env.AGATE_VERSION' value='1||2|'3|[4|]|n5 |0x00fc']");
    expect(host.stderr).toEqual([]);
  });

  it('keeps standard output JSON on TeamCity when JSON was requested', () => {
    const host = publish('teamcity', new FakeHost({}, true));
    expect(host.stdout).toEqual([]);
    expect(host.stderr).toHaveLength(6);
  });

  it('adds variables on Bitrise, without replacing references to other variables', () => {
    const host = publish('bitrise', new FakeHost(), HOSTILE_BUILD);
    expect(host.runs[0]).toEqual({
      command: 'envman',
      args: ['add', '--key', 'AGATE_BUILD_ID', '--value', BUILD.id, '--no-expand'],
      input: '',
    });
    expect(host.runs).toHaveLength(5);
  });

  it('annotates on Buildkite', () => {
    const [annotation] = publish('buildkite', new FakeHost()).runs;
    expect(annotation?.args).toEqual(['annotate', '--style', 'warning', '--context', 'agate-android']);
    expect(annotation?.input).toContain('Demo');
  });
});

describe('publishFailure', () => {
  const failure = (kind: Exclude<Target['kind'], 'dotenv'>): string[] => {
    const host = new FakeHost();
    publishFailure([{ kind }], 'Corrupt.\n::warning::x', host);
    return [...host.stdout, ...host.stderr];
  };

  it('is one command for each CI that shows errors', () => {
    expect(failure('github')).toEqual(['::error title=Agate::Corrupt.%0A::warning::x']);
    expect(failure('azure')).toEqual(['##vso[task.logissue type=error]Corrupt.%0A::warning::x']);
    expect(failure('teamcity')).toEqual([
      "##teamcity[buildProblem description='Corrupt.|n::warning::x' identity='agate']",
    ]);
    expect(failure('bitrise')).toEqual([]);
  });
});
