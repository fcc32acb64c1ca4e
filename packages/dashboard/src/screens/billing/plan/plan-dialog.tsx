import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type BillingAccount, changePlan, type Plan, type Service } from '../../../queries/organization/billing';
import { Badge, Card, FormDialog, RadioCards, Stack, useToast } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from '../billing.module.css';
import { useBillingPlace } from '../use-billing-place';
import { featuresOf } from './features-of';

interface PlanDialogProps {
  readonly account: BillingAccount;
  readonly service: Service;
  readonly onClose: () => void;
}

/** Changes the plan. Shows beforehand what the change costs and which features are lost. */
export function PlanDialog({ account, service, onClose }: PlanDialogProps) {
  const words = useWords();
  const others = service.plans.filter(({ plan }) => plan !== account.plan);
  const [chosen, setChosen] = useState<Plan>(others.length === 1 && others[0] ? others[0].plan : account.plan);
  const changing = useChanging(onClose);
  const isSame = chosen === account.plan;
  return (
    <FormDialog
      title={words.billing.changePlan}
      onClose={onClose}
      submitLabel={isSame ? words.billing.changePlan : words.billing.changeTo(words.billing.plans[chosen])}
      busy={changing.isPending}
      disabledReason={isSame ? words.billing.choosePlan : undefined}
      errors={changing.error}
      onSubmit={() => !isSame && changing.mutate(chosen)}
    >
      <PlanChoice {...{ account, service, chosen }} onChosen={setChosen} />
      {!isSame && <Consequences account={account} chosen={chosen} />}
    </FormDialog>
  );
}

function useChanging(onClose: () => void) {
  const words = useWords().billing;
  const { organizationId } = useBillingPlace();
  const queryClient = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (plan: Plan) => changePlan(organizationId, plan),
    onSuccess: async ({ plan }) => {
      toast(words.planChanged(words.plans[plan]), { tone: 'success' });
      onClose();
      // Many screens depend on the plan.
      await queryClient.invalidateQueries();
    },
  });
}

interface PlanChoiceProps {
  readonly account: BillingAccount;
  readonly service: Service;
  readonly chosen: Plan;
  readonly onChosen: (plan: Plan) => void;
}

function PlanChoice({ account, service, chosen, onChosen }: PlanChoiceProps) {
  const words = useWords().billing;
  const format = useFormat();
  return (
    <RadioCards
      label={words.plan}
      name="plan"
      value={chosen}
      onValue={(value) => onChosen(value as Plan)}
      options={service.plans.map(({ plan, fee_micro_usd: fee, features }) => ({
        value: plan,
        label: words.plans[plan],
        hint: [fee === 0 ? words.noFee : words.fee(format.money(fee)), featuresOf(features, words)].join(' · '),
        aside: plan === account.plan && <Badge tone="accent">{words.present}</Badge>,
      }))}
    />
  );
}

function Consequences({ account, chosen }: { readonly account: BillingAccount; readonly chosen: Plan }) {
  const words = useWords().billing;
  const format = useFormat();
  const lines = chosen === 'business' ? words.toBusiness : words.toTeam;
  return (
    <Card title={words.consequences} level={3} tone="sunk">
      <Stack gap={8}>
        <ul className={styles.list}>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <p>{words.balanceNow(format.money(account.balance_micro_usd))}</p>
      </Stack>
    </Card>
  );
}
