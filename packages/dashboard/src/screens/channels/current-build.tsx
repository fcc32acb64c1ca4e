import { Link } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { versionOf } from '../../queries/project/builds';
import { type Channel } from '../../queries/project/channels';
import { useProjectPlace } from '../../session/use-project-place';
import { AppIcon, Badge, Time } from '../../ui';
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
