import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { filesOf } from './files';

describe('The files of the action', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'agate-action-'));
  beforeAll(() => {
    for (const file of ['out/a.apk', 'out/b.apk', 'out/.c.apk', 'out/deep/er/d.ipa', 'out/deep/e.apk', 'out/[x].aab']) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), '');
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['out/*.apk', ['out/a.apk', 'out/b.apk']],
    ['out/?.apk', ['out/a.apk', 'out/b.apk']],
    ['out/**/*.ipa', ['out/deep/er/d.ipa']],
    ['**/*.apk', ['out/a.apk', 'out/b.apk', 'out/deep/e.apk']],
    ['o*/deep/e.apk', ['out/deep/e.apk']],
    ['out/[[]x].*', null],
    ['out/[x].*', ['out/[x].aab']],
  ])('match the pattern %s', (pattern, expected) => {
    if (expected) expect(filesOf([pattern], folder)).toEqual(expected);
    else expect(() => filesOf([pattern], folder)).toThrow('No file matches');
  });

  it('may have absolute paths', () => {
    expect(filesOf([path.join(folder, 'out/a.*')], '/')).toEqual([path.join(folder, 'out/a.apk')]);
  });

  it('contain a path without a pattern as it is; the upload checks it', () => {
    expect(filesOf(['missing.apk', 'missing.apk'], folder)).toEqual(['missing.apk']);
  });
});
