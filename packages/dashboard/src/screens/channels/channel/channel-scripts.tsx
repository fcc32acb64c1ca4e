import { type Channel } from '../../../queries/project/channels';
import { CopyField, Fold, Stack } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import styles from '../channels.module.css';

/** Addresses that always open the current builds, one for people and one for programs per platform. */
export function ChannelScripts({ channel, link }: { channel: Channel; link: string }) {
  const { builds, channels } = useWords();
  const words = channels.scripts;
  return (
    <Fold title={words.heading}>
      <Stack gap={12}>
        <p className={styles.soft}>{channel.current.length > 0 ? words.text : words.none}</p>
        {channel.current.map(({ platform }) => {
          const name = builds.platforms[platform] ?? platform;
          return (
            <Stack key={platform} gap={8}>
              <CopyField
                iconOnly
                label={words.file(name)}
                value={`${link}/latest/${platform}/package`}
                copyLabel={words.copyFile(name)}
              />
              <CopyField
                iconOnly
                label={words.page(name)}
                value={`${link}/latest/${platform}`}
                copyLabel={words.copyPage(name)}
              />
            </Stack>
          );
        })}
      </Stack>
    </Fold>
  );
}
