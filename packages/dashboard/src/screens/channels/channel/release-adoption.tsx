import { type AdoptionFilter } from '@agate/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { DeferredRemindDialog } from '../../../parts/testers/deferred-dialogs';
import { type Adoption, countAt, LACKING_STEPS, remindable } from '../../../queries/project/adoption';
import { versionOf } from '../../../queries/project/builds';
import { useMay } from '../../../session/use-may';
import { useProjectPlace } from '../../../session/use-project-place';
import { Button, Meter, Time, useNow } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from '../channels.module.css';

/** The mails about a release go out after this time. */
const ANNOUNCED_AFTER_MS = 60_000;

/** How many testers have the build of a release, and what the others did. Each number leads to these testers. */
export function ReleaseAdoption({ adoption }: { adoption: Adoption }) {
  const { adoption: counts, channels } = useWords();
  const words = channels.adoption;
  const format = useFormat();
  const { testers, has_it: count, installable, released_at } = adoption;
  const isAnnounced = useNow().getTime() - Date.parse(released_at) >= ANNOUNCED_AFTER_MS;
  if (testers === 0) return <p className={styles.soft}>{words.none}</p>;
  const text = counts.haveIt(format.number(count), format.number(testers));
  return (
    <div className={styles.adoption}>
      <Meter hideLabel label={counts.label} text={text} value={count} max={testers} />
      <div className={styles.steps}>
        <People adoption={adoption} step={countAt(adoption, 'has_not') > 0 ? 'has_not' : 'has_it'}>
          {text}
        </People>
        {(['has_newer', ...LACKING_STEPS] as const)
          .filter((step) => adoption[step] > 0)
          .map((step) => (
            <People key={step} adoption={adoption} step={step}>
              {format.plural(adoption[step], counts.steps[step])}
            </People>
          ))}
        {adoption.other_platforms > 0 && (
          <span className={styles.soft}>{format.plural(adoption.other_platforms, words.otherPlatforms)}</span>
        )}
      </div>
      {installable && isAnnounced && remindable(adoption) > 0 && <Remind adoption={adoption} />}
    </div>
  );
}

interface PeopleProps {
  readonly adoption: Adoption;
  readonly step: AdoptionFilter;
  readonly children: string;
}

function People({ adoption: { release_id }, step, children }: PeopleProps) {
  const { params } = useProjectPlace();
  return (
    <Link to="/o/$org/p/$project/testers" params={params} search={{ release_id, adoption: step }}>
      {children}
    </Link>
  );
}

function Remind({ adoption }: { adoption: Adoption }) {
  const words = useWords().channels.adoption;
  const format = useFormat();
  const { organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const [isOpen, setOpen] = useState(false);
  const { reminded_at: remindedAt, release_id: id, channel } = adoption;
  const count = remindable(adoption);
  return (
    <div className={styles.remind}>
      <Button icon="mail" disabledReason={may('POST /releases/{release_id}/reminders')} onClick={() => setOpen(true)}>
        {format.plural(count, words.remind)}
      </Button>
      {remindedAt !== null && (
        <span className={styles.soft}>
          {words.reminded} <Time value={remindedAt} />
        </span>
      )}
      {isOpen && (
        <DeferredRemindDialog
          releaseId={id}
          channelName={channel.name}
          version={versionOf(adoption)}
          count={count}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}
