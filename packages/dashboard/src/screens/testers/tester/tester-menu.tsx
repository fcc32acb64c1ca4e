import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { LEAVING, useChanged } from '../../../queries/changes';
import { keyOf } from '../../../queries/keys';
import { type Tester } from '../../../queries/project/testers';
import { api } from '../../../session/api';
import { useMay } from '../../../session/use-may';
import { useProjectPlace } from '../../../session/use-project-place';
import { FormDialog, Menu, TextField, textOf, TypedConfirm, useToast } from '../../../ui';
import { useWords } from '../../../words/words-provider';
import { InviteDialog, useInvitation } from './invite-tester';

interface TesterProps {
  readonly tester: Tester;
}
interface DialogProps extends TesterProps {
  readonly onClose: () => void;
}
interface EraseProps {
  /** Called when the tester was erased. */
  readonly onErased?: () => Promise<void>;
}

/** The actions on a tester: send an invitation, rename, erase. */
export function TesterMenu({ tester, onErased }: TesterProps & EraseProps) {
  const words = useWords().testers;
  const { organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const [open, setOpen] = useState<'invite' | 'rename' | 'erase' | null>(null);
  const invitation = useInvitation(tester);
  const toast = useToast();
  const invite = (): void => invitation.mutate({}, { onError: (error) => toast(error.message, { tone: 'problem' }) });
  const close = (): void => setOpen(null);
  const isSubscribed = tester.subscriptions.some(({ state }) => state === 'subscribed');
  const hasLeft = tester.declined ? words.leftReason : undefined;
  return (
    <>
      <Menu
        label={words.actions(tester.email)}
        items={[
          {
            label: words.invite,
            icon: 'mail',
            disabledReason: may('POST /testers/{tester_id}/invite') ?? hasLeft,
            // The link of a tester without channels needs an object that it opens.
            onSelect: () => (isSubscribed ? invite() : setOpen('invite')),
          },
          {
            label: words.rename,
            icon: 'edit',
            disabledReason: may('PATCH /testers/{tester_id}'),
            onSelect: () => setOpen('rename'),
          },
          {
            label: words.erase,
            icon: 'trash',
            danger: true,
            disabledReason: may('DELETE /testers/{tester_id}'),
            onSelect: () => setOpen('erase'),
          },
        ]}
      />
      {open === 'invite' && <InviteDialog tester={tester} onClose={close} />}
      {open === 'rename' && <RenameTester tester={tester} onClose={close} />}
      {open === 'erase' && <EraseTester tester={tester} onClose={close} onErased={onErased} />}
    </>
  );
}

function RenameTester({ tester, onClose }: DialogProps) {
  const words = useWords().testers.renameDialog;
  const { scope } = useProjectPlace();
  const changed = useChanged();
  const toast = useToast();
  const renaming = useMutation({
    mutationFn: (name: string) =>
      api.request('PATCH /testers/{tester_id}', {
        path: { tester_id: tester.id },
        query: scope,
        body: { name: name || null },
      }),
    onSuccess: async () => {
      await changed({ type: 'tester.updated', tester_id: tester.id });
      toast(words.done(tester.email), { tone: 'success' });
      onClose();
    },
  });
  return (
    <FormDialog
      title={words.title(tester.email)}
      size="small"
      onClose={onClose}
      submitLabel={words.save}
      busy={renaming.isPending}
      errors={renaming.error}
      onSubmit={(values) => renaming.mutate(textOf(values, 'name').trim())}
    >
      <TextField
        label={words.name}
        name="name"
        hint={words.hint}
        defaultValue={tester.name ?? ''}
        maxLength={100}
        autoComplete="off"
      />
    </FormDialog>
  );
}

function EraseTester({ tester, onClose, onErased }: DialogProps & EraseProps) {
  const { erase, eraseDialog: words } = useWords().testers;
  const { scope } = useProjectPlace();
  const queryClient = useQueryClient();
  const changed = useChanged();
  const toast = useToast();
  const erasure = useMutation({
    mutationKey: LEAVING,
    mutationFn: () => api.request('DELETE /testers/{tester_id}', { path: { tester_id: tester.id }, query: scope }),
    onSuccess: async () => {
      toast(words.done(tester.email), { tone: 'success' });
      onClose();
      await onErased?.();
      queryClient.removeQueries({ queryKey: keyOf('tester', tester.id) });
      await changed({ type: 'tester.erased', tester_id: tester.id });
    },
  });
  return (
    <TypedConfirm
      title={words.title(tester.email)}
      confirmLabel={erase}
      expected={tester.email}
      fieldLabel={words.field(tester.email)}
      mismatchReason={words.mismatch}
      busy={erasure.isPending}
      error={erasure.error}
      onConfirm={() => erasure.mutate()}
      onCancel={onClose}
    >
      <p>{words.text}</p>
    </TypedConfirm>
  );
}
