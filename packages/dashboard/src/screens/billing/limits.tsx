import { ApiError } from '@agate/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type BillingAccount, billingAccountQuery, changeLimits } from '../../queries/organization/billing';
import { Button, CheckboxGroup, Form, type FormErrors, Inline, Slider, Stack, TextField, useToast } from '../../ui';
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

function useChange(done: string, onDone: () => void) {
  const { organizationId } = useBillingPlace();
  const queryClient = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (limits: Parameters<typeof changeLimits>[1]) => changeLimits(organizationId, limits),
    onSuccess: (account) => {
      queryClient.setQueryData(billingAccountQuery(organizationId).queryKey, account);
      toast(done, { tone: 'success' });
      onDone();
    },
  });
}

/** The spending cap of a month. Only a postpaid plan has one. */
export function SpendingCap({ account }: { readonly account: BillingAccount }) {
  const words = useWords().billing;
  const format = useFormat();
  const { spend_cap_micro_usd: cap } = account;
  return (
    <Section title={words.cap}>
      {account.mode === 'prepaid' ? (
        <Stack gap={8}>
          <p>{words.capPrepaid}</p>
          <p className={styles.note}>{words.capNeedsPlan}</p>
        </Stack>
      ) : (
        <Changeable
          shown={
            <>
              <p className={styles.limit}>{cap === null ? words.noCap : format.money(cap)}</p>
              <p className={styles.note}>{words.capText}</p>
            </>
          }
          change={words.changeCap}
        >
          {(close) => <CapForm account={account} onClose={close} />}
        </Changeable>
      )}
    </Section>
  );
}

interface ChangeableProps {
  /** The present value. */
  readonly shown: ReactNode;
  /** The label of the button that opens the form. */
  readonly change: string;
  readonly children: (close: () => void) => ReactNode;
}

/** A value with the form that changes it, which stands there only when the reader wants to. */
function Changeable({ shown, change, children }: ChangeableProps) {
  const { may } = useBillingPlace();
  const [isOpen, setIsOpen] = useState(false);
  if (isOpen) return children(() => setIsOpen(false));
  return (
    <Stack gap={8}>
      {shown}
      <div>
        <Button disabledReason={may('PATCH /organizations/{organization_id}/billing')} onClick={() => setIsOpen(true)}>
          {change}
        </Button>
      </div>
    </Stack>
  );
}

function SaveRow({ busy, label, onClose }: { busy: boolean; label: string; onClose: () => void }) {
  const { cancel } = useWords().ui;
  return (
    <Inline>
      <Button type="submit" variant="primary" busy={busy}>
        {label}
      </Button>
      <Button onClick={onClose}>{cancel}</Button>
    </Inline>
  );
}

interface LimitFormProps {
  readonly account: BillingAccount;
  readonly onClose: () => void;
}

const typedSum = (microDollars: number | null): string => (microDollars === null ? '' : typedMoney(microDollars));

function CapForm({ account, onClose }: LimitFormProps) {
  const words = useWords().billing;
  const format = useFormat();
  const { spend_cap_micro_usd: cap, spent_micro_usd: spent } = account;
  const [typed, setTyped] = useState(typedSum(cap));
  const [mistake, setMistake] = useState<FormErrors | null>(null);
  const saving = useChange(words.capSaved, onClose);
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
        autoFocus
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
      <SaveRow busy={saving.isPending} label={words.saveCap} onClose={onClose} />
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
  const chosen = account.budget_alert_percents.toSorted((one, other) => one - other);
  const shown = format.list(chosen.map((percent) => format.percent(percent / 100)));
  return (
    <Section title={words.alerts}>
      <Changeable
        shown={
          <>
            <p className={styles.limit}>{chosen.length === 0 ? words.noAlerts : shown}</p>
            <p className={styles.note}>{words.alertsHint}</p>
          </>
        }
        change={words.changeAlerts}
      >
        {(close) => <AlertsForm account={account} onClose={close} />}
      </Changeable>
    </Section>
  );
}

function AlertsForm({ account, onClose }: LimitFormProps) {
  const words = useWords().billing;
  const format = useFormat();
  const saving = useChange(words.alertsSaved, onClose);
  const chosen = account.budget_alert_percents;
  const percents = [...new Set([...USUAL_PERCENTS, ...chosen])].toSorted((one, other) => one - other);
  return (
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
      <SaveRow busy={saving.isPending} label={words.saveAlerts} onClose={onClose} />
    </Form>
  );
}
