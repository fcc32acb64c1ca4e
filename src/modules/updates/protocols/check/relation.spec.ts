import { type Platform } from '#kernel/builds/platform';
import { relationOf } from './relation';

type Pair = readonly [version: string | undefined, build: string | undefined | null];

const row = (platform: Platform, current: Pair, installed: Pair, relation: string | null) =>
  [platform, current, installed, relation] as const;

describe('relationOf', () => {
  // red when: versions are compared as text, or the wrong field decides
  it.each([
    row('ios', ['1.10', '1'], ['1.9', '1'], 'newer'),
    row('ios', ['1.9', '1'], ['1.10', '1'], 'older'),
    row('ios', ['1.2.0', '7'], ['1.2', '7'], 'same'),
    row('ios', ['1.2', '10'], ['1.2', '9'], 'newer'),
    row('ios', ['2.0', '1'], ['1.9', '500'], 'newer'),
    row('ios', ['1.9', '500'], ['2.0', '1'], 'older'),
    row('ios', ['2.0-beta', '1'], ['2.0', '1'], 'older'),
    row('ios', ['2.0', '1'], ['2.0-beta', '1'], 'newer'),
    row('android', ['1.0', '100'], ['2.0', '99'], 'newer'),
    row('android', ['2.0', '99'], ['1.0', '100'], 'older'),
    row('android', ['1.1', '5'], ['1.0', '5'], 'newer'),
    row('android', ['1.0', '5'], ['1.0', '5'], 'same'),
    row('android', ['1.0', '9223372036854775807'], ['1.0', '9223372036854775806'], 'newer'),
    row('android', ['1.0', '10'], [undefined, '9'], 'newer'),
    row('android', ['1.1', null], ['1.0', '9'], 'newer'),
    row('macos', ['3.0', null], ['2.9.9', '1200'], 'newer'),
    row('windows', ['v1.4.0', null], ['1.4', undefined], 'same'),
    row('linux', ['1.4.0', '7'], [undefined, '8'], 'older'),
    row('linux', ['1.4.0', null], [undefined, '8'], null),
    row('ios', ['1.0', '1'], [undefined, undefined], null),
  ])('on %s, compares the build %j with the installed app %j: %s', (platform, current, installed, expected) => {
    const build = { version: current[0] ?? '', buildNumber: current[1] ?? null };
    const app = { version: installed[0], buildNumber: installed[1] ?? undefined };
    expect(relationOf(platform, build, app)).toBe(expected);
  });
});
