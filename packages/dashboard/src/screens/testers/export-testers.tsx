import { useMutation } from '@tanstack/react-query';
import { api } from '../../session/api';
import { useMay } from '../../session/use-may';
import { useProjectPlace } from '../../session/use-project-place';
import { Button, useToast } from '../../ui';
import { useWords } from '../../words/words-provider';

/** Saves all testers as a CSV file. The page itself sends the request, so that it can renew the session and show an error. */
export function ExportTesters() {
  const words = useWords().testers;
  const { scope, organizationId, projectId } = useProjectPlace();
  const may = useMay({ organizationId, projectId });
  const toast = useToast();
  const exported = useMutation({
    mutationFn: () => api.request('GET /testers/export', { query: scope }),
    onSuccess: (csv) => save(new Blob([csv], { type: 'text/csv;charset=utf-8' }), 'testers.csv'),
    onError: (error) => toast(error.message, { tone: 'problem' }),
  });
  return (
    <Button
      icon="download"
      busy={exported.isPending}
      disabledReason={may('GET /testers/export')}
      onClick={() => exported.mutate()}
    >
      {words.exportCsv}
    </Button>
  );
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser reads the file after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
