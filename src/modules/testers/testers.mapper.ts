import { type TesterResponse } from './dto/tester.response';
import { type ImportedTestersResponse } from './dto/tester-import.dto';
import { type ImportedTester, type ImportOutcome, type TesterWithSubscriptions } from './tester';

export const toTesterResponse = ({ subscriptions, ...tester }: TesterWithSubscriptions): TesterResponse => ({
  id: tester.id,
  organization_id: tester.organizationId,
  project_id: tester.projectId,
  email: tester.email,
  name: tester.name,
  declined: subscriptions.declined,
  subscriptions: [
    ...subscriptions.subscribedTo.map((channelId) => ({ channel_id: channelId, state: 'subscribed' as const })),
    ...subscriptions.unsubscribedFrom.map((channelId) => ({ channel_id: channelId, state: 'suppressed' as const })),
  ],
  created_at: tester.createdAt.toISOString(),
});

export function toImportedTestersResponse(imported: readonly ImportedTester[]): ImportedTestersResponse {
  const count = (outcome: ImportOutcome): number => imported.filter((tester) => tester.outcome === outcome).length;
  return {
    created: count('created'),
    existing: count('existing'),
    suppressed: count('suppressed'),
    testers: imported.map(({ testerId, email, outcome }) => ({ id: testerId, email, outcome })),
  };
}
