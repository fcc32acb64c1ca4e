import { useCallback } from 'react';
import { type Build, versionOf } from '../../queries/project/builds';
import { useWords } from '../../words/words-provider';

/** Names a build where its version stands alone, by version and platform: iOS and Android often have the same versions. */
export function useNameOf(): (build: Build) => string {
  const { platforms } = useWords().builds;
  return useCallback((build) => `${versionOf(build)} ${platforms[build.platform] ?? build.platform}`, [platforms]);
}
