import { type DataExportResponse } from '@agate/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { LoadError } from '../../../parts/lists/load-error';
import { ownExportQuery, requestExport } from '../../../queries/account/account';
import { Badge, Button, buttonClass, Card, Inline, Skeleton } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import { PasswordDialog } from '../password-dialog';
import { useUnverified } from '../use-unverified';

/** The export of the developer's data, from the request to the download. */
export function ExportCard() {
  const words = useWords().account.data.export;
  const { data } = useQuery(ownExportQuery);
  const state = data?.export?.state;
  const isBusy = state === 'requested' || state === 'running';
  const unverified = useUnverified();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Card
      title={words.title}
      actions={
        <Button disabledReason={unverified ?? (isBusy ? words.busy : undefined)} onClick={() => setIsOpen(true)}>
          {state === undefined ? words.request : words.again}
        </Button>
      }
    >
      <p>{words.text}</p>
      <Latest />
      {isOpen && <RequestDialog onClose={() => setIsOpen(false)} />}
    </Card>
  );
}

function Latest() {
  const { data, error, isPending, refetch } = useQuery(ownExportQuery);
  if (isPending) return <Skeleton count={1} />;
  if (!data) return <LoadError error={error} onRetry={() => void refetch()} />;
  return <div role="status">{data.export && <State latest={data.export} />}</div>;
}

const TONES = { requested: 'info', running: 'info', ready: 'success', failed: 'problem' } as const;

function State({ latest }: { latest: DataExportResponse }) {
  const words = useWords().account.data.export;
  const format = useFormat();
  const { state, reason, size_bytes: size, expires_at: expiresAt, url } = latest;
  const text = {
    requested: words.requested,
    running: words.running,
    ready: words.ready(format.bytes(size ?? 0), expiresAt ? format.dateTime(new Date(expiresAt)) : ''),
    failed: reason === 'too_large' ? words.tooLarge : words.failed,
  }[state];
  return (
    <Inline gap={12}>
      <Badge tone={TONES[state]}>{text}</Badge>
      {url && (
        <a className={buttonClass('primary')} href={url} download>
          {words.download}
        </a>
      )}
    </Inline>
  );
}

function RequestDialog({ onClose }: { onClose: () => void }) {
  const words = useWords().account.data.export;
  const queryClient = useQueryClient();
  const request = useMutation({
    mutationFn: requestExport,
    onSuccess: async () => {
      onClose();
      await queryClient.invalidateQueries({ queryKey: ownExportQuery.queryKey });
    },
  });
  return (
    <PasswordDialog
      title={words.request}
      submitLabel={words.request}
      variant="primary"
      busy={request.isPending}
      error={request.error}
      onPassword={(password) => request.mutate(password)}
      onClose={onClose}
    />
  );
}
