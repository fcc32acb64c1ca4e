import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { QrButton } from '../../parts/qr/qr-button';
import { type Channel } from '../../queries/project/channels';
import { useProjectPlace } from '../../session/use-project-place';
import { CopyButton } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import styles from './channels.module.css';
import { CurrentBuilds } from './current-builds';

/** One channel in the list: its current builds, its number of subscribers, its link. */
export function ChannelCard({ channel }: { channel: Channel }) {
  const words = useWords().channels;
  const format = useFormat();
  const { params } = useProjectPlace();
  const id = useId();
  const link = channel.install_url;
  return (
    <li>
      <section aria-labelledby={id} className={styles.card}>
        <div className={styles.about}>
          <h2 id={id}>
            <Link to="/o/$org/p/$project/channels/$channel" params={{ ...params, channel: channel.id }}>
              {channel.name}
            </Link>
          </h2>
          <CurrentBuilds channel={channel} />
        </div>
        <div className={styles.foot}>
          <Link
            to="/o/$org/p/$project/testers"
            params={params}
            search={{ channel: channel.id }}
            className={styles.soft}
          >
            {format.plural(channel.subscribers, words.subscribers)}
          </Link>
          {link !== null && (
            <span className={styles.acts}>
              <CopyButton label={words.copyLink} value={link} />
              <QrButton
                label={words.showQr(channel.name)}
                title={channel.name}
                picture={words.qr(channel.name)}
                link={link}
                copyLabel={words.copyLink}
              />
            </span>
          )}
        </div>
      </section>
    </li>
  );
}
