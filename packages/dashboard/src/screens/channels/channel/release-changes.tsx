import { type BuildDiffResponse } from '@agate/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LoadError } from '../../../parts/lists/load-error';
import { BuildDiff } from '../../../parts/builds/build-diff';
import { buildQuery, versionOf } from '../../../queries/project/builds';
import { diffQuery, type Release } from '../../../queries/project/releases';
import { useProjectPlace } from '../../../session/use-project-place';
import { Skeleton } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from '../channels.module.css';

interface ReleaseChangesProps {
  readonly release: Release;
  /** The release of the same platform before it. */
  readonly before: Release;
}

/** What differs from the release before: in a line, and in full when it is opened. */
export function ReleaseChanges({ release, before }: ReleaseChangesProps) {
  const words = useWords().channels;
  const { scope } = useProjectPlace();
  const [isOpen, setIsOpen] = useState(false);
  const wanted = isOpen || release.current;
  const { data: diff } = useQuery({ ...diffQuery(scope, release.build_id, before.build_id), enabled: wanted });
  const line = useLine(release, before, diff);
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

function useLine(release: Release, before: Release, diff: BuildDiffResponse | undefined): string {
  const format = useFormat();
  const change = release.build.size_bytes - before.build.size_bytes;
  const system = diff?.min_os_version ?? diff?.min_sdk;
  const parts = [
    change !== 0 && format.byteChange(change),
    system && `${useWords().differences.minOs} ${system.from ?? '–'} → ${system.to ?? '–'}`,
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
