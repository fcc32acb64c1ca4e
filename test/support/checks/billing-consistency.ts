import { newId } from '#kernel/ids';
import { type RequestContext } from '#kernel/context/request-context';
import { OperatorBillingService } from '#modules/billing';
import { type TestApp } from '../app/test-app';

/** An operator at the command line. */
export const operator = (app: TestApp, name = 'olga'): RequestContext => ({
  requestId: newId(),
  sourceIp: null,
  identity: { kind: 'operator', name },
  clock: app.clock,
});

/** Sets the balance of an organization as an operator would: by a grant. */
export async function setBalance(app: TestApp, organizationId: string, microUsd: bigint): Promise<void> {
  const operations = app.nest.get(OperatorBillingService);
  const ctx = operator(app);
  const { balanceMicroUsd } = await operations.show(ctx, organizationId);
  if (balanceMicroUsd === microUsd) return;
  await operations.grantCredit(ctx, organizationId, { amountMicroUsd: microUsd - balanceMicroUsd, reference: newId() });
}

/** What is wrong with the books of any organization (reliability F2): nothing, whatever was done. */
export const faultsOf = (app: TestApp): Promise<readonly object[]> =>
  app.nest.get(OperatorBillingService).selfCheck(operator(app));
