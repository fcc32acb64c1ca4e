import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { itemsOf, ListCard } from '../../../parts/lists/list-screen';
import { type Channel } from '../../../queries/project/channels';
import { type Release, releasesQuery } from '../../../queries/project/releases';
import { useProjectPlace } from '../../../session/use-project-place';
import { EmptyState } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import styles from './history.module.css';
import { ReleaseRow } from './release-row';
import { WithdrawDialog } from './withdraw-dialog';

/** The releases of the channel, the newest first, one line each. */
export function ChannelHistory({ channel }: { channel: Channel }) {
  const words = useWords().channels;
  const { scope } = useProjectPlace();
  const [withdrawn, setWithdrawn] = useState<Release>();
  const list = useInfiniteQuery(releasesQuery(scope, channel.id));
  const releases = itemsOf(list);
  const current = new Set(channel.current.map(({ build_id }) => build_id));
  return (
    <ListCard
      title={words.history}
      list={list}
      count={releases.length}
      rows={4}
      forms={words.releases}
      empty={
        <EmptyState compact level={3} title={words.noHistory}>
          {words.noHistoryText}
        </EmptyState>
      }
    >
      <ol role="list" aria-label={words.history} className={styles.history}>
        {releases.map((release, index) => (
          <ReleaseRow
            key={release.id}
            release={release}
            before={releases.slice(index + 1).find(({ platform }) => platform === release.platform)}
            isCurrentBuild={current.has(release.build_id)}
            onWithdraw={() => setWithdrawn(release)}
          />
        ))}
      </ol>
      {withdrawn && <WithdrawDialog release={withdrawn} onClose={() => setWithdrawn(undefined)} />}
    </ListCard>
  );
}
