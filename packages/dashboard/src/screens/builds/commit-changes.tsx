import { type BuildDiffResponse } from '@agate/client';
import { Commits } from '../../parts/builds/commits';
import { type Build } from '../../queries/project/builds';
import { Fold } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';

interface CommitChangesProps {
  readonly commits: NonNullable<BuildDiffResponse['commits']>;
  readonly source: Build['source'];
}

/** The commits from one build to another, and whether some are unknown. */
export function CommitChanges({ commits: { added, further_commits: further, missing }, source }: CommitChangesProps) {
  const words = useWords().differences;
  const format = useFormat();
  return (
    <Fold title={format.plural(added.length + further, words.commitCount)} open={added.length < 10}>
      <Commits commits={added} source={source} />
      {further > 0 && <p className="soft">{format.plural(further, words.furtherCommits)}</p>}
      {missing.length > 0 && <p className="soft">{format.plural(missing.length, words.missingCommits)}</p>}
    </Fold>
  );
}
