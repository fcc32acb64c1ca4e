import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Adoption, adoptionQuery } from '../../../queries/project/adoption';
import { versionOf } from '../../../queries/project/builds';
import { type Channel } from '../../../queries/project/channels';
import { useProjectPlace } from '../../../session/use-project-place';
import { AppIcon, Badge, Card, Time } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import styles from '../channels.module.css';
import { ReleaseAdoption } from './release-adoption';

/** The builds that testers of the channel get, and which testers have them. */
export function CurrentReleases({ channel }: { channel: Channel }) {
  const words = useWords().channels;
  const { scope } = useProjectPlace();
  const { data: releases } = useQuery({ ...adoptionQuery(scope), enabled: channel.current.length > 0 });
  return (
    <Card title={words.current}>
      {channel.current.length === 0 ? (
        <p className={styles.soft}>{words.nothingCurrent}</p>
      ) : (
        <ul role="list" className={styles.current}>
          {channel.current.map((current) => (
            <CurrentRelease
              key={current.platform}
              current={current}
              adoption={releases?.find((one) => one.channel.id === channel.id && one.platform === current.platform)}
            />
          ))}
        </ul>
      )}
    </Card>
  );
}

interface CurrentReleaseProps {
  readonly current: Channel['current'][number];
  readonly adoption: Adoption | undefined;
}

function CurrentRelease({ current, adoption }: CurrentReleaseProps) {
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
        {adoption && <ReleaseAdoption adoption={adoption} />}
      </div>
    </li>
  );
}
