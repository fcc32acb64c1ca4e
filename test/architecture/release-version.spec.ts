import { readFileSync } from 'node:fs';
import path from 'node:path';
import { versionsByFile } from '../../scripts/release/version-places';

const { version } = JSON.parse(readFileSync(path.join(__dirname, '../../package.json'), 'utf8')) as { version: string };

describe('The version of the release', () => {
  // red when: a file is not in the list of `version-places`, which `npm version` writes, and keeps the former version
  it.each([...versionsByFile()])('is the only one in %s', (_file, versions) => {
    expect(new Set(versions)).toEqual(new Set([version]));
  });

  it('has a section in the change log', () => {
    const text = readFileSync(path.join(__dirname, '../../CHANGELOG.md'), 'utf8');
    expect(text).toContain(`\n## [${version}]`);
  });
});
