import { ApiError, type DeletionFilterRequest, type Platform } from '@agate/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DeletionFigures } from '../../parts/deletion/deletion-figures';
import { useSettled } from '../../parts/deletion/use-settled';
import { useUndoDeletion } from '../../parts/deletion/use-undo-deletion';
import { LoadError } from '../../parts/lists/load-error';
import { useChanged } from '../../queries/changes';
import { buildFacetsQuery, type BuildFilters } from '../../queries/project/builds';
import { deleteMatching, deletionPreviewQuery } from '../../queries/project/trash';
import { useProjectPlace } from '../../session/use-project-place';
import { FormDialog, type FormErrors, Progress, Select, Skeleton, Stack, TextField } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import styles from './builds.module.css';

const DAY_MS = 86_400_000;
const MAX_DAYS = 3_650;

interface DeleteMatchingProps {
  /** Those of the list, with which the dialog begins. */
  readonly filters: BuildFilters;
  readonly onClose: () => void;
}

interface Typed {
  readonly platform: string;
  readonly version: string;
  readonly branch: string;
  readonly days: string;
}

/** Deletes the builds that meet conditions, after a preview of them. */
export function DeleteMatching({ filters, onClose }: DeleteMatchingProps) {
  const words = useWords().deletion.byFilter;
  const format = useFormat();
  const [openedAt] = useState(Date.now);
  const [typed, setTyped] = useState<Typed>({
    platform: filters.platform ?? '',
    version: filters.version ?? '',
    branch: filters.branch ?? '',
    days: '30',
  });
  const preview = usePreview(filterOf(typed, openedAt));
  const count = preview.current?.builds ?? 0;
  const deletion = useDeletion(preview, onClose);
  return (
    <FormDialog
      title={words.heading}
      intro={<p>{words.intro}</p>}
      submitLabel={count > 0 ? format.plural(count, words.submit) : words.submitNone}
      variant="danger"
      icon="trash"
      busy={deletion.isPending}
      disabledReason={useReason(preview)}
      errors={deletion.errors}
      onSubmit={() => deletion.mutate()}
      onClose={onClose}
    >
      <Conditions typed={typed} onChange={setTyped} />
      {deletion.isPending ? (
        <Progress
          label={words.progress}
          value={deletion.deleted}
          max={deletion.deleted + deletion.remaining}
          text={words.of(format.number(deletion.deleted), format.number(deletion.deleted + deletion.remaining))}
        />
      ) : (
        <Shown preview={preview} />
      )}
    </FormDialog>
  );
}

/** The conditions as the API names them; null without any. The time is that of the dialog, because a preview is about exactly one. */
function filterOf({ platform, version, branch, days }: Typed, openedAt: number): DeletionFilterRequest | null {
  const age = Number(days);
  const isAge = Number.isInteger(age) && age >= 1 && age <= MAX_DAYS;
  if (days.trim() !== '' && !isAge) return null;
  const filter = {
    ...(platform && { platform: platform as Platform }),
    ...(version.trim() && { version: version.trim() }),
    ...(branch.trim() && { branch: branch.trim() }),
    ...(isAge && { to: new Date(openedAt - age * DAY_MS).toISOString() }),
  };
  return Object.keys(filter).length === 0 ? null : filter;
}

type Preview = ReturnType<typeof usePreview>;

function usePreview(filter: DeletionFilterRequest | null) {
  const { scope } = useProjectPlace();
  const settled = useSettled(filter);
  const query = useQuery({ ...deletionPreviewQuery(scope, settled ?? {}), enabled: settled !== null });
  const isOfFilter = filter !== null && JSON.stringify(filter) === JSON.stringify(settled);
  return { filter, query, current: isOfFilter && !query.isPlaceholderData ? query.data : undefined };
}

function useReason({ filter, current }: Preview): string | undefined {
  const words = useWords().deletion.byFilter;
  if (filter === null) return words.noCondition;
  if (current === undefined) return words.waiting;
  return current.builds === 0 ? words.nothing : undefined;
}

/** Deletes the builds of the preview, as many requests as it takes. */
function useDeletion({ filter, query, current }: Preview, onDone: () => void) {
  const { deletion, builds } = useWords();
  const words = deletion.byFilter;
  const format = useFormat();
  const { scope } = useProjectPlace();
  const changed = useChanged();
  const offerUndo = useUndoDeletion();
  const [progress, setProgress] = useState({ ids: [] as readonly string[], remaining: 0 });
  const mutation = useMutation({
    mutationFn: async () => {
      if (filter === null || current === undefined) return [];
      let done = { ids: [] as readonly string[], remaining: current.builds };
      setProgress(done);
      do {
        const { builds: deletions, remaining } = await deleteMatching(scope, filter, current.fingerprint);
        const ids = deletions.filter(({ outcome }) => outcome === 'deleted').map(({ id }) => id);
        if (ids.length === 0) break;
        done = { ids: [...done.ids, ...ids], remaining };
        setProgress(done);
      } while (done.remaining > 0);
      return done.ids;
    },
    onSuccess: (ids) => {
      if (ids.length > 0) offerUndo(format.plural(ids.length, builds.deleted), ids);
      onDone();
    },
    onError: () => void query.refetch(),
    onSettled: () => changed({ type: 'build.deleted' }),
  });
  const { error, isPending, mutate } = mutation;
  const deleted = progress.ids.length;
  const left = words.interrupted(format.number(deleted), format.number(progress.remaining));
  const errors = sentenceOf(error, words.reasons, deleted > 0 ? left : '');
  return { isPending, mutate, errors, deleted, remaining: progress.remaining };
}

/** An error with a sentence of this dialog, and what was done before it. */
function sentenceOf(error: Error | null, reasons: Readonly<Record<string, string>>, left: string): FormErrors | null {
  if (error === null) return null;
  const sentence = error instanceof ApiError ? reasons[error.reason ?? ''] : undefined;
  return { message: `${sentence ?? error.message} ${left}`.trim() };
}

interface ConditionsProps {
  readonly typed: Typed;
  readonly onChange: (typed: Typed) => void;
}

function Conditions({ typed, onChange }: ConditionsProps) {
  const {
    deletion: { byFilter: words },
    builds: { platforms },
  } = useWords();
  const { scope } = useProjectPlace();
  const { data: facets } = useQuery(buildFacetsQuery(scope));
  return (
    <div className={styles.conditions}>
      <TextField
        label={words.days}
        type="number"
        inputMode="numeric"
        min={1}
        max={MAX_DAYS}
        placeholder={words.any}
        after={words.daysAfter}
        value={typed.days}
        onChange={(event) => onChange({ ...typed, days: event.target.value })}
      />
      <Select
        label={words.platform}
        value={typed.platform}
        onChange={(event) => onChange({ ...typed, platform: event.target.value })}
        options={[
          { value: '', label: words.anyPlatform },
          ...(facets?.platforms ?? []).map(({ value }) => ({ value, label: platforms[value] ?? value })),
        ]}
      />
      <TextField
        label={words.branch}
        hint={words.branchHint}
        placeholder={words.any}
        mono
        autoComplete="off"
        spellCheck={false}
        maxLength={255}
        value={typed.branch}
        onChange={(event) => onChange({ ...typed, branch: event.target.value })}
      />
      <TextField
        label={words.version}
        hint={words.versionHint}
        placeholder={words.any}
        autoComplete="off"
        maxLength={128}
        value={typed.version}
        onChange={(event) => onChange({ ...typed, version: event.target.value })}
      />
    </div>
  );
}

function Shown({ preview: { filter, query, current } }: { readonly preview: Preview }) {
  const words = useWords().deletion.byFilter;
  const { data, error } = query;
  if (filter === null) return <p role="status">{words.noCondition}</p>;
  if (error && !query.isFetching) return <LoadError error={error} onRetry={() => void query.refetch()} />;
  if (!data) return <Skeleton count={3} />;
  return (
    <Stack gap={12}>
      {data.builds === 0 && <p role="status">{words.nothing}.</p>}
      <DeletionFigures preview={data} stale={current === undefined} />
      <p className="soft">{words.protected}</p>
    </Stack>
  );
}
