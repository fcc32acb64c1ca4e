import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { OperatorBillingService, MAX_TOP_UP_MICRO_USD, type Plan, PLANS } from '#modules/billing';
import { type OperatorCommand, type OperatorCommandGroup, type OperatorInput } from '../operator-command';
import { dollars, microUsdOf, organizationOf, uuidOf } from '../typed-values';

const ORGANIZATION = { name: 'organization_id', describe: 'the id of the organization' };

/** Money by hand: overrides, top-ups that were paid elsewhere, and the proof that the books balance (contract §16). */
@Injectable()
export class BillingCommands implements OperatorCommandGroup {
  readonly commands: readonly OperatorCommand[];

  constructor(private readonly billing: OperatorBillingService) {
    this.commands = [...this.looking(), ...this.changing()];
  }

  private looking(): OperatorCommand[] {
    return [
      {
        name: 'billing show',
        summary: "Show an organization's plan, balance and caps",
        parameters: [ORGANIZATION],
        run: (ctx, input) => this.show(ctx, organizationOf(input)),
      },
      {
        name: 'billing top-ups',
        summary: 'List the top-ups that wait for money, oldest first',
        run: async (ctx) =>
          (await this.billing.pendingTopUps(ctx)).map(({ id, organizationId, amountMicroUsd, createdAt }) => ({
            id,
            organization_id: organizationId,
            amount: dollars(amountMicroUsd),
            created_at: createdAt.toISOString(),
          })),
      },
      {
        name: 'billing check',
        summary: 'Prove that the books of every organization balance',
        run: (ctx) => this.billing.selfCheck(ctx),
        finds: (faults) => Array.isArray(faults) && faults.length > 0,
      },
    ];
  }

  private changing(): OperatorCommand[] {
    return [
      {
        name: 'billing approve',
        summary: 'Book a top-up whose money has come',
        parameters: [{ name: 'top_up_id', describe: 'the id that "billing top-ups" shows' }],
        effect: (_ctx, input) => `Top-up ${uuidOf(input, 'top_up_id')} counts as paid.`,
        run: async (ctx, input) => {
          const { organizationId } = await this.billing.approveTopUp(ctx, uuidOf(input, 'top_up_id'));
          return this.show(ctx, organizationId);
        },
      },
      this.change('grant', 'Give credit, or with a negative amount take it back', {
        parameter: { name: 'usd', describe: 'how much, such as 12.50' },
        options: [{ name: 'reference', describe: 'your name for it; each is used once (required)' }],
        effect: ({ usd, reference }) => `gets ${dollars(creditOf(usd))} for "${referenceOf(reference)}"`,
        apply: (ctx, organizationId, { usd, reference }) =>
          this.billing.grantCredit(ctx, organizationId, {
            amountMicroUsd: creditOf(usd),
            reference: referenceOf(reference),
          }),
      }),
      this.change('cap', 'Set the spend cap of a month, or take it away', {
        parameter: { name: 'usd', describe: 'how much, such as 250, or "none"' },
        effect: ({ usd }) => `may spend ${usd === 'none' ? 'without a cap' : dollars(microUsdOf(usd, 'usd'))} a month`,
        apply: (ctx, organizationId, { usd }) =>
          this.billing.setSpendCap(ctx, organizationId, usd === 'none' ? null : microUsdOf(usd, 'usd')),
      }),
      this.change('plan', 'Change the plan, under the rules that hold for members', {
        parameter: { name: 'plan', describe: PLANS.join(' or ') },
        effect: ({ plan }) => `is on the plan "${planOf(plan)}"`,
        apply: (ctx, organizationId, { plan }) => this.billing.setPlan(ctx, organizationId, planOf(plan)),
      }),
      this.change('fee', "Waive the plan's fee from now on, or charge it again", {
        parameter: { name: 'fee', describe: 'waived or charged' },
        effect: ({ fee }) => (isWaived(fee) ? 'pays no fee from now on' : 'pays the fee of its plan from now on'),
        apply: (ctx, organizationId, { fee }) => this.billing.waiveFee(ctx, organizationId, isWaived(fee)),
      }),
    ];
  }

  /** A command that changes one organization's account and shows it. */
  private change(word: string, summary: string, what: Change): OperatorCommand {
    return {
      name: `billing ${word}`,
      summary,
      parameters: [ORGANIZATION, what.parameter],
      ...(what.options && { options: what.options }),
      effect: (_ctx, input) => `Organization ${organizationOf(input)} ${what.effect(input)}.`,
      run: async (ctx, input) => {
        await what.apply(ctx, organizationOf(input), input);
        return this.show(ctx, organizationOf(input));
      },
    };
  }

  private async show(ctx: RequestContext, organizationId: string): Promise<object> {
    const account = await this.billing.show(ctx, organizationId);
    const { plan, period, spendCapMicroUsd, availableMicroUsd } = account;
    return {
      organization_id: organizationId,
      plan,
      fee: account.feeWaived ? 'waived' : 'charged',
      metered: account.metered,
      period,
      balance: dollars(account.balanceMicroUsd),
      reserved: dollars(account.openMicroUsd),
      spent: dollars(account.spentMicroUsd),
      spend_cap: spendCapMicroUsd === null ? null : dollars(spendCapMicroUsd),
      available: availableMicroUsd === null ? null : dollars(availableMicroUsd),
    };
  }
}

interface Change {
  readonly parameter: { readonly name: string; readonly describe: string };
  readonly options?: OperatorCommand['options'];
  readonly effect: (input: OperatorInput) => string;
  readonly apply: (ctx: RequestContext, organizationId: string, input: OperatorInput) => Promise<void>;
}

/** At most what one top-up may be, so that sums stay exact. */
function creditOf(text: string | undefined): bigint {
  const amount = microUsdOf(text, 'usd');
  if (amount <= MAX_TOP_UP_MICRO_USD && amount >= -MAX_TOP_UP_MICRO_USD) return amount;
  throw AppError.invalidInput('usd', `One grant is at most ${dollars(BigInt(MAX_TOP_UP_MICRO_USD))}.`);
}

function planOf(text: string | undefined): Plan {
  const plan = PLANS.find((name) => name === text);
  if (!plan) throw AppError.invalidInput('plan', `The plans are ${PLANS.join(' and ')}.`);
  return plan;
}

function isWaived(text: string | undefined): boolean {
  if (text !== 'waived' && text !== 'charged') throw AppError.invalidInput('fee', 'Say "waived" or "charged".');
  return text === 'waived';
}

function referenceOf(text: string | undefined): string {
  if (text && text.length <= 100) return text;
  throw AppError.invalidInput('reference', 'Name the grant by --reference, with up to 100 characters.');
}
