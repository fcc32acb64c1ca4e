import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { saveFile } from '../../parts/files/save-file';
import { exportDay, readDay } from '../../queries/organization/audit';
import { Button, useToast } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { useAuditPlace } from './use-audit-place';

/** Saves the events of the day with the chosen filters: as CSV, or as JSON with all fields. */
export function ExportDay({ isEmpty }: { isEmpty: boolean }) {
  const words = useWords().audit;
  const format = useFormat();
  const { organizationId, filter } = useAuditPlace();
  const toast = useToast();
  const [count, setCount] = useState(0);
  const onError = ({ message }: Error): void => toast(message, { tone: 'problem' });
  const csv = useMutation({
    mutationFn: () => exportDay(organizationId, filter),
    onSuccess: (text) => saveFile(`audit-${filter.day}.csv`, text, 'text/csv'),
    onError,
  });
  const json = useMutation({
    onMutate: () => setCount(0),
    mutationFn: () => readDay(organizationId, filter, setCount),
    onSuccess: (events) =>
      saveFile(`audit-${filter.day}.json`, JSON.stringify({ events }, null, 2), 'application/json'),
    onError,
  });
  const disabledReason = isEmpty ? words.nothing.heading : undefined;
  return (
    <>
      <span role="status" className="soft">
        {json.isPending && format.plural(count, words.read)}
      </span>
      <Button icon="download" busy={json.isPending} disabledReason={disabledReason} onClick={() => json.mutate()}>
        {words.exportJson}
      </Button>
      <Button icon="download" busy={csv.isPending} disabledReason={disabledReason} onClick={() => csv.mutate()}>
        {words.exportDay}
      </Button>
    </>
  );
}
