import { type DeletionPreviewResponse } from '@agate/client';
import { type UseQueryResult } from '@tanstack/react-query';
import { DeletionFigures } from '../../parts/deletion/deletion-figures';
import { LoadError } from '../../parts/lists/load-error';
import { Card, Skeleton, Stack } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';

interface PreviewCardProps {
  readonly isOn: boolean;
  /** Whether the rules can be counted. */
  readonly isComplete: boolean;
  readonly query: UseQueryResult<DeletionPreviewResponse>;
  /** Whether the figures are those of other rules. */
  readonly isStale: boolean;
}

/** What the typed rules would delete now. */
export function PreviewCard(props: PreviewCardProps) {
  const words = useWords().retention.preview;
  return (
    <Card title={words.heading}>
      <Shown {...props} />
    </Card>
  );
}

function Shown({ isOn, isComplete, query, isStale }: PreviewCardProps) {
  const words = useWords().retention.preview;
  const format = useFormat();
  const { data: preview, error } = query;
  if (!isOn) return <p role="status">{words.off}</p>;
  if (!isComplete) return <p role="status">{words.incomplete}</p>;
  if (error && !query.isFetching) return <LoadError error={error} onRetry={() => void query.refetch()} />;
  if (!preview) return <Skeleton count={3} />;
  return (
    <Stack gap={12}>
      <p role="status">{preview.builds === 0 ? words.nothing : format.plural(preview.builds, words.now)}</p>
      <DeletionFigures preview={preview} stale={isStale} />
    </Stack>
  );
}
