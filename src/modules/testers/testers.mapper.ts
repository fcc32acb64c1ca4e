import { type TesterResponse } from './dto/tester.response';
import { type ImportedTestersResponse } from './imports/dto/tester-import.dto';
import { type ImportedTester, type ImportOutcome, type InvolvedTester } from './tester';

export const toTesterResponse = ({ involvement, ...tester }: InvolvedTester): TesterResponse => ({
  id: tester.id,
  organization_id: tester.organizationId,
  project_id: tester.projectId,
  email: tester.email,
  name: tester.name,
  declined: involvement.declined,
  subscriptions: [
    ...involvement.subscribedTo.map((channelId) => ({ channel_id: channelId, state: 'subscribed' as const })),
    ...involvement.unsubscribedFrom.map((channelId) => ({ channel_id: channelId, state: 'suppressed' as const })),
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
