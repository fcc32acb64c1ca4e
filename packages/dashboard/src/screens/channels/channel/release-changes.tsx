import { useQuery } from '@tanstack/react-query';
import { BuildDiff } from '../../../parts/builds/build-diff';
import { LoadError } from '../../../parts/lists/load-error';
import { buildQuery, versionOf } from '../../../queries/project/builds';
import { diffQuery, type Release } from '../../../queries/project/releases';
import { useProjectPlace } from '../../../session/use-project-place';
import { Skeleton } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import styles from './history.module.css';

interface ReleaseChangesProps {
  readonly release: Release;
  /** The previous release of the same platform. */
  readonly before: Release;
}

/** The differences from the previous release. */
export function ReleaseChanges({ release, before }: ReleaseChangesProps) {
  const words = useWords().channels;
  return (
    <section className={styles.changes}>
      <h3>{words.changes(versionOf(before.build))}</h3>
      <FullDiff release={release} before={before} />
    </section>
  );
}

function FullDiff({ release, before }: ReleaseChangesProps) {
  const { scope } = useProjectPlace();
  const earlier = useQuery(buildQuery(scope, before.build_id));
  const later = useQuery(buildQuery(scope, release.build_id));
  const diff = useQuery(diffQuery(scope, release.build_id, before.build_id));
  const failed = [earlier, later, diff].find(({ error, data }) => error && !data);
  if (failed?.error) return <LoadError error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!earlier.data || !later.data || !diff.data) return <Skeleton count={4} />;
  return <BuildDiff before={earlier.data} after={later.data} diff={diff.data} />;
}
