import { useQueryClient } from '@tanstack/react-query';
import { ReplaceLink } from '../../../parts/replace-link';
import { keyOf } from '../../../queries/keys';
import { type Channel, channelQuery, replaceChannelLink } from '../../../queries/project/channels';
import { useMay } from '../../../session/use-may';
import { useProjectPlace } from '../../../session/use-project-place';
import { Card, CopyButton, ExternalLink, QrCode, Stack } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import styles from '../channels.module.css';
import { ChannelScripts } from './channel-scripts';

/** The link that always opens the current builds: as a QR code, to copy, to open, to replace. */
export function ChannelLink({ channel }: { channel: Channel }) {
  const words = useWords().channels;
  const link = channel.install_url;
  return (
    <Card title={words.link}>
      {link === null ? (
        <p className={styles.soft}>{words.noLink}</p>
      ) : (
        <Stack gap={12}>
          <div className={styles.largeQr}>
            <QrCode value={link} label={words.qr(channel.name)} />
          </div>
          <CopyButton label={words.copyLink} value={link} variant="primary" />
          <ExternalLink href={link}>{words.asTesters}</ExternalLink>
        </Stack>
      )}
      <ReplaceChannelLink channel={channel} />
      {link !== null && <ChannelScripts channel={channel} link={link} />}
    </Card>
  );
}

function ReplaceChannelLink({ channel }: { channel: Channel }) {
  const words = useWords().channels;
  const { scope, organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const queryClient = useQueryClient();
  const replace = async (): Promise<void> => {
    const replaced = await replaceChannelLink(scope, channel.id);
    queryClient.setQueryData(channelQuery(scope, channel.id).queryKey, replaced);
    await queryClient.invalidateQueries({ queryKey: keyOf('channels') });
  };
  return (
    <div>
      <ReplaceLink words={words} disabledReason={may('POST /channels/{channel_id}/rotate-link')} replace={replace} />
    </div>
  );
}
