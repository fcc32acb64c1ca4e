import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Channel, channelQuery, replaceChannelLink } from '../../../queries/project/channels';
import { useMay } from '../../../session/use-may';
import { useProjectPlace } from '../../../session/use-project-place';
import { AlertDialog, Button, Card, CopyButton, ExternalLink, QrCode, Stack, useToast } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import styles from '../channels.module.css';

/** The link that always opens what is current: as a QR code, to copy, to open, to replace. */
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
      <ReplaceLink channel={channel} />
    </Card>
  );
}

function ReplaceLink({ channel }: { channel: Channel }) {
  const words = useWords().channels;
  const { scope, organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const queryClient = useQueryClient();
  const toast = useToast();
  const [isAsking, setIsAsking] = useState(false);
  const replacement = useMutation({
    mutationFn: () => replaceChannelLink(scope, channel.id),
    onSuccess: async (replaced) => {
      queryClient.setQueryData(channelQuery(scope, channel.id).queryKey, replaced);
      toast(words.replaced, { tone: 'success' });
      setIsAsking(false);
      await queryClient.invalidateQueries({ queryKey: ['channels'] });
    },
  });
  return (
    <div>
      <Button
        variant="quiet"
        icon="refresh"
        disabledReason={may('POST /channels/{channel_id}/rotate-link')}
        onClick={() => setIsAsking(true)}
      >
        {words.replaceLink}
      </Button>
      <AlertDialog
        open={isAsking}
        title={words.replaceTitle}
        confirmLabel={words.replaceLink}
        busy={replacement.isPending}
        onConfirm={() => replacement.mutate()}
        onCancel={() => setIsAsking(false)}
      >
        <p>{words.replaceText}</p>
        {replacement.error && <p role="alert">{replacement.error.message}</p>}
      </AlertDialog>
    </div>
  );
}
