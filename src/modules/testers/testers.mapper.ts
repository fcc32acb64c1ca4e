import { type LastDownload, type Tester, type TesterActivity, type TesterWithActivity } from './tester';
import { type LastDownloadResponse, type TesterResponse } from './testers.dto';

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
  ...toActivity(activity, tester),
  created_at: tester.createdAt.toISOString(),
});

type ActivityFields = Pick<
  TesterResponse,
  'state' | 'invited_at' | 'opened_at' | 'bounced_at' | 'bounce_code' | 'last_download'
>;

const HIDDEN: ActivityFields = {
  state: null,
  invited_at: null,
  opened_at: null,
  bounced_at: null,
  bounce_code: null,
  last_download: null,
};

const toActivity = (
  activity: TesterActivity | null,
  { bouncedAt, bounceCode }: Pick<Tester, 'bouncedAt' | 'bounceCode'>,
): ActivityFields =>
  activity === null
    ? HIDDEN
    : {
        state: activity.state,
        invited_at: activity.invitedAt?.toISOString() ?? null,
        opened_at: activity.openedAt?.toISOString() ?? null,
        bounced_at: bouncedAt?.toISOString() ?? null,
        bounce_code: bounceCode,
        last_download: activity.lastDownload && toLastDownload(activity.lastDownload),
      };

const toLastDownload = ({ at, ...download }: LastDownload): LastDownloadResponse => ({
  build_id: download.buildId,
  version: download.version,
  build_number: download.buildNumber,
  platform: download.platform,
  device_family: download.deviceFamily,
  at: at.toISOString(),
});
