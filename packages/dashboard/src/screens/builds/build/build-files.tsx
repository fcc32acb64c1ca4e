import { attachmentKindOf } from '@agate/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { LoadError } from '../../../parts/lists/load-error';
import {
  type Attachment,
  attachmentAddress,
  attachmentsQuery,
  deleteAttachment,
} from '../../../queries/project/attachments';
import { type Build } from '../../../queries/project/builds';
import { useMay } from '../../../session/use-may';
import { useProjectPlace } from '../../../session/use-project-place';
import { AlertDialog, Badge, Button, Card, DropZone, IconButton, Inline, Skeleton, Stack, useToast } from '../../../ui';
import { attachFile } from '../../../uploads';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from './build.module.css';

/**
 * The files that belong to the build beside its artifact: for updaters, symbols and others. Few builds for phones have any, so their files are
 * requested when the reader asks for them.
 */
export function BuildFiles({ build }: { build: Build }) {
  const words = useWords().build.files;
  const { scope } = useProjectPlace();
  const [isShown, setIsShown] = useState(build.platform !== 'ios' && build.platform !== 'android');
  const { data: attachments, error, refetch } = useQuery({ ...attachmentsQuery(scope, build.id), enabled: isShown });
  if (!isShown)
    return (
      <Card
        title={words.heading}
        actions={
          <Button variant="quiet" onClick={() => setIsShown(true)}>
            {words.show}
          </Button>
        }
      />
    );
  return (
    <Card title={words.heading}>
      <Stack gap={12}>
        {attachments === undefined && !error && <Skeleton count={2} />}
        {error && <LoadError error={error} onRetry={() => void refetch()} />}
        {attachments?.length === 0 && <p className={styles.soft}>{words.none}</p>}
        {attachments && attachments.length > 0 && (
          <ul className={styles.changes}>
            {attachments.map((attachment) => (
              <li key={attachment.id}>
                <File attachment={attachment} />
              </li>
            ))}
          </ul>
        )}
        <AddFile build={build} />
      </Stack>
    </Card>
  );
}

function File({ attachment }: { attachment: Attachment }) {
  const words = useWords().build.files;
  const format = useFormat();
  const { scope, organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const queryClient = useQueryClient();
  const [isDeleting, setIsDeleting] = useState(false);
  const { file_name: name, kind, arch, size_bytes: size, build_id: buildId } = attachment;
  const refresh = (): Promise<void> => queryClient.invalidateQueries(attachmentsQuery(scope, buildId));
  // The list renews the session first, which the browser cannot do when it opens an address.
  const download = async (): Promise<void> => {
    await refresh();
    location.assign(attachmentAddress(scope, attachment));
  };
  const deletion = useMutation({
    mutationFn: () => deleteAttachment(scope, attachment),
    onSuccess: () => setIsDeleting(false),
    onSettled: refresh,
  });
  return (
    <Inline>
      <span className={styles.mono}>{name}</span>
      <Badge>{words.kinds[kind] ?? kind}</Badge>
      {arch !== null && <Badge>{arch}</Badge>}
      <span className={styles.soft}>{format.bytes(size)}</span>
      <IconButton
        label={words.download(name)}
        icon="download"
        disabledReason={may('GET /builds/{build_id}/attachments/{attachment_id}/download')}
        onClick={() => void download()}
      />
      <IconButton
        label={words.delete(name)}
        icon="trash"
        disabledReason={may('DELETE /builds/{build_id}/attachments/{attachment_id}')}
        onClick={() => setIsDeleting(true)}
      />
      {isDeleting && (
        <AlertDialog
          title={words.deleteTitle(name)}
          confirmLabel={words.deleteLabel}
          busy={deletion.isPending}
          error={deletion.error}
          onConfirm={() => deletion.mutate()}
          onCancel={() => setIsDeleting(false)}
        >
          <p>{words.deleteText}</p>
        </AlertDialog>
      )}
    </Inline>
  );
}

function AddFile({ build }: { build: Build }) {
  const words = useWords().build.files;
  const { scope, organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const queryClient = useQueryClient();
  const toast = useToast();
  const adding = useMutation({
    mutationFn: async (files: readonly globalThis.File[]) => {
      for (const file of files)
        await attachFile(scope, file, { build_id: build.id, kind: attachmentKindOf(file.name) });
    },
    onSuccess: () => toast(words.added, { tone: 'success' }),
    onError: (error) => toast(error.message, { tone: 'problem' }),
    onSettled: () => queryClient.invalidateQueries(attachmentsQuery(scope, build.id)),
  });
  const reason = adding.isPending ? words.adding : may('POST /builds/{build_id}/attachments');
  return (
    <DropZone
      multiple
      label={adding.isPending ? words.adding : words.drop}
      buttonLabel={words.add}
      disabledReason={reason}
      onFiles={(files) => adding.mutate(files)}
    />
  );
}
