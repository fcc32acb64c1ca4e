import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { projectSummaryQuery } from '../../queries/organization/projects';
import { versionOf } from '../../queries/project/builds';
import { type Channel } from '../../queries/project/channels';
import { useProjectPlace } from '../../session/use-project-place';
import { AppIcon, Badge, Time } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import styles from './channels.module.css';

interface CurrentBuildProps {
  readonly current: Channel['current'][number];
  /** Shown below the build. */
  readonly children?: ReactNode;
}

/** The build of a platform that testers of a channel get, with the time of its promotion. */
export function CurrentBuild({ current, children }: CurrentBuildProps) {
  const { builds, channels: words } = useWords();
  const { params } = useProjectPlace();
  return (
    <li>
      <AppIcon name={current.version} src={current.icon_url} size={32} />
      <div className={styles.release}>
        <div>
          <div className={styles.line}>
            <Link
              to="/o/$org/p/$project/builds/$build"
              params={{ ...params, build: current.build_id }}
              className={styles.version}
            >
              {versionOf(current)}
            </Link>
            <span>{builds.platforms[current.platform] ?? current.platform}</span>
            {!current.installable && <Badge tone="problem">{words.notInstallable}</Badge>}
            <SigningEnd buildId={current.build_id} />
          </div>
          <div className={styles.soft}>
            {words.promoted} <Time value={current.promoted_at} />
          </div>
        </div>
        {children}
      </div>
    </li>
  );
}

/** When devices stop launching the build. Empty while its profile and certificate are valid for more than 60 days. */
function SigningEnd({ buildId }: { readonly buildId: string }) {
  const words = useWords().builds.attention;
  const format = useFormat();
  const { scope } = useProjectPlace();
  const { data: summary } = useQuery(projectSummaryQuery(scope));
  const end = summary?.signing_ends.find(({ build_id }) => build_id === buildId);
  if (!end) return null;
  return end.days_left === 0 ? (
    <Badge tone="problem">{words.ended[end.what]}</Badge>
  ) : (
    <Badge tone="warning" icon="clock">
      {words.ends[end.what](format.plural(end.days_left, words.inDays))}
    </Badge>
  );
}
