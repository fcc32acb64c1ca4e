import { type RequestContext } from '#kernel/context/request-context';
import { newId } from '#kernel/ids';
import { OperatorBillingService } from '#modules/billing';
import { type TestApp } from '../app/test-app';

/** The context of an operator's command. */
export const operator = (app: TestApp, name = 'olga'): RequestContext => ({
  requestId: newId(),
  sourceIp: null,
  identity: { kind: 'operator', name },
  clock: app.clock,
});

/** Sets the balance of an organization by a grant. */
export async function setBalance(app: TestApp, organizationId: string, microUsd: bigint): Promise<void> {
  const operations = app.nest.get(OperatorBillingService);
  const ctx = operator(app);
  const { balanceMicroUsd } = await operations.show(ctx, organizationId);
  if (balanceMicroUsd === microUsd) return;
  await operations.grantCredit(ctx, organizationId, { amountMicroUsd: microUsd - balanceMicroUsd, reference: newId() });
}

/** The faults in the billing data of all organizations. Tests expect none after any sequence of actions. */
export const faultsOf = (app: TestApp): Promise<readonly object[]> =>
  app.nest.get(OperatorBillingService).selfCheck(operator(app));
