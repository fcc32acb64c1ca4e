import { type CsvValue, toCsv } from '@agate/client';
import { useMutation } from '@tanstack/react-query';
import { saveFile } from '../../../parts/files/save-file';
import { Button, useToast } from '../../../ui';
import { useWords } from '../../../words/words-provider';

interface ExportButtonProps {
  readonly label: string;
  readonly fileName: string;
  /** Reads the whole list, and returns it as rows below a header row. */
  readonly read: () => Promise<readonly (readonly CsvValue[])[]>;
}

/** Saves a list as a CSV file that is made in the browser. */
export function ExportButton({ label, fileName, read }: ExportButtonProps) {
  const words = useWords().billing;
  const toast = useToast();
  const saving = useMutation({
    mutationFn: read,
    onSuccess: (rows) => saveFile(fileName, toCsv(rows), 'text/csv'),
    onError: () => toast(words.exportFailed, { tone: 'problem' }),
  });
  return (
    <Button variant="quiet" icon="download" busy={saving.isPending} onClick={() => saving.mutate()}>
      {label}
    </Button>
  );
}

/** A sum in dollars with all six decimals, so that columns add up. */
export const dollars = (microDollars: number): number => microDollars / 1_000_000;
