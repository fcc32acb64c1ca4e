import { ApiError, type DeletionPreviewResponse, type RetentionRuleRequest } from '@agate/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSettled } from '../../parts/deletion/use-settled';
import { type Retention, retentionPreviewQuery, retentionQuery, setRetention } from '../../queries/project/retention';
import { useProjectPlace } from '../../session/use-project-place';
import {
  AlertDialog,
  Button,
  Card,
  Columns,
  Form,
  type FormErrors,
  Inline,
  RadioCards,
  Stack,
  useToast,
} from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import { type Draft, firstRule, MAX_RULES, rulesOf } from './draft';
import { PreviewCard } from './preview-card';
import { ProtectedCard } from './protected-card';
import styles from './retention.module.css';
import { RuleFields } from './rule-fields';
import { type UseDraft, useDraft } from './use-draft';

/** The rules as a form, beside what they would delete. */
export function RetentionForm({ retention }: { readonly retention: Retention }) {
  const { projectId } = useProjectPlace();
  const typed = useDraft(projectId, retention);
  const { draft } = typed;
  const preview = usePreview(draft);
  const save = useSave(draft, preview, typed.reset);
  return (
    <Columns shape="aside">
      <RulesCard typed={typed} save={save} isReady={!draft.enabled || preview.current !== undefined} />
      <Stack className={styles.aside}>
        <PreviewCard
          isOn={draft.enabled}
          isComplete={preview.rules !== null}
          query={preview.query}
          isStale={preview.current === undefined}
        />
        {draft.enabled && <ProtectedCard />}
      </Stack>
      {save.asks && (
        <Question preview={save.asks} replaced={retention.enabled ? retention.rules.length : 0} save={save} />
      )}
    </Columns>
  );
}

interface Preview {
  /** Null while the rules are incomplete. */
  readonly rules: readonly RetentionRuleRequest[] | null;
  readonly query: ReturnType<typeof usePreviewQuery>;
  /** The preview of exactly these rules; undefined while they are counted. */
  readonly current: DeletionPreviewResponse | undefined;
}

function usePreviewQuery(rules: readonly RetentionRuleRequest[] | null) {
  const { scope } = useProjectPlace();
  return useQuery({ ...retentionPreviewQuery(scope, rules ?? []), enabled: rules !== null });
}

function usePreview(draft: Draft): Preview {
  const rules = draft.enabled ? rulesOf(draft) : null;
  const settled = useSettled(rules);
  const query = usePreviewQuery(settled);
  const isOfRules = rules !== null && JSON.stringify(rules) === JSON.stringify(settled);
  return { rules, query, current: isOfRules && !query.isPlaceholderData ? query.data : undefined };
}

type Save = ReturnType<typeof useSave>;

/** Saves the rules after a question with the figures of their preview. To keep all builds needs no question. */
function useSave(draft: Draft, { rules, query, current }: Preview, onSaved: () => void) {
  const words = useWords().retention;
  const { scope } = useProjectPlace();
  const queryClient = useQueryClient();
  const toast = useToast();
  /** The preview in the question, which is the one that is confirmed: builds may be uploaded meanwhile. */
  const [asks, setAsks] = useState<DeletionPreviewResponse>();
  const [incomplete, setIncomplete] = useState<FormErrors | null>(null);
  const change = useMutation({
    mutationFn: () =>
      draft.enabled
        ? setRetention(scope, { enabled: true, rules: rules ?? [], fingerprint: asks?.fingerprint ?? '' })
        : setRetention(scope, { enabled: false }),
    onSuccess: (saved) => {
      queryClient.setQueryData(retentionQuery(scope).queryKey, saved);
      onSaved();
      setAsks(undefined);
      toast(saved.enabled ? words.saved : words.savedOff, { tone: 'success' });
    },
    onError: (error) => {
      setAsks(undefined);
      if (error instanceof ApiError && error.reason?.startsWith('preview_')) void query.refetch();
    },
  });
  const submit = (): void => {
    change.reset();
    const missing =
      draft.enabled && rules === null ? draft.rules.find((rule) => rule.keepLast + rule.keepDays === '') : undefined;
    setIncomplete(
      missing
        ? {
            message: '',
            fields: new Map([[`rules.${missing.id}.keep_last`, words.reasons['rule_without_condition'] ?? '']]),
          }
        : null,
    );
    if (!draft.enabled) change.mutate();
    else setAsks(current);
  };
  return {
    submit,
    asks,
    cancel: () => setAsks(undefined),
    change,
    errors: incomplete ?? sentenceOf(change.error, words.reasons),
  };
}

/** An error with a sentence of this screen in place of the message of the service, where there is one. */
function sentenceOf(error: Error | null, reasons: Readonly<Record<string, string>>): FormErrors | null {
  if (error === null || !(error instanceof ApiError)) return error;
  const sentence = reasons[error.reason ?? ''];
  return sentence === undefined ? error : { message: sentence };
}

interface RulesCardProps {
  readonly typed: UseDraft;
  readonly save: Save;
  readonly isReady: boolean;
}

function RulesCard({ typed: { draft, isEdited, change, reset }, save, isReady }: RulesCardProps) {
  const words = useWords().retention;
  const setMode = (mode: string): void => {
    const rules = draft.rules.length === 0 ? [firstRule([])] : draft.rules;
    change({ enabled: mode === 'on', rules: mode === 'on' ? rules : draft.rules });
  };
  const isComplete = !draft.enabled || rulesOf(draft) !== null;
  return (
    <Card title={words.rules}>
      <Form errors={save.errors} onSubmit={save.submit}>
        <RadioCards
          hideLabel
          label={words.mode}
          name="mode"
          value={draft.enabled ? 'on' : 'off'}
          onValue={setMode}
          options={[
            { value: 'off', label: words.off, hint: words.offHint },
            { value: 'on', label: words.on, hint: words.onHint },
          ]}
        />
        {draft.enabled && <Rules draft={draft} onChange={change} />}
        {isEdited && (
          <Stack gap={8}>
            <Inline>
              <Button
                type="submit"
                variant="primary"
                busy={save.change.isPending}
                disabledReason={isComplete && !isReady ? words.waiting : undefined}
              >
                {draft.enabled ? words.save : words.saveOff}
              </Button>
              <Button onClick={reset}>{words.discard}</Button>
            </Inline>
            <p className="soft">{words.unsaved}</p>
          </Stack>
        )}
      </Form>
    </Card>
  );
}

function Rules({ draft, onChange }: { readonly draft: Draft; readonly onChange: (draft: Draft) => void }) {
  const words = useWords().retention;
  const { rules } = draft;
  return (
    <Stack gap={12}>
      <p className="soft">{words.empty}</p>
      <ol className={styles.rules}>
        {rules.map((rule, index) => (
          <RuleFields
            key={rule.id}
            rule={rule}
            number={index + 1}
            onChange={(changed) =>
              onChange({ ...draft, rules: rules.map((one) => (one.id === changed.id ? changed : one)) })
            }
            onRemove={
              rules.length === 1
                ? undefined
                : () => onChange({ ...draft, rules: rules.filter(({ id }) => id !== rule.id) })
            }
          />
        ))}
      </ol>
      {rules.length > 1 && <p>{words.several}</p>}
      <div>
        <Button
          icon="plus"
          disabledReason={rules.length >= MAX_RULES ? words.tooMany : undefined}
          onClick={() => onChange({ ...draft, rules: [...rules, firstRule(rules)] })}
        >
          {words.addRule}
        </Button>
      </div>
    </Stack>
  );
}

interface QuestionProps {
  readonly preview: DeletionPreviewResponse;
  /** The number of rules that are replaced. */
  readonly replaced: number;
  readonly save: Save;
}

function Question({ preview, replaced, save }: QuestionProps) {
  const { ask, save: label } = useWords().retention;
  const format = useFormat();
  const { builds, bytes, saves_micro_usd_per_month: saved } = preview;
  return (
    <AlertDialog
      title={builds === 0 ? ask.titleNone : format.plural(builds, ask.title)}
      variant={builds === 0 ? 'primary' : 'danger'}
      confirmLabel={label}
      busy={save.change.isPending}
      onConfirm={() => save.change.mutate()}
      onCancel={save.cancel}
    >
      <p>{builds === 0 ? ask.textNone : ask.text}</p>
      {builds > 0 && <p>{ask.figures(format.bytes(bytes), saved > 0 ? format.money(saved) : null)}</p>}
      {replaced > 0 && <p>{format.plural(replaced, ask.replaced)}</p>}
    </AlertDialog>
  );
}
