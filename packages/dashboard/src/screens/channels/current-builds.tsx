import { type Channel } from '../../queries/project/channels';
import { useWords } from '../../words/words-provider';
import styles from './channels.module.css';
import { CurrentBuild } from './current-build';

/** The builds that testers of a channel get, per platform. */
export function CurrentBuilds({ channel }: { channel: Channel }) {
  const words = useWords().channels;
  if (channel.current.length === 0) return <p className={styles.soft}>{words.nothingCurrent}</p>;
  return (
    <ul role="list" className={styles.current}>
      {channel.current.map((current) => (
        <CurrentBuild key={current.platform} current={current} />
      ))}
    </ul>
  );
}
