import { type BillingAccount, type Usage } from '../../queries/organization/billing';
import { Card, DescriptionList, Meter, Stack, useNow } from '../../ui';
import { classNames } from '../../ui/class-names';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import styles from './billing.module.css';
import { type Forecast, forecast } from './usage/forecast';

interface CreditCardProps {
  readonly account: BillingAccount;
  /** The usage of the current month. */
  readonly usage: Usage;
}

/** The remaining credit and how long it lasts. */
export function CreditCard({ account, usage }: CreditCardProps) {
  const words = useWords().billing;
  const format = useFormat();
  const outlook = forecast(account, usage, useNow());
  const isPrepaid = account.mode === 'prepaid';
  const used = account.spent_micro_usd + account.reserved_micro_usd;
  return (
    <Card title={isPrepaid ? words.credit : words.budget} hideTitle>
      <Stack gap={12}>
        <Sentence outlook={outlook} account={account} />
        {outlook.kind !== 'unlimited' && outlook.of > 0 && (
          <Meter
            hideLabel
            label={words.used}
            value={Math.min(used, outlook.of)}
            max={outlook.of}
            high={0.9}
            text={words.usedOf(format.money(used), format.money(outlook.of))}
          />
        )}
        {!account.metered && <p className={styles.note}>{words.unmetered}</p>}
        <DescriptionList
          items={[
            { label: words.balance, value: format.money(account.balance_micro_usd, { exact: true }) },
            { label: words.spent, value: format.money(account.spent_micro_usd, { exact: true }) },
            {
              label: words.reserved,
              value: account.reserved_micro_usd > 0 && format.money(account.reserved_micro_usd, { exact: true }),
            },
          ].map((fact) => ({ ...fact, value: fact.value || null }))}
        />
      </Stack>
    </Card>
  );
}

function Sentence({ outlook, account }: { readonly outlook: Forecast; readonly account: BillingAccount }) {
  const words = useWords().billing;
  const format = useFormat();
  return (
    <div>
      <p className={classNames(styles.sentence, outlook.kind === 'exhausted' && styles.exhausted)}>
        {useSentence(outlook, account.mode)}
      </p>
      {outlook.kind === 'until' && outlook.by === 'fee' && (
        <p className={styles.note}>
          {words.byFee(format.money(account.plan_fee_micro_usd), words.plans[account.plan])}
        </p>
      )}
    </div>
  );
}

function useSentence(outlook: Forecast, mode: BillingAccount['mode']): string {
  const { sentence } = useWords().billing;
  const format = useFormat();
  const thisYear = String(useNow().getUTCFullYear());
  if (outlook.kind === 'unlimited') return sentence.unlimited(format.money(outlook.spent));
  if (outlook.kind === 'exhausted') return mode === 'prepaid' ? sentence.exhausted : sentence.exhaustedCap;
  const sums = [format.money(outlook.left), format.money(outlook.of)] as const;
  if (outlook.kind === 'enough') return mode === 'prepaid' ? sentence.enough(...sums) : sentence.enoughCap(...sums);
  return sentence.until(...sums, format.date(outlook.day, outlook.day.startsWith(thisYear) ? 'day' : 'long'));
}
