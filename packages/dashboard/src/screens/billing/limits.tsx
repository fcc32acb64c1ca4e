import { ApiError } from '@agate/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type BillingAccount, billingAccountQuery, changeLimits } from '../../queries/organization/billing';
import { CheckboxGroup, Form, type FormErrors, Slider, Stack, SubmitRow, TextField, useToast } from '../../ui';
import { parseMoney, typedMoney } from '../../words/format';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import styles from './billing.module.css';
import { Section } from './section';
import { useBillingPlace } from './use-billing-place';

const CAP = 'spend_cap_micro_usd';
const PERCENTS = 'budget_alert_percents';
/** The slider chooses whole dollars, at least up to this cap. The field accepts any amount. */
const STEP = 1_000_000;
const USUAL_CAP = 100 * STEP;
const USUAL_PERCENTS = [25, 50, 75, 80, 90, 100];

function useChange(done: string) {
  const { organizationId } = useBillingPlace();
  const queryClient = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (limits: Parameters<typeof changeLimits>[1]) => changeLimits(organizationId, limits),
    onSuccess: (account) => {
      queryClient.setQueryData(billingAccountQuery(organizationId).queryKey, account);
      toast(done, { tone: 'success' });
    },
  });
}

/** The spending cap of a month. Only a postpaid plan has one. */
export function SpendingCap({ account }: { readonly account: BillingAccount }) {
  const words = useWords().billing;
  return (
    <Section title={words.cap}>
      {account.mode === 'prepaid' ? (
        <Stack gap={8}>
          <p>{words.capPrepaid}</p>
          <p className={styles.note}>{words.capNeedsPlan}</p>
        </Stack>
      ) : (
        <CapForm account={account} />
      )}
    </Section>
  );
}

const typedSum = (microDollars: number | null): string => (microDollars === null ? '' : typedMoney(microDollars));

function CapForm({ account }: { readonly account: BillingAccount }) {
  const words = useWords().billing;
  const format = useFormat();
  const { may } = useBillingPlace();
  const { spend_cap_micro_usd: cap, spent_micro_usd: spent } = account;
  const [typed, setTyped] = useState(typedSum(cap));
  const [mistake, setMistake] = useState<FormErrors | null>(null);
  const saving = useChange(words.capSaved);
  const sum = parseMoney(typed);
  const most = Math.max(USUAL_CAP, 2 * Math.ceil(Math.max(cap ?? 0, spent) / STEP) * STEP);
  const submit = (): void => {
    const isGood = sum !== null || typed.trim() === '';
    setMistake(isGood ? null : { message: words.badAmount, fields: new Map([[CAP, words.badAmount]]) });
    if (isGood) saving.mutate({ [CAP]: sum });
  };
  const errors = useCapErrors(saving.error);
  return (
    <Form aria-label={words.cap} errors={mistake ?? errors} onSubmit={submit}>
      <TextField
        label={words.cap}
        hideLabel
        hint={words.capHint}
        name={CAP}
        before="$"
        inputMode="decimal"
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Slider
        label={words.cap}
        value={Math.min(sum ?? most, most)}
        max={most}
        step={STEP}
        valueText={sum === null ? words.noCap : format.money(sum)}
        onValue={(value) => setTyped(typedSum(value))}
      />
      {sum !== null && sum < spent && <p className={styles.exhausted}>{words.capBelow}</p>}
      <SubmitRow busy={saving.isPending} disabledReason={may('PATCH /organizations/{organization_id}/billing')}>
        {words.saveCap}
      </SubmitRow>
    </Form>
  );
}

/** The rejection of a cap that only an operator can grant, with its limit. */
function useCapErrors(error: Error | null): FormErrors | null {
  const words = useWords().billing;
  const format = useFormat();
  if (!(error instanceof ApiError)) return error;
  const limit = error.details['limit_micro_usd'];
  if (error.reason !== 'spend_cap_above_limit' || typeof limit !== 'number') return error;
  const message = words.capAboveLimit(format.money(limit));
  return { message, fields: new Map([[CAP, message]]), requestId: error.requestId };
}

/** The parts of the budget at which members are mailed. */
export function BudgetAlerts({ account }: { readonly account: BillingAccount }) {
  const words = useWords().billing;
  const format = useFormat();
  const { may } = useBillingPlace();
  const saving = useChange(words.alertsSaved);
  const chosen = account.budget_alert_percents;
  const percents = [...new Set([...USUAL_PERCENTS, ...chosen])].toSorted((one, other) => one - other);
  return (
    <Section title={words.alerts}>
      <Form
        aria-label={words.alerts}
        errors={saving.error}
        onSubmit={(values) => saving.mutate({ [PERCENTS]: values.getAll(PERCENTS).map(Number) })}
      >
        <CheckboxGroup
          inline
          hideLabel
          label={words.alerts}
          hint={words.alertsHint}
          name={PERCENTS}
          defaultValue={chosen.map(String)}
          options={percents.map((percent) => ({ value: String(percent), label: format.percent(percent / 100) }))}
        />
        <SubmitRow busy={saving.isPending} disabledReason={may('PATCH /organizations/{organization_id}/billing')}>
          {words.saveAlerts}
        </SubmitRow>
      </Form>
    </Section>
  );
}
