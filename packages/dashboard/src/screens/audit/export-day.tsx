import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { saveFile } from '../../parts/files/save-file';
import { exportDay, readDay } from '../../queries/organization/audit';
import { Menu, useToast, useUiWords } from '../../ui';
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
  const running = useUiWords().running;
  const isRunning = csv.isPending || json.isPending;
  return (
    <>
      <span role="status" className={json.isPending ? 'soft' : 'visually-hidden'}>
        {json.isPending && format.plural(count, words.read)}
      </span>
      <Menu
        label={words.exportDay}
        trigger
        icon="download"
        variant="secondary"
        disabledReason={isRunning ? running : isEmpty ? words.nothing.heading : undefined}
        items={[
          { label: words.exportCsv, onSelect: () => csv.mutate() },
          { label: words.exportJson, onSelect: () => json.mutate() },
        ]}
      />
    </>
  );
}
