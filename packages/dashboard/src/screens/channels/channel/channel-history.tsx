import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { itemsOf, ListCard } from '../../../parts/lists/list-screen';
import { useDialog } from '../../../parts/use-dialog';
import { versionOf } from '../../../queries/project/builds';
import { type Channel } from '../../../queries/project/channels';
import { type Release, releasesQuery } from '../../../queries/project/releases';
import { useMay } from '../../../session/use-may';
import { useProjectPlace } from '../../../session/use-project-place';
import { Badge, Button, EmptyState, Menu, Time, Timeline, type TimelineItem } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from '../channels.module.css';
import { ReleaseChanges } from './release-changes';
import { WithdrawDialog } from './withdraw-dialog';

/** The releases of the channel, the newest first, and the button to withdraw one. */
export function ChannelHistory({ channel }: { channel: Channel }) {
  const words = useWords().channels;
  const { scope } = useProjectPlace();
  const [withdrawn, setWithdrawn] = useState<Release>();
  const list = useInfiniteQuery(releasesQuery(scope, channel.id));
  const releases = itemsOf(list);
  const items = useItems(channel, releases, setWithdrawn);
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
      <Timeline label={words.history} items={items} />
      {withdrawn && <WithdrawDialog release={withdrawn} onClose={() => setWithdrawn(undefined)} />}
    </ListCard>
  );
}

function useItems(
  channel: Channel,
  releases: readonly Release[],
  onWithdraw: (release: Release) => void,
): readonly TimelineItem[] {
  const current = new Set(channel.current.map(({ build_id }) => build_id));
  return releases.map((release, index) => {
    const before = releases.slice(index + 1).find(({ platform }) => platform === release.platform);
    return {
      id: release.id,
      current: release.current,
      title: <ReleaseTitle release={release} />,
      meta: <ReleaseMeta release={release} />,
      children: (
        <>
          <ReleaseNotes release={release} />
          {before && before.build_id !== release.build_id && <ReleaseChanges release={release} before={before} />}
        </>
      ),
      actions: (
        <ReleaseActions
          release={release}
          isCurrentBuild={current.has(release.build_id)}
          onWithdraw={() => onWithdraw(release)}
        />
      ),
    };
  });
}

function ReleaseTitle({ release: { build, platform, sequence, current, mandatory } }: { release: Release }) {
  const { builds, channels: words } = useWords();
  const { params } = useProjectPlace();
  return (
    <span className={styles.line}>
      <span className={styles.sequence}>#{sequence}</span>
      <Link to="/o/$org/p/$project/builds/$build" params={{ ...params, build: build.id }} className={styles.version}>
        {versionOf(build)}
      </Link>
      <span className={styles.platform}>{builds.platforms[platform] ?? platform}</span>
      {current && (
        <Badge tone="success" dot="filled">
          {words.isCurrent}
        </Badge>
      )}
      {mandatory && <Badge>{words.mandatory}</Badge>}
    </span>
  );
}

function ReleaseMeta({ release: { promoted_at, promoted_by, mails, notify } }: { release: Release }) {
  const words = useWords().channels;
  const format = useFormat();
  return (
    <>
      <Time value={promoted_at} /> {promoted_by.label && words.by(promoted_by.label)}
      {!notify && ` · ${words.silent}`}
      {notify && mails && ` · ${format.plural(mails.queued, words.mailed)}`}
      {mails && mails.waiting > 0 && ` · ${format.plural(mails.waiting, words.mailsWaiting)}`}
      {mails && mails.failed > 0 && ` · ${format.plural(mails.failed, words.mailsFailed)}`}
    </>
  );
}

function ReleaseNotes({ release: { notes, build } }: { release: Release }) {
  const text = notes ?? build.notes;
  return text ? <p className={styles.notes}>{text}</p> : null;
}

interface ReleaseActionsProps {
  readonly release: Release;
  /** The same build may be current by a later release. */
  readonly isCurrentBuild: boolean;
  readonly onWithdraw: () => void;
}

function ReleaseActions({ release, isCurrentBuild, onWithdraw }: ReleaseActionsProps) {
  const words = useWords().channels;
  const { organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const { open } = useDialog('promote');
  const withdrawReason = may('DELETE /releases/{release_id}');
  if (release.current) {
    return (
      <Button icon="undo" disabledReason={withdrawReason} onClick={onWithdraw}>
        {words.withdraw}
      </Button>
    );
  }
  return (
    <>
      <Button
        icon="promote"
        disabledReason={may('POST /releases') ?? (isCurrentBuild ? words.alreadyCurrent : undefined)}
        onClick={() => open(release.build_id)}
      >
        {words.promoteAgain}
      </Button>
      <Menu
        label={words.releaseActions(release.sequence)}
        items={[{ label: words.withdraw, icon: 'undo', disabledReason: withdrawReason, onSelect: onWithdraw }]}
      />
    </>
  );
}
