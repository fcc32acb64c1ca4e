import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useChanged } from '../../queries/changes';
import { api } from '../../session/api';
import { useProjectPlace } from '../../session/use-project-place';
import { Checkbox, FormDialog, TextArea, textOf, useToast } from '../../ui';
import { useWords } from '../../words/words-provider';

/** Adds the devices of a pasted list: of Apple's site, of fastlane, or of a spreadsheet. */
export function ImportDevices({ onClose }: { onClose: () => void }) {
  const words = useWords().devices.importDialog;
  const { scope } = useProjectPlace();
  const changed = useChanged();
  const toast = useToast();
  const [isRegistered, setIsRegistered] = useState(true);
  const importing = useMutation({
    mutationFn: (text: string) =>
      api.request('POST /devices/import', {
        query: { ...scope, registered: isRegistered },
        headers: { 'Content-Type': 'text/csv' },
        body: new Blob([text]),
      }),
    onSuccess: async ({ created, existing }) => {
      await changed({ type: 'devices.imported' });
      toast(words.done(String(created), String(existing)), { tone: 'success' });
      onClose();
    },
  });
  return (
    <FormDialog
      title={words.title}
      onClose={onClose}
      submitLabel={words.submit}
      busy={importing.isPending}
      errors={importing.error}
      onSubmit={(values) => importing.mutate(textOf(values, 'text'))}
    >
      <TextArea label={words.text} name="text" hint={words.hint} rows={8} required />
      <Checkbox
        label={words.registered}
        checked={isRegistered}
        onChange={(event) => setIsRegistered(event.target.checked)}
      />
    </FormDialog>
  );
}
