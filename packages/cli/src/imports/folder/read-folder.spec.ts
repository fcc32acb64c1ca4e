import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type ImportPlan } from '../plan/import-plan';
import { readFolder } from './read-folder';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agate-import-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function writes(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
}
const filesOf = ({ builds }: ImportPlan): string[] => builds.map(({ file }) => file);

describe('A folder without a description', () => {
  it('is read as its artifacts, the oldest file first', async () => {
    await writes({ 'b/new.apk': '', 'a.ipa': '', '.hidden.apk': '', 'notes.txt': '' });
    await utimes(join(folder, 'b/new.apk'), 2_000, 2_000);
    await utimes(join(folder, 'a.ipa'), 1_000, 1_000);
    const plan = await readFolder(folder);
    expect(filesOf(plan)).toEqual(['a.ipa', 'b/new.apk']);
    expect(plan.builds[0]).toMatchObject({ uploaded_at: null, version: null, releases: [] });
  });

  it('is rejected without artifacts, and when it does not exist', async () => {
    await expect(readFolder(folder)).rejects.toThrow('contains no builds, and no import.json or import.csv');
    await expect(readFolder(join(folder, 'none'))).rejects.toThrow('cannot be read as a folder');
  });
});

describe('import.json', () => {
  it('describes builds, their releases, testers and channels', async () => {
    const build = { file: 'new.apk', uploaded_at: '2026-02-01T00:00:00Z', build_number: 7, notes: 'Second' };
    const releases = [{ channel: 'Beta', notes: 'Hello', promoted_at: '2026-02-02T00:00:00Z' }];
    await writes({
      'import.json': JSON.stringify({
        channels: ['Nightly'],
        builds: [
          { ...build, releases },
          { file: 'old.apk', uploaded_at: '2026-01-01T00:00:00Z' },
        ],
        testers: [{ email: 'tess@example.com', name: 'Tess', channels: ['QA'] }],
      }),
    });
    const plan = await readFolder(folder);
    expect(filesOf(plan)).toEqual(['old.apk', 'new.apk']);
    expect(plan.channels).toEqual(['Nightly', 'Beta', 'QA']);
    expect(plan.builds[1]).toMatchObject({ build_number: '7', notes: 'Second', sha256: null });
    expect(plan.builds[1]!.releases).toEqual([{ ...releases[0], promoted_at: '2026-02-02T00:00:00.000Z' }]);
    expect(plan.testers).toEqual([{ email: 'tess@example.com', name: 'Tess', channels: ['QA'] }]);
  });

  it.each([
    ['{', 'import.json must be JSON'],
    ['[]', 'import.json must be an object'],
    ['{"builds":[{}]}', 'builds[0].file in import.json is missing'],
    ['{"builds":[{"file":"../a.apk"}]}', 'builds[0].file in import.json must be a file in the folder, not "../a.apk"'],
    ['{"builds":[{"file":"/etc/passwd"}]}', 'must be a file in the folder'],
    ['{"builds":[{"file":"a","platform":"beos"}]}', 'builds[0].platform in import.json must be one of ios, android'],
    ['{"builds":[{"file":"a","uploaded_at":"soon"}]}', 'builds[0].uploaded_at in import.json must be a time'],
    ['{"builds":[{"file":"a","releases":{}}]}', 'builds[0].releases in import.json must be a list'],
  ])('%s is rejected by the name of the field', async (text, message) => {
    await writes({ 'import.json': text });
    await expect(readFolder(folder)).rejects.toThrow(message);
  });
});

describe('import.csv', () => {
  it('describes a build per line, with several channels and testers in one cell', async () => {
    await writes({
      'import.csv':
        'file,version,channel,uploaded_at,testers\nb.dmg,2.0,Beta | QA,2026-02-01,tess@example.com\na.dmg,1.0,QA,2026-01-01,tess@example.com|bo@example.com\n',
    });
    const plan = await readFolder(folder);
    expect(filesOf(plan)).toEqual(['a.dmg', 'b.dmg']);
    expect(plan.builds[1]!.releases.map(({ channel }) => channel)).toEqual(['Beta', 'QA']);
    expect(plan.testers).toEqual([
      { email: 'tess@example.com', name: null, channels: ['Beta', 'QA'] },
      { email: 'bo@example.com', name: null, channels: ['QA'] },
    ]);
  });

  it.each([
    ['name\na.apk\n', 'Line 1 of import.csv must name the columns, and one of them must be file.'],
    ['file,version\na.apk,1\n,2\n', 'Line 3 of import.csv names no file.'],
    ['file,platform\na.apk,beos\n', 'The column platform on line 2 of import.csv must be one of'],
    ['file\n"a.apk\n', 'import.csv: Line 2 has a quotation mark that is not closed'],
  ])('%j is rejected by line', async (text, message) => {
    await writes({ 'import.csv': text });
    await expect(readFolder(folder)).rejects.toThrow(message);
  });
});

describe("App Center's releases.json", () => {
  const release = (id: number, version: string, build: string): object => ({
    id,
    version: build,
    short_version: version,
    uploaded_at: `2025-01-${String(id).padStart(2, '0')}T10:00:00.000Z`,
    release_notes: `Notes ${id}`,
    distribution_groups: [{ id: 'x', name: 'Testers' }],
  });

  it('finds files by id, then by version and build number, and remarks on missing files', async () => {
    await writes({
      '12-app.apk': '',
      'app-1.4.0-88.apk': '',
      'app-1.4.0-89.apk': '',
      'releases.json': JSON.stringify([
        release(12, '1.5.0', '90'),
        release(11, '1.4.0', '89'),
        release(9, '1.3.0', '70'),
      ]),
    });
    const plan = await readFolder(folder);
    expect(filesOf(plan)).toEqual(['app-1.4.0-89.apk', '12-app.apk']);
    expect(plan.builds[0]).toMatchObject({ version: '1.4.0', build_number: '89', notes: 'Notes 11' });
    expect(plan.channels).toEqual(['Testers']);
    expect(plan.remarks).toEqual(['The folder has no file of release 9 (1.3.0, 70).']);
  });

  it('is rejected when it is not a list', async () => {
    await writes({ 'releases.json': '{}' });
    await expect(readFolder(folder)).rejects.toThrow('releases.json must be a list of releases');
  });
});
