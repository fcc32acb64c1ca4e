import { type LastDownloadResponse, type TesterResponse } from './testers.dto';
import { type ImportedTestersResponse } from './imports/tester-import.dto';
import { type LastDownload, type TesterWithActivity, type ImportedTester, type ImportOutcome } from './tester';

export const toTesterResponse = ({ subscriptions, activity, ...tester }: TesterWithActivity): TesterResponse => ({
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
  state: activity?.state ?? null,
  invited_at: activity?.invitedAt?.toISOString() ?? null,
  opened_at: activity?.openedAt?.toISOString() ?? null,
  last_download: activity?.lastDownload ? toLastDownload(activity.lastDownload) : null,
  created_at: tester.createdAt.toISOString(),
});

const toLastDownload = ({ at, ...download }: LastDownload): LastDownloadResponse => ({
  build_id: download.buildId,
  version: download.version,
  build_number: download.buildNumber,
  platform: download.platform,
  device_family: download.deviceFamily,
  at: at.toISOString(),
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
