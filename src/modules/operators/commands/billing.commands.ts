import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { AppError } from '#kernel/errors/app-error';
import { MAX_TOP_UP_MICRO_USD, OperatorBillingService, type Plan, PLANS } from '#modules/billing';
import {
  dollars,
  microUsdOf,
  type OperatorCommand,
  type OperatorCommandGroup,
  type OperatorInput,
  organizationOf,
  uuidOf,
} from '../operator-command';

const ORGANIZATION = { name: 'organization_id', describe: 'the id of the organization' };

/** Manual billing: overrides, top-ups that were paid outside the service, and the consistency check. */
@Injectable()
export class BillingCommands implements OperatorCommandGroup {
  readonly commands: readonly OperatorCommand[];

  constructor(private readonly billing: OperatorBillingService) {
    this.commands = [...this.readCommands(), ...this.writeCommands()];
  }

  private readCommands(): OperatorCommand[] {
    return [
      {
        name: 'billing show',
        summary: "Show an organization's plan, balance and caps",
        parameters: [ORGANIZATION],
        run: (ctx, input) => this.show(ctx, organizationOf(input)),
      },
      {
        name: 'billing top-ups',
        summary: 'List the top-ups that wait for payment, oldest first',
        run: async (ctx) =>
          (await this.billing.pendingTopUps(ctx)).map(({ id, organizationId, amountMicroUsd, createdAt }) => ({
            id,
            organization_id: organizationId,
            amount: dollars(amountMicroUsd),
            created_at: createdAt.toISOString(),
          })),
      },
      {
        name: 'billing uncapped',
        summary: 'List the organizations on the business plan without a spend cap',
        run: async (ctx) =>
          Promise.all((await this.billing.findWithoutCap(ctx)).map((organizationId) => this.show(ctx, organizationId))),
      },
      {
        name: 'billing check',
        summary: 'Check that the balance of every organization agrees with its ledger',
        run: (ctx) => this.billing.selfCheck(ctx),
        hasFaults: (faults) => Array.isArray(faults) && faults.length > 0,
      },
    ];
  }

  private writeCommands(): OperatorCommand[] {
    return [
      {
        name: 'billing approve',
        summary: 'Credit a top-up that was paid',
        parameters: [{ name: 'top_up_id', describe: 'the id that "billing top-ups" shows' }],
        effect: (_ctx, input) => `Top-up ${uuidOf(input, 'top_up_id')} will be credited as paid.`,
        run: async (ctx, input) => {
          const { organizationId } = await this.billing.approveTopUp(ctx, uuidOf(input, 'top_up_id'));
          return this.show(ctx, organizationId);
        },
      },
      this.change('grant', 'Grant credit, or withdraw it with a negative amount', {
        parameter: { name: 'usd', describe: 'the amount, such as 12.50' },
        options: [{ name: 'reference', describe: 'your name for the grant, which can be used once (required)' }],
        effect: ({ usd, reference }) => `will get ${dollars(creditOf(usd))} for "${referenceOf(reference)}"`,
        apply: (ctx, organizationId, { usd, reference }) =>
          this.billing.grantCredit(ctx, organizationId, {
            amountMicroUsd: creditOf(usd),
            reference: referenceOf(reference),
          }),
      }),
      this.change('cap', 'Set the monthly spend cap, or remove it', {
        parameter: { name: 'usd', describe: 'the amount, such as 250, or "none"' },
        effect: ({ usd }) =>
          usd === 'none'
            ? 'will have no spend cap'
            : `will have a spend cap of ${dollars(microUsdOf(usd, 'usd'))} a month`,
        apply: (ctx, organizationId, { usd }) =>
          this.billing.setSpendCap(ctx, organizationId, usd === 'none' ? null : microUsdOf(usd, 'usd')),
      }),
      this.change('plan', 'Change the plan, with the same rules as for members', {
        parameter: { name: 'plan', describe: PLANS.join(' or ') },
        effect: ({ plan }) => `will be on the plan "${planOf(plan)}"`,
        apply: (ctx, organizationId, { plan }) => this.billing.setPlan(ctx, organizationId, planOf(plan)),
      }),
      this.change('fee', "Waive the plan's fee, or charge it again", {
        parameter: { name: 'fee', describe: 'waived or charged' },
        effect: ({ fee }) =>
          isWaived(fee) ? 'will pay no fee from now on' : 'will pay the fee of its plan from now on',
        apply: (ctx, organizationId, { fee }) => this.billing.waiveFee(ctx, organizationId, isWaived(fee)),
      }),
    ];
  }

  /** A command that changes the billing account of one organization and prints it. */
  private change(word: string, summary: string, definition: Change): OperatorCommand {
    return {
      name: `billing ${word}`,
      summary,
      parameters: [ORGANIZATION, definition.parameter],
      ...(definition.options && { options: definition.options }),
      effect: (_ctx, input) => `Organization ${organizationOf(input)} ${definition.effect(input)}.`,
      run: async (ctx, input) => {
        await definition.apply(ctx, organizationOf(input), input);
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

/** A grant has the same maximum as a top-up. */
function creditOf(text: string | undefined): bigint {
  const amount = microUsdOf(text, 'usd');
  if (amount <= MAX_TOP_UP_MICRO_USD && amount >= -MAX_TOP_UP_MICRO_USD) return amount;
  throw AppError.invalidInput('usd', `usd must be at most ${dollars(BigInt(MAX_TOP_UP_MICRO_USD))} for one grant.`);
}

function planOf(text: string | undefined): Plan {
  const plan = PLANS.find((name) => name === text);
  if (!plan) throw AppError.invalidInput('plan', `plan must be ${PLANS.join(' or ')}.`);
  return plan;
}

function isWaived(text: string | undefined): boolean {
  if (text !== 'waived' && text !== 'charged') throw AppError.invalidInput('fee', 'fee must be "waived" or "charged".');
  return text === 'waived';
}

function referenceOf(text: string | undefined): string {
  if (text && text.length <= 100) return text;
  throw AppError.invalidInput('reference', 'Name the grant with --reference, in at most 100 characters.');
}
