import { type ImportedTestersResponse } from '@agate/client';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { useChanged } from '../../../queries/changes';
import { subscribeToChannels } from '../../../queries/project/testers';
import { api } from '../../../session/api';
import { useProjectPlace } from '../../../session/use-project-place';
import { focusHeading } from '../../../ui';
import { idsOf, type Outcome, outcomeOf } from './outcome';
import { type CsvTester, toCsv } from './testers-csv';

interface Import {
  readonly testers: readonly CsvTester[];
  readonly channelIds: readonly string[];
}

/** Imports testers, all or none, and then subscribes them. A retry does not repeat the steps that succeeded. */
export function useImport() {
  const { scope } = useProjectPlace();
  const changed = useChanged();
  const imported = useRef<{ readonly testers: readonly CsvTester[]; readonly response: ImportedTestersResponse }>(null);
  return useMutation<Outcome, Error, Import>({
    mutationFn: async ({ testers, channelIds }) => {
      if (imported.current?.testers !== testers) {
        const response = await api.request('POST /testers/import', {
          query: scope,
          body: toCsv(testers),
          headers: { 'Content-Type': 'text/csv' },
        });
        imported.current = { testers, response };
      }
      const { response } = imported.current;
      const { left } = await subscribeToChannels(scope, channelIds, idsOf(response));
      return outcomeOf(response, left);
    },
    // The pressed button no longer exists then.
    onSuccess: () => focusHeading(),
    onSettled: () => changed({ type: 'testers.imported' }),
  });
}
