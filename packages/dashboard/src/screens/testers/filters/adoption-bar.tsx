import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { DeferredRemindDialog } from '../../../parts/testers/deferred-dialogs';
import {
  type Adoption,
  ADOPTION_FILTERS,
  adoptionQuery,
  buildAdoptionQuery,
  countAt,
  remindable,
} from '../../../queries/project/adoption';
import { buildQuery, versionOf } from '../../../queries/project/builds';
import { useMay } from '../../../session/use-may';
import { useProjectPlace } from '../../../session/use-project-place';
import { Button, Meter, Time } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from './adoption.module.css';
import { type AdoptionPlace, type Changes, NO_ADOPTION, useFilter, useFilters } from './use-filters';

/** The release or build by which the list is filtered: how many testers are at each step, and the way to remind those who lack it. */
export function AdoptionBar() {
  const { adoption, filters } = useFilters();
  if (adoption?.releaseId !== undefined) return <OfRelease place={adoption} releaseId={adoption.releaseId} />;
  if (adoption?.buildId !== undefined) return <OfBuild place={adoption} buildId={adoption.buildId} />;
  return filters.has_not === undefined ? null : <OfCurrentBuilds />;
}

/** A build with its platform: `iOS 2.1.0 (211)`. */
function useBuildText() {
  const { platforms } = useWords().builds;
  return (build: Parameters<typeof versionOf>[0] & { readonly platform: Adoption['platform'] }): string =>
    `${platforms[build.platform] ?? build.platform} ${versionOf(build)}`;
}

function OfRelease({ place, releaseId }: { place: AdoptionPlace; releaseId: string }) {
  const words = useWords().testers.adoption;
  const textOf = useBuildText();
  const { scope } = useProjectPlace();
  const { data: releases, isPending } = useQuery(adoptionQuery(scope));
  if (isPending) return <Waiting />;
  if (!releases) return null;
  const release = releases.find((one) => one.release_id === releaseId);
  if (!release) return <Bar title={words.earlier} place={place} />;
  return (
    <Bar title={words.inChannel(textOf(release), release.channel.name)} place={place} counts={release}>
      {place.step === 'has_not' && <Remind release={release} />}
    </Bar>
  );
}

function OfBuild({ place, buildId }: { place: AdoptionPlace; buildId: string }) {
  const textOf = useBuildText();
  const { scope } = useProjectPlace();
  const { data: counts, isPending: isCounting } = useQuery(buildAdoptionQuery(scope, buildId));
  const { data: build, isPending } = useQuery(buildQuery(scope, buildId));
  if (isPending || isCounting) return <Waiting />;
  return build ? <Bar title={textOf(build)} place={place} counts={counts} /> : null;
}

/** The room of the bar until its counts arrive, so that the list below does not move. */
const Waiting = () => <div aria-busy="true" className={styles.bar} />;

interface BarProps {
  readonly title: string;
  readonly place: AdoptionPlace;
  /** Undefined for a release that is no longer current. */
  readonly counts?: Parameters<typeof countAt>[0] | undefined;
  readonly children?: ReactNode;
}

function Bar({ title, place, counts, children }: BarProps) {
  const { adoption, testers } = useWords();
  const words = testers.adoption;
  const format = useFormat();
  const filter = useFilter();
  const text = counts && adoption.haveIt(format.number(counts.has_it), format.number(counts.testers));
  return (
    <section aria-label={words.heading} className={styles.bar}>
      <div className={styles.head}>
        <div className={styles.title}>
          <h2>{title}</h2>
          {text !== undefined && <span className="soft">{text}</span>}
        </div>
        {children}
        <Button variant="quiet" icon="close" onClick={() => filter(NO_ADOPTION)}>
          {words.clear}
        </Button>
      </div>
      {counts && counts.testers > 0 && (
        <Meter label={title} hideLabel value={counts.has_it} max={counts.testers} text={text ?? ''} />
      )}
      <div className={styles.steps}>
        {ADOPTION_FILTERS.map((step) => {
          const count = counts && countAt(counts, step);
          // Without testers, a step between the first and the last says nothing.
          if (count === 0 && ![place.step, 'has_it', 'has_not'].includes(step)) return null;
          return (
            <Chip key={step} changes={{ adoption: step }} count={count} isCurrent={step === place.step}>
              {words.step[step]}
            </Chip>
          );
        })}
      </div>
    </section>
  );
}

interface ChipProps {
  readonly changes: Changes;
  readonly count: number | undefined;
  readonly isCurrent?: boolean;
  readonly children: ReactNode;
}

/** A link to the list with other filters, and the number of its testers. */
function Chip({ changes, count, isCurrent, children }: ChipProps) {
  const format = useFormat();
  const { params } = useProjectPlace();
  return (
    <Link
      to="/o/$org/p/$project/testers"
      params={params}
      search={(before) => ({ ...before, ...changes })}
      activeOptions={{ includeSearch: true }}
      aria-current={isCurrent || undefined}
      className={styles.step}
    >
      {children} {count !== undefined && <strong>{format.number(count)}</strong>}
    </Link>
  );
}

function Remind({ release }: { release: Adoption }) {
  const words = useWords().testers.adoption;
  const format = useFormat();
  const { organizationId, projectId } = useProjectPlace();
  const reason = useMay({ organizationId, projectId })('POST /releases/{release_id}/reminders');
  const [isOpen, setIsOpen] = useState(false);
  const count = remindable(release);
  return (
    <>
      {release.reminded_at !== null && (
        <span className="soft small">
          {words.reminded} <Time value={release.reminded_at} />
        </span>
      )}
      <Button
        variant="primary"
        icon="mail"
        disabledReason={reason ?? (count <= 0 ? words.nobody : undefined)}
        onClick={() => setIsOpen(true)}
      >
        {format.plural(Math.max(0, count), words.remind)}
      </Button>
      {isOpen && (
        <DeferredRemindDialog
          releaseId={release.release_id}
          channelName={release.channel.name}
          version={versionOf(release)}
          count={count}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}

/** The current releases that testers lack, for the filter by all of them. */
function OfCurrentBuilds() {
  const words = useWords().testers.adoption;
  const textOf = useBuildText();
  const { scope } = useProjectPlace();
  const { data: releases = [], isPending } = useQuery(adoptionQuery(scope));
  if (isPending) return <div aria-busy="true" className={styles.waitingSteps} />;
  const lacking = releases.filter((one) => countAt(one, 'has_not') > 0);
  if (lacking.length === 0) return null;
  return (
    <nav aria-label={words.releases} className={styles.steps}>
      {lacking.map((one) => (
        <Chip
          key={one.release_id}
          changes={{ has_not: undefined, release_id: one.release_id, adoption: 'has_not' }}
          count={countAt(one, 'has_not')}
        >
          {words.inChannel(textOf(one), one.channel.name)}
        </Chip>
      ))}
    </nav>
  );
}
