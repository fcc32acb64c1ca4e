import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { BuildDiff } from '../../../parts/builds/build-diff';
import { minimumOs } from '../../../parts/builds/minimum-os';
import { LoadError } from '../../../parts/lists/load-error';
import { buildQuery, versionOf } from '../../../queries/project/builds';
import { diffQuery, type Release } from '../../../queries/project/releases';
import { useProjectPlace } from '../../../session/use-project-place';
import { Skeleton } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from '../channels.module.css';

interface ReleaseChangesProps {
  readonly release: Release;
  /** The previous release of the same platform. */
  readonly before: Release;
}

/** The differences from the previous release: in one line, and in full when it is opened. */
export function ReleaseChanges({ release, before }: ReleaseChangesProps) {
  const words = useWords().channels;
  const [isOpen, setIsOpen] = useState(false);
  const line = useLine(release, before);
  return (
    <details className={styles.changes} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        {words.changes(versionOf(before.build))}
        {line !== '' && <span className={styles.soft}>: {line}</span>}
      </summary>
      {isOpen && <FullDiff release={release} before={before} />}
    </details>
  );
}

/** The change of the size and of the minimum OS. */
function useLine(release: Release, before: Release): string {
  const words = useWords().differences;
  const format = useFormat();
  const change = release.build.size_bytes - before.build.size_bytes;
  const [from, to] = [before, release].map(({ build, platform }) => minimumOs({ app: build, platform }));
  const parts = [
    change !== 0 && format.byteChange(change),
    from !== to && `${words.minOs} ${from ?? '–'} → ${to ?? '–'}`,
  ];
  return parts.filter(Boolean).join(', ');
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
