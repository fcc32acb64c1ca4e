import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type BillingAccount, changePlan, type Plan, type Service } from '../../../queries/organization/billing';
import { Badge, Card, FormDialog, RadioCards, useNow, useToast } from '../../../ui';
import { useFormat } from '../../../words/use-format';
import { useWords } from '../../../words/words-provider';
import styles from '../billing.module.css';
import { useBillingPlace } from '../use-billing-place';
import { featuresOf } from './features-of';
import { Obstacles, useObstacles } from './obstacles';

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
  const obstacles = useObstacles(chosen, service);
  return (
    <FormDialog
      title={words.billing.changePlan}
      onClose={onClose}
      submitLabel={isSame ? words.billing.changePlan : words.billing.changeTo(words.billing.plans[chosen])}
      busy={changing.isPending}
      disabledReason={isSame ? words.billing.choosePlan : obstacles[0]?.text}
      errors={changing.error}
      onSubmit={() => !isSame && changing.mutate(chosen)}
    >
      <PlanChoice {...{ account, service, chosen }} onChosen={setChosen} />
      {!isSame && <Obstacles obstacles={obstacles} />}
      {!isSame && <Consequences account={account} service={service} chosen={chosen} />}
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

interface ConsequencesProps {
  readonly account: BillingAccount;
  readonly service: Service;
  readonly chosen: Plan;
}

/** What the change costs now and on the next bill, and what it changes. */
function Consequences(change: ConsequencesProps) {
  const words = useWords().billing;
  const sums = useSums(change);
  const changes = change.chosen === 'business' ? words.toBusiness : words.toTeam;
  return (
    <Card title={words.consequences} level={3} tone="sunk">
      <ul className={styles.list}>
        {[...sums, ...changes].map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Card>
  );
}

/** The sums of a change now. The service computes them again, a moment later. */
function useSums({ account, service, chosen }: ConsequencesProps): readonly string[] {
  const words = useWords().billing;
  const format = useFormat();
  const now = useNow();
  const offer = service.plans.find(({ plan }) => plan === chosen);
  if (!offer) return [];
  const end = Date.parse(account.next_fee_at);
  const rest = (end - now.getTime()) / (end - Date.parse(`${account.period}-01`));
  // The fee of a paid month is given back for its rest; the fee until now is charged for the part that was not paid before.
  const restOf = (fee: number): string => format.money(fee * rest);
  const day = format.date(account.next_fee_at.slice(0, 10));
  if (chosen === 'business') {
    const cap = offer.first_spend_cap_micro_usd;
    return [
      words.sums.refund(restOf(account.plan_fee_micro_usd)),
      words.sums.feeOn(restOf(offer.fee_micro_usd), day, format.money(offer.fee_micro_usd)),
      ...(cap === null ? [] : [words.sums.newCap(format.money(cap))]),
    ];
  }
  const until = Math.max(account.next_fee_micro_usd - account.plan_fee_micro_usd * rest, 0);
  const left = account.balance_micro_usd - until - offer.fee_micro_usd * rest;
  return [
    words.sums.feesNow(format.money(until), restOf(offer.fee_micro_usd)),
    words.sums.creditAfter(format.money(left)),
  ];
}
