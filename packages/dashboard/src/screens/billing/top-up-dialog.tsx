import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChanged } from '../../queries/changes';
import { type BillingAccount, createTopUp, type Service } from '../../queries/organization/billing';
import { FormDialog, type FormErrors, Stack, TextField } from '../../ui';
import { randomUuid } from '../../uploads/browser/random-uuid';
import { parseMoney } from '../../words/format';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import styles from './billing.module.css';
import { useBillingPlace } from './use-billing-place';

const FIELD = 'amount_micro_usd';

interface TopUpDialogProps {
  readonly account: BillingAccount;
  readonly provider: Service['payment_provider'];
  readonly onClose: () => void;
}

/** Buys credit. Redirects to the payment page, or shows on this screen that the top-up waits for an operator. */
export function TopUpDialog({ account, provider, onClose }: TopUpDialogProps) {
  const words = useWords();
  const format = useFormat();
  const [typed, setTyped] = useState('');
  const [mistake, setMistake] = useState<FormErrors | null>(null);
  const buying = useBuying();
  const amount = parseMoney(typed);
  const submit = (): void => {
    const isSum = amount !== null && amount > 0;
    const message = words.billing.badAmount;
    setMistake(isSum ? null : { message, fields: new Map([[FIELD, message]]) });
    if (isSum) buying.mutate(amount);
  };
  return (
    <FormDialog
      title={words.billing.addCredit}
      size="small"
      onClose={onClose}
      submitLabel={provider === 'manual' ? words.billing.addCredit : words.billing.continueToPayment}
      busy={buying.isPending || buying.isSuccess}
      errors={mistake ?? buying.error}
      onSubmit={submit}
    >
      <Stack gap={12}>
        <TextField
          label={words.billing.amount}
          hint={words.billing.amountHint}
          name={FIELD}
          before="$"
          inputMode="decimal"
          autoComplete="off"
          required
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <p className={styles.note} role="status">
          {amount !== null && words.billing.balanceAfter(format.money(account.balance_micro_usd + amount))}
        </p>
        <p className={styles.note}>{provider === 'manual' ? words.billing.manualText : words.billing.stripeText}</p>
      </Stack>
    </FormDialog>
  );
}

function useBuying() {
  const { organizationId } = useBillingPlace();
  const changed = useChanged();
  const navigate = useNavigate({ from: '/o/$org/billing' });
  // The key makes a retry after a lost response safe: the credit is bought once.
  const [keys] = useState(() => new Map<number, string>());
  return useMutation({
    mutationFn: (amount: number) => {
      const key = keys.get(amount) ?? randomUuid();
      keys.set(amount, key);
      return createTopUp(organizationId, amount, key);
    },
    onSuccess: async ({ id, checkout_url: page }) => {
      if (page !== null) return window.location.assign(page);
      await changed({ type: 'billing.top_up_requested' });
      await navigate({ search: (before) => ({ ...before, act: undefined, top_up: id }), replace: true });
    },
  });
}
