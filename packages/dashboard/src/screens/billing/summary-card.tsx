import { type ReactNode } from 'react';
import { type BillingAccount, type Usage } from '../../queries/organization/billing';
import { Card, Meter, useNow } from '../../ui';
import { useFormat } from '../../words/use-format';
import { useWords } from '../../words/words-provider';
import styles from './billing.module.css';
import { forecast } from './usage/forecast';

interface SummaryProps {
  readonly account: BillingAccount;
  /** The usage of the current month. */
  readonly usage: Usage;
}

/** Three numbers: what was used this month, what limits it, what is due next and when. */
export function SummaryCard({ account, usage }: SummaryProps) {
  const words = useWords().billing;
  return (
    <Card title={words.summary} hideTitle>
      <dl className={styles.numbers}>
        <Used account={account} usage={usage} />
        <Limit account={account} usage={usage} />
        <NextBill account={account} usage={usage} />
      </dl>
      {!account.metered && <p className={styles.note}>{words.unmetered}</p>}
    </Card>
  );
}

function Figure({ label, value, children }: { label: string; value: string; children?: ReactNode }) {
  return (
    <div className={styles.number}>
      <dt>{label}</dt>
      <dd className={styles.sum}>{value}</dd>
      {children && <dd className={styles.note}>{children}</dd>}
    </div>
  );
}

/** The usage includes storage that is not booked yet, as the chart below does. */
const usedIn = ({ account, usage }: SummaryProps): number =>
  Math.max(usage.total_micro_usd, account.spent_micro_usd) + account.reserved_micro_usd;

function Used({ account, usage }: SummaryProps) {
  const words = useWords().billing;
  const format = useFormat();
  const used = usedIn({ account, usage });
  const { reserved_micro_usd: reserved, available_micro_usd: available } = account;
  const limit = account.mode === 'prepaid' ? used + (available ?? 0) : (account.spend_cap_micro_usd ?? 0);
  return (
    <Figure label={words.spent} value={format.money(used)}>
      {limit > 0 && (
        <Meter
          hideLabel
          label={words.used}
          value={Math.min(used, limit)}
          max={limit}
          high={0.9}
          text={words.usedOf(format.money(used), format.money(limit))}
        />
      )}
      {reserved > 0 && words.reserved(format.money(reserved))}
    </Figure>
  );
}

function Limit({ account, usage }: SummaryProps) {
  const words = useWords().billing;
  const format = useFormat();
  const now = useNow();
  const outlook = forecast(account, usage, now);
  const isPrepaid = account.mode === 'prepaid';
  const dayOf = (day: string): string =>
    format.date(day, day.startsWith(String(now.getUTCFullYear())) ? 'day' : 'long');
  if (outlook.kind === 'unlimited') return <Figure label={words.cap} value={words.noCap} />;
  const sum = isPrepaid ? outlook.left : (account.spend_cap_micro_usd ?? 0);
  return (
    <Figure label={isPrepaid ? words.credit : words.cap} value={format.money(sum)}>
      {outlook.kind === 'exhausted' && (
        <span className={styles.exhausted}>{isPrepaid ? words.outlook.exhausted : words.outlook.exhaustedCap}</span>
      )}
      {outlook.kind === 'enough' && (isPrepaid ? words.outlook.enough : words.outlook.enoughCap)}
      {outlook.kind === 'until' && words.outlook.until(dayOf(outlook.day))}
      {outlook.kind === 'until' &&
        outlook.by === 'fee' &&
        ` ${words.byFee(format.money(account.plan_fee_micro_usd), words.plans[account.plan])}`}
    </Figure>
  );
}

function NextBill({ account, usage }: SummaryProps) {
  const words = useWords().billing;
  const format = useFormat();
  const { next_fee_micro_usd: fee, balance_micro_usd: balance } = account;
  const day = format.date(account.next_fee_at.slice(0, 10));
  if (account.mode === 'prepaid') {
    return (
      <Figure label={words.nextFee} value={fee === 0 ? words.nothingDue : format.money(fee)}>
        {fee > 0 && words.feeFromCredit(day)}
      </Figure>
    );
  }
  // What was booked is in the balance already.
  const unbooked = Math.max(usage.total_micro_usd - account.spent_micro_usd, 0);
  const due = Math.max(fee + unbooked - balance, 0);
  const credit = balance + account.spent_micro_usd;
  return (
    <Figure label={words.nextBill} value={format.money(due)}>
      {words.billOn(day, format.money(fee), format.money(account.spent_micro_usd + unbooked))}
      {credit > 0 && ` ${words.billMinus(format.money(credit))}`}
    </Figure>
  );
}
