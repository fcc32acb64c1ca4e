import { recordedRuns } from '../../../test/environments/recorded';
import { detectTargets, parseTargets } from './targets';

describe('The targets of the result', () => {
  it('are read from an option', () => {
    expect(parseTargets('github, dotenv=build/agate.env')).toEqual([
      { kind: 'github' },
      { kind: 'dotenv', file: 'build/agate.env' },
    ]);
    expect(parseTargets('none')).toEqual([]);
  });

  it('are rejected with the known names', () => {
    expect(() => parseTargets('githib')).toThrow('Unknown output "githib". Use github, azure, teamcity, bitrise, ');
    expect(() => parseTargets('dotenv=')).toThrow('Unknown output');
  });

  it('are detected from the variables of the CI', () => {
    const found = new Map(recordedRuns().map(({ ci, env }) => [ci, detectTargets(env).map(({ kind }) => kind)]));
    expect(found.get('Azure Pipelines')).toEqual(['azure']);
    expect(found.get('TeamCity')).toEqual(['teamcity']);
    expect(found.get('Bitrise')).toEqual(['bitrise']);
    expect(found.get('Buildkite')).toEqual(['buildkite']);
    for (const ci of ['GitLab CI', 'Jenkins', 'CircleCI', 'Codemagic', 'Xcode Cloud'])
      expect(found.get(ci)).toEqual([]);
    expect(detectTargets({ GITHUB_ACTIONS: 'true', GITHUB_OUTPUT: '/out' })).toEqual([{ kind: 'github' }]);
  });
});
