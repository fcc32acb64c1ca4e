import { load } from 'js-yaml';
import { CI_SYSTEMS, systemsIn } from './ci-systems';
import { guessArtifact } from './steps';

const FACTS = { url: 'https://agate.example.com', artifact: 'app/build outputs/release' };
const having =
  (...paths: string[]) =>
  (path: string): boolean =>
    paths.includes(path);

describe('The CI of a folder', () => {
  it('is found by its files, each of several', () => {
    const found = systemsIn(having('.github', '.gitlab-ci.yml', 'fastlane/Fastfile'));
    expect(found.map(({ id }) => id)).toEqual(['github', 'gitlab', 'fastlane']);
  });

  it('is not known without such files', () => {
    expect(systemsIn(having('README.md'))).toEqual([]);
  });

  it.each(CI_SYSTEMS.map((system) => [system.id, system] as const))(
    'has a snippet for %s that names the service and the file, and no token',
    (id, { snippet, place }) => {
      const text = snippet(FACTS);
      expect(text).toMatch(/AGATE_URL"?\]? ?= ?"?https:\/\/agate\.example\.com/);
      expect(text).not.toMatch(/ag_(prj|pat)_/);
      if (!['fastlane', 'bitrise'].includes(id)) expect(text).toContain('"app/build outputs/release"');
      if (/\.ya?ml|workflows/.test(place)) expect(load(text)).toBeTruthy();
    },
  );
});

describe('The artifact of a project', () => {
  it.each([
    [['pubspec.yaml', 'android/app/build.gradle'], 'build/app/outputs/flutter-apk/app-release.apk'],
    [['android/app/build.gradle'], 'android/app/build/outputs/apk/release'],
    [['app/build.gradle.kts'], 'app/build/outputs/apk/release'],
    [[], 'build'],
  ])('with %j is %s', (paths, artifact) => {
    expect(guessArtifact(having(...paths))).toBe(artifact);
  });
});
