import { type DataExportResponse } from '@agate/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { organizationExportQuery } from '../../queries/organization/organization';
import { api } from '../../session/api';
import { useMay } from '../../session/use-may';
import { Button, buttonClass, Card, DescriptionList, FormDialog, PasswordField, Time } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';

/** Requests an archive of all data of the organization with the password, and shows its progress. */
export function ExportData({ organizationId }: { organizationId: string }) {
  const words = useWords().settings.export;
  const may = useMay({ organizationId });
  const reason = may('POST /organizations/{organization_id}/export');
  const { data: newest } = useQuery({ ...organizationExportQuery(organizationId), enabled: reason === undefined });
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Card level={3} title={words.heading}>
      <p>{words.text}</p>
      {newest && <State newest={newest} />}
      <div>
        <Button icon="download" disabledReason={reason} onClick={() => setIsAsking(true)}>
          {words.start}
        </Button>
      </div>
      {isAsking && <AskPassword organizationId={organizationId} onClose={() => setIsAsking(false)} />}
    </Card>
  );
}

function State({ newest }: { newest: DataExportResponse }) {
  const words = useWords().settings.export;
  const format = useFormat();
  const { state, reason, url, size_bytes, created_at, expires_at } = newest;
  return (
    <>
      <p role="status">{words.states[reason ?? state]}</p>
      <DescriptionList
        items={[
          { label: words.requested, value: <Time value={created_at} /> },
          { label: words.size, value: size_bytes === null ? null : format.bytes(size_bytes) },
          { label: words.expires, value: expires_at === null ? null : <Time value={expires_at} /> },
        ]}
      />
      {url !== null && (
        <div>
          <a href={url} className={buttonClass('primary')} download>
            {words.download}
          </a>
        </div>
      )}
    </>
  );
}

function AskPassword({ organizationId, onClose }: { organizationId: string; onClose: () => void }) {
  const words = useWords();
  const texts = words.settings.export;
  const queryClient = useQueryClient();
  const request = useMutation({
    mutationFn: (password: string) =>
      api.request('POST /organizations/{organization_id}/export', {
        path: { organization_id: organizationId },
        body: { password },
      }),
    onSuccess: async (made) => {
      queryClient.setQueryData(organizationExportQuery(organizationId).queryKey, made);
      onClose();
      await queryClient.invalidateQueries(organizationExportQuery(organizationId));
    },
  });
  return (
    <FormDialog
      title={texts.title}
      size="small"
      onClose={onClose}
      submitLabel={texts.start}
      busy={request.isPending}
      errors={request.error}
      onSubmit={(values) => request.mutate(values.get('password') as string)}
    >
      <PasswordField label={texts.password} name="password" autoComplete="current-password" required data-autofocus />
    </FormDialog>
  );
}
