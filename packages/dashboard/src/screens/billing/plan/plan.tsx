import { useDialog } from '../../../parts/use-dialog';
import { type BillingAccount, type Service } from '../../../queries/organization/billing';
import { Button, Stack } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from '../billing.module.css';
import { Section } from '../section';
import { useBillingPlace } from '../use-billing-place';
import { featuresOf } from './features-of';
import { PlanDialog } from './plan-dialog';

interface PlanProps {
  readonly account: BillingAccount;
  readonly service: Service;
}

/** The plan of the organization: its fee, how it is paid, what it includes. */
export function Plan({ account, service }: PlanProps) {
  const words = useWords().billing;
  const format = useFormat();
  const { may } = useBillingPlace();
  const { value, open, close } = useDialog('act');
  const reason = may('POST /organizations/{organization_id}/plan');
  const offer = service.plans.find(({ plan }) => plan === account.plan);
  const fee = account.plan_fee_micro_usd;
  return (
    <Section title={words.plan}>
      <Stack gap={8}>
        <p className={styles.limit}>{words.plans[account.plan]}</p>
        <p>{fee === 0 ? words.noFee : words.fee(format.money(fee))}</p>
        <p className={styles.note}>{words.modes[account.mode]}</p>
        <p className={styles.note}>{featuresOf(offer?.features ?? [], words)}</p>
        <div>
          <Button disabledReason={reason} onClick={() => open('plan')}>
            {words.changePlan}
          </Button>
        </div>
      </Stack>
      {value === 'plan' && reason === undefined && <PlanDialog account={account} service={service} onClose={close} />}
    </Section>
  );
}
