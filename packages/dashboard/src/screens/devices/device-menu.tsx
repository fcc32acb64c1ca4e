import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useChanged } from '../../queries/changes';
import { type Device, labelOf } from '../../queries/project/devices';
import { api } from '../../session/api';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import { AlertDialog, FormDialog, RowMenu, TextField, textOf, useToast } from '../../ui';
import { useWords } from '../../words/words-provider';

interface DeviceProps {
  readonly device: Device;
}
interface DialogProps extends DeviceProps {
  readonly onClose: () => void;
}

/** The actions on a device: rename, remove. */
export function DeviceMenu({ device }: DeviceProps) {
  const words = useWords().devices;
  const { organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null);
  const close = (): void => setOpen(null);
  return (
    <>
      <RowMenu
        label={words.actions(labelOf(device) ?? words.unnamed)}
        items={[
          {
            label: words.rename,
            icon: 'edit',
            disabledReason: may('PATCH /devices/{device_id}'),
            onSelect: () => setOpen('rename'),
          },
          {
            label: words.remove,
            icon: 'trash',
            danger: true,
            disabledReason: may('DELETE /devices/{device_id}'),
            onSelect: () => setOpen('remove'),
          },
        ]}
      />
      {open === 'rename' && <RenameDevice device={device} onClose={close} />}
      {open === 'remove' && <RemoveDevice device={device} onClose={close} />}
    </>
  );
}

function RenameDevice({ device, onClose }: DialogProps) {
  const words = useWords().devices.renameDialog;
  const { scope } = useProjectPlace();
  const changed = useChanged();
  const renaming = useMutation({
    mutationFn: (name: string) =>
      api.request('PATCH /devices/{device_id}', {
        path: { device_id: device.id },
        query: scope,
        body: { name: name || null },
      }),
    onSuccess: async () => {
      await changed({ type: 'device.updated' });
      onClose();
    },
  });
  return (
    <FormDialog
      title={words.title}
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
        defaultValue={device.name ?? ''}
        maxLength={50}
        autoComplete="off"
      />
    </FormDialog>
  );
}

function RemoveDevice({ device, onClose }: DialogProps) {
  const { remove, removeDialog: words, unnamed } = useWords().devices;
  const { scope } = useProjectPlace();
  const changed = useChanged();
  const toast = useToast();
  const label = labelOf(device) ?? unnamed;
  const removal = useMutation({
    mutationFn: () => api.request('DELETE /devices/{device_id}', { path: { device_id: device.id }, query: scope }),
    onSuccess: async () => {
      await changed({ type: 'device.removed' });
      toast(words.done(label), { tone: 'success' });
      onClose();
    },
  });
  return (
    <AlertDialog
      open
      title={words.title(label)}
      confirmLabel={remove}
      busy={removal.isPending}
      error={removal.error}
      onConfirm={() => removal.mutate()}
      onCancel={onClose}
    >
      <p>{words.text}</p>
    </AlertDialog>
  );
}
