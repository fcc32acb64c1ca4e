import { type AdoptionFilter } from '@agate/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { buildAdoptionQuery, LACKING_STEPS } from '../../../queries/project/adoption';
import { type Build } from '../../../queries/project/builds';
import { useProjectPlace } from '../../../session/use-project-place';
import { classNames, Meter } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from './build.module.css';

const STEPS = ['has_it', 'has_newer', ...LACKING_STEPS] as const;

/** The testers whom the build concerns: how many have it, and what the others did. Each number leads to these testers. */
export function BuildAdoption({ build }: { build: Build }) {
  const { adoption: words, build: texts } = useWords();
  const format = useFormat();
  const { scope } = useProjectPlace();
  const { data, isPending } = useQuery(buildAdoptionQuery(scope, build.id));
  // Testers of channels and of downloads will have a count. Its room is kept, so that nothing below moves when it arrives.
  const isExpected = build.channels.length > 0 || build.downloads.unique_testers > 0;
  if (isPending && isExpected) return <div aria-busy="true" className={styles.audience} />;
  if (!data) return null;
  if (data.testers === 0)
    return isExpected && <p className={classNames(styles.audience, 'soft')}>{texts.noAudience}</p>;
  const text = words.haveIt(format.number(data.has_it), format.number(data.testers));
  return (
    <div className={styles.audience}>
      <Meter label={texts.audience} text={text} value={data.has_it} max={data.testers} />
      <ul className={styles.counts}>
        {STEPS.filter((step) => data[step] > 0).map((step) => (
          <li key={step}>
            <People build={build} step={step}>
              {format.plural(data[step], words.steps[step])}
            </People>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface PeopleProps {
  readonly build: Build;
  readonly step: AdoptionFilter;
  readonly children: string;
}

function People({ build, step, children }: PeopleProps) {
  const { params } = useProjectPlace();
  return (
    <Link to="/o/$org/p/$project/testers" params={params} search={{ build_id: build.id, adoption: step }}>
      {children}
    </Link>
  );
}
