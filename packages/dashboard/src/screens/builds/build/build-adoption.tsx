import { type AdoptionFilter } from '@agate/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { buildAdoptionQuery, LACKING_STEPS } from '../../../queries/project/adoption';
import { type Build } from '../../../queries/project/builds';
import { useProjectPlace } from '../../../session/use-project-place';
import { Meter } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from './build.module.css';

const STEPS = ['has_it', 'has_newer', ...LACKING_STEPS] as const;

/** The testers whom the build concerns: how many have it, and what the others did. Each number leads to these testers. */
export function BuildAdoption({ build }: { build: Build }) {
  const { adoption: words, build: texts } = useWords();
  const format = useFormat();
  const { scope } = useProjectPlace();
  const { data } = useQuery(buildAdoptionQuery(scope, build.id));
  if (!data || data.testers === 0) return null;
  const text = words.haveIt(format.number(data.has_it), format.number(data.testers));
  return (
    <>
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
    </>
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
