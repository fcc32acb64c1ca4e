import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { Notes } from '../../../parts/builds/notes';
import { useDialog } from '../../../parts/use-dialog';
import { versionOf } from '../../../queries/project/builds';
import { type Release } from '../../../queries/project/releases';
import { useMay } from '../../../session/use-may';
import { useProjectPlace } from '../../../session/use-project-place';
import { Badge, IconButton, Menu, type MenuAction, Time } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from './history.module.css';
import { ReleaseChanges } from './release-changes';

export interface ReleaseRowProps {
  readonly release: Release;
  /** The previous release of the same platform. */
  readonly before: Release | undefined;
  /** The same build may be current by a later release. */
  readonly isCurrentBuild: boolean;
  readonly onWithdraw: () => void;
}

/** A release in one line. It opens to its notes and its changes. */
export function ReleaseRow(props: ReleaseRowProps) {
  const { release, before } = props;
  const words = useWords().channels;
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const notes = release.notes ?? release.build.notes;
  return (
    <li className={styles.release}>
      <div className={styles.row}>
        <IconButton
          label={words.details(release.sequence)}
          icon={isOpen ? 'chevron-down' : 'chevron-right'}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setOpen(!isOpen)}
        />
        <Facts release={release} />
        <Acts {...props} />
      </div>
      {!isOpen && notes && (
        <p className={styles.excerpt} title={notes}>
          {notes}
        </p>
      )}
      {isOpen && (
        <div id={id} className={styles.details}>
          {notes ? <Notes text={notes} /> : <p className="soft">{words.noNotes}</p>}
          {before && before.build_id !== release.build_id && <ReleaseChanges release={release} before={before} />}
        </div>
      )}
    </li>
  );
}

function Facts({ release }: Pick<ReleaseRowProps, 'release'>) {
  const { builds, channels: words } = useWords();
  const { params } = useProjectPlace();
  const { build, platform, sequence, current, mandatory, promoted_at } = release;
  return (
    <div className={styles.facts}>
      <span className="soft">#{sequence}</span>
      <Link to="/o/$org/p/$project/builds/$build" params={{ ...params, build: build.id }} className={styles.version}>
        {versionOf(build)}
      </Link>
      <span>{builds.platforms[platform] ?? platform}</span>
      {current && (
        <Badge tone="success" dot="filled">
          {words.isCurrent}
        </Badge>
      )}
      {mandatory && <Badge>{words.mandatory}</Badge>}
      <span className={styles.more}>{[<Time key="time" value={promoted_at} />, ...useMore(release)]}</span>
    </div>
  );
}

/** The promoter, and what became of the mails. */
function useMore({ promoted_by, mails, notify }: Release): readonly string[] {
  const words = useWords().channels;
  const format = useFormat();
  const facts = [
    promoted_by.label,
    !notify && words.silent,
    notify && mails && mails.queued > 0 && format.plural(mails.queued, words.mailed),
    mails && mails.waiting > 0 && format.plural(mails.waiting, words.mailsWaiting),
    mails && mails.failed > 0 && format.plural(mails.failed, words.mailsFailed),
  ];
  return facts.filter((fact) => typeof fact === 'string').map((fact) => ` · ${fact}`);
}

/** The likely action is a button that appears on hover and focus. The menu has all. */
function Acts({ release, isCurrentBuild, onWithdraw }: ReleaseRowProps) {
  const words = useWords().channels;
  const { organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const { open } = useDialog('promote');
  const again: MenuAction = {
    label: words.promoteAgain,
    icon: 'promote',
    disabledReason: may('POST /releases') ?? (isCurrentBuild ? words.alreadyCurrent : undefined),
    onSelect: () => open(release.build_id),
  };
  const withdraw: MenuAction = {
    label: words.withdraw,
    icon: 'undo',
    disabledReason: may('DELETE /releases/{release_id}'),
    onSelect: onWithdraw,
  };
  const { label, icon = 'more', disabledReason, onSelect } = release.current ? withdraw : again;
  return (
    <div className={styles.acts}>
      <IconButton
        label={label}
        icon={icon}
        disabledReason={disabledReason}
        className={styles.likely}
        onClick={onSelect}
      />
      <Menu label={words.releaseActions(release.sequence)} items={[again, withdraw]} />
    </div>
  );
}
