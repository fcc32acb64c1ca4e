import { Link } from '@tanstack/react-router';
import { versionOf } from '../../queries/project/builds';
import { type Channel } from '../../queries/project/channels';
import { useProjectPlace } from '../../session/use-project-place';
import { AppIcon, Badge, Time } from '../../ui';
import { useWords } from '../../words/words-provider';
import styles from './channels.module.css';

/** The builds that testers of a channel get, per platform, with the time of their promotion. */
export function CurrentBuilds({ channel }: { channel: Channel }) {
  const { builds, channels: words } = useWords();
  const { params } = useProjectPlace();
  if (channel.current.length === 0) return <p className={styles.soft}>{words.nothingCurrent}</p>;
  return (
    <ul role="list" className={styles.current}>
      {channel.current.map((current) => (
        <li key={current.platform}>
          <AppIcon name={current.version} src={current.icon_url} size={32} />
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
        </li>
      ))}
    </ul>
  );
}
