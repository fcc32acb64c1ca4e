import { useMutation } from '@tanstack/react-query';
import { saveFile } from '../../parts/files/save-file';
import { api } from '../../session/api';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import { Button, useToast } from '../../ui';
import { useWords } from '../../words/words-provider';
import { useFilters } from './filters/use-filters';

/** Saves the testers of the list, with what they did, as a CSV file. The page itself sends the request, so that it can renew the session and show an error. */
export function useExportTesters() {
  const { scope, organizationId, projectId } = useProjectPlace();
  const reason = useMay({ organizationId, projectId })('GET /testers/export');
  const { filters } = useFilters();
  const toast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.request('GET /testers/export', { query: { ...scope, ...filters } }),
    onSuccess: (csv) => saveFile('testers.csv', csv, 'text/csv'),
    onError: (error) => toast(error.message, { tone: 'problem' }),
  });
  return { start: () => mutate(), isPending, reason };
}

export function ExportTesters() {
  const words = useWords().testers;
  const { start, isPending, reason } = useExportTesters();
  return (
    <Button icon="download" busy={isPending} disabledReason={reason} onClick={start}>
      {words.exportCsv}
    </Button>
  );
}
