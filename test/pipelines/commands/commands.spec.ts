import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { PAT_SCOPES } from '#kernel/access/roles';
import { type ReachableApp, startReachableApp } from '../../support/app/reachable-app';
import { createTestDatabase, type TestDatabase } from '../../support/app/test-database';
import { apkOf } from '../../support/artifacts/app-artifacts';
import { AgateCli, buildCommandLine, BUNDLE } from '../../support/cli/agate-cli';
import { blocksIn } from '../../support/cli/documented-script';
import { type DocumentedCommands, PAGES } from './documented-commands';

const ROOT = path.resolve(__dirname, '../../..');
const PASSWORD = 'correct horse battery';

/** The pages that have commands, without those that are generated. */
function pagesWithCommands(): string[] {
  const below = (folder: string): string[] =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`);
  const packages = readdirSync(path.join(ROOT, 'packages')).map((name) => `packages/${name}/README.md`);
  return [...readdirSync(ROOT), ...below('docs'), ...below('docker'), ...packages]
    .filter((name) => name.endsWith('.md') && existsSync(path.join(ROOT, name)))
    .filter((name) => !name.startsWith('docs/generated/') && blocksIn(name, 'sh').length > 0)
    .sort();
}

/** The blocks that run, with the values of the test. Each prints its first line before it begins. */
function scriptOf(page: string, { others = {}, replaced = [] }: DocumentedCommands): string {
  const texts = Object.keys(others);
  const blocks = blocksIn(page, 'sh').filter((block) => !texts.some((text) => block.includes(text)));
  const named = blocks.map((block) => `cat >&2 <<'LINE'\n== ${block.split('\n')[0]}\nLINE\n${block}`);
  return replaced.reduce((script, [example, value]) => script.replaceAll(example, value), named.join('\n'));
}

// red when: a command of a page is wrong, or a page gets a command without a decision whether it runs
describe('The commands of the documentation', () => {
  let app: ReachableApp;
  let restored: TestDatabase;
  let shell: AgateCli;
  beforeAll(async () => {
    await buildCommandLine();
    app = await startReachableApp({ commandLine: path.dirname(BUNDLE) });
    restored = await createTestDatabase({ migrated: false });
    shell = await AgateCli.create(await variables());
    makeCheckout();
  });
  afterAll(async () => {
    shell?.remove();
    await app?.stop();
    await restored?.drop();
  });

  const apk = (buildNumber: number): Buffer =>
    apkOf({ name: 'Rocket', bundleId: 'com.example.rocket', version: '1.0', buildNumber });

  /** What a page takes for granted: an account, a project whose channel has a build, tokens, and a database to restore into. */
  async function variables(): Promise<Record<string, string>> {
    const ann = await app.developer('ann@example.com', PASSWORD);
    const organization = await ann.createsOrganization('Example');
    await ann.changesPlan(organization, 'business');
    const project = await ann.createsProject(organization, 'Rocket');
    await ann.createsProject(organization, 'Elsewhere');
    const beta = await ann.createsChannel(project, 'Beta');
    const build = await ann.uploads(project, { bytes: apk(1), fileName: 'app.apk' });
    await ann.promotes(project, beta, build);
    const pats = `/pats?organization_id=${organization.id}`;
    const { body } = await ann.post(pats, { name: 'All', scopes: PAT_SCOPES }).expect(201);
    const token = await ann.createsToken(project, 'MANAGE_PROJECT');
    return {
      AGATE_URL: app.url,
      AGATE_TOKEN: token,
      AGATE_ORGANIZATION: organization.id,
      AGATE_PROJECT: 'Rocket',
      AGATE: app.url,
      ORG: organization.id,
      PROJECT: project.id,
      CHANNEL: beta.id,
      BUILD: build.id,
      TOKEN: token,
      PAT: (body as { token: string }).token,
      AC_OUTPUT_DIR: 'outputs',
      AC_ENV_FILE_PATH: 'passed-on',
      DATABASE_URL: app.database.url,
      DATABASE_OWNER_URL: app.database.ownerUrl,
      DATA_DIR: app.dataDirectory,
      RESTORED_DATABASE_URL: restored.ownerUrl,
      NODE_ENV: 'test',
      LOG_LEVEL: 'warn',
    };
  }

  /** A clone of this repository, with what an app's own repository has beside it, and `agate` in the path. */
  function makeCheckout(): void {
    for (const name of readdirSync(ROOT).filter((each) => !['.env', '.git', 'data'].includes(each)))
      symlinkSync(path.join(ROOT, name), path.join(shell.work, name));
    symlinkSync(path.join(ROOT, 'docs/ci/upload.sh'), path.join(shell.work, 'upload.sh'));
    for (const [index, name] of [
      'app-release.apk',
      'app/build/outputs/apk/release/app-release.apk',
      'old-builds/app.apk',
      'data/demo/Agate-Demo.apk',
      'outputs/app.apk',
    ].entries())
      shell.write(name, apk(index + 2));
    shell.write('testers.csv', 'email,name\ntess@example.com,Tess\n');
    shell.write('bin/agate', `#!/bin/sh\nexec node '${BUNDLE}' "$@"\n`);
    shell.write('bin/sign_update', `#!/bin/sh\nhead -c 64 "$2" | base64 -w0\n`);
    shell.write('Demo.zip', apk(1));
  }

  it.each(pagesWithCommands())('have a decision whether they run: %s', (page) => {
    const blocks = blocksIn(page, 'sh');
    const { runs, others = {} } = PAGES[page] ?? { runs: 0 };
    const found = Object.keys(others).map((text) => [text, blocks.filter((block) => block.includes(text)).length]);
    expect(found).toEqual(Object.keys(others).map((text) => [text, 1]));
    expect(`${page}: ${blocks.length - found.length} run`).toBe(`${page}: ${runs} run`);
  });

  it('contain a query that the schema fits', async () => {
    const queries = blocksIn('docs/operations.md', 'sql').filter((block) => block.startsWith('SELECT'));
    expect(queries).toHaveLength(1);
    expect(await app.sql(queries[0]!)).toEqual([]);
  });

  it.each(Object.keys(PAGES).filter((page) => PAGES[page]!.runs > 0))(
    'run from the top to the bottom: %s',
    async (page) => {
      const script = `chmod +x bin/*\nPATH=$PWD/bin:$PATH\n${scriptOf(page, PAGES[page]!)}`;
      const { code, stdout, stderr } = await shell.spawns('bash', ['-eu', '-o', 'pipefail', '-c', script]).ended;
      expect({ code, output: code === 0 ? '' : stdout + stderr }).toEqual({ code: 0, output: '' });
    },
  );
});
