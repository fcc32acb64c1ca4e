import { type ImportedTestersResponse } from '@agate/client';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useChanged } from '../../../queries/changes';
import { api } from '../../../session/api';
import { useProjectPlace } from '../../../session/use-project-place';
import { focusHeading } from '../../../ui';
import { type AddingProgress, type AfterAdding, useAfterAdding } from './invite-now';
import { type Outcome } from './outcome';
import { type CsvTester, toCsv } from './testers-csv';

interface Import extends AfterAdding {
  readonly testers: readonly CsvTester[];
}

/** Imports testers, all or none, and then subscribes and invites them. A retry does not repeat the steps that succeeded. */
export function useImport() {
  const { scope } = useProjectPlace();
  const changed = useChanged();
  const [progress, setProgress] = useState<AddingProgress>();
  const afterAdding = useAfterAdding(setProgress);
  const imported = useRef<{ readonly testers: readonly CsvTester[]; readonly response: ImportedTestersResponse }>(null);
  const mutation = useMutation<Outcome, Error, Import>({
    mutationFn: async ({ testers, ...then }) => {
      if (imported.current?.testers !== testers) {
        const response = await api.request('POST /testers/import', {
          query: scope,
          body: toCsv(testers),
          headers: { 'Content-Type': 'text/csv' },
        });
        imported.current = { testers, response };
      }
      return afterAdding(imported.current.response, then);
    },
    // The pressed button no longer exists then.
    onSuccess: () => focusHeading(),
    onSettled: () => {
      setProgress(undefined);
      return changed({ type: 'testers.imported' });
    },
  });
  return { ...mutation, progress };
}
