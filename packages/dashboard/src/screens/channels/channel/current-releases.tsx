import { useQuery } from '@tanstack/react-query';
import { adoptionQuery } from '../../../queries/project/adoption';
import { type Channel } from '../../../queries/project/channels';
import { useProjectPlace } from '../../../session/use-project-place';
import { Card } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import styles from '../channels.module.css';
import { CurrentBuild } from '../current-build';
import { ReleaseAdoption } from './release-adoption';

/** The builds that testers of the channel get, and which testers have them. */
export function CurrentReleases({ channel }: { channel: Channel }) {
  const words = useWords().channels;
  const { scope } = useProjectPlace();
  const { data: releases, isPending } = useQuery({ ...adoptionQuery(scope), enabled: channel.current.length > 0 });
  return (
    <Card title={words.current}>
      {channel.current.length === 0 ? (
        <p className={styles.soft}>{words.nothingCurrent}</p>
      ) : (
        <ul role="list" className={styles.current}>
          {channel.current.map((current) => {
            const adoption = releases?.find(
              (one) => one.channel.id === channel.id && one.platform === current.platform,
            );
            return (
              <CurrentBuild key={current.platform} current={current}>
                {adoption && <ReleaseAdoption adoption={adoption} />}
                {isPending && <div aria-busy="true" className={styles.adoption} />}
              </CurrentBuild>
            );
          })}
        </ul>
      )}
    </Card>
  );
}
