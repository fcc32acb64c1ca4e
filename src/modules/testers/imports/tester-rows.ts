import { type CsvRow } from '#infra/http/response/stream-response';
import { type LastDownload } from '../tester';
import { type ExportedTester } from './tester-export.service';

const COLUMNS = [
  'email',
  'name',
  'id',
  'created_at',
  'bounced_at',
  'bounce_code',
  'state',
  'channels',
  'last_version',
  'last_build_number',
  'last_platform',
  'last_download_at',
  'invited_at',
  'opened_at',
  'has_current',
];

/** The columns of an export. @param withSteps whether it says how far testers got with a release or build. */
export const testerColumns = (withSteps: boolean): readonly string[] =>
  withSteps ? [...COLUMNS, 'adoption', 'mailed_at'] : COLUMNS;

const NO_DOWNLOAD = { last_version: null, last_build_number: null, last_platform: null, last_download_at: null };

const toLastDownload = ({ version, buildNumber, platform, at }: LastDownload): CsvRow => ({
  last_version: version,
  last_build_number: buildNumber,
  last_platform: platform,
  last_download_at: toTime(at),
});

const toTime = (time: Date | null): string | null => time && time.toISOString();

/** A tester as a line of an export. */
export function toTesterRow({ activity, adoption, ...tester }: ExportedTester): CsvRow {
  const { state = null, lastDownload = null, invitedAt = null, openedAt = null } = activity ?? {};
  const { hasCurrent = null, step = null, mailedAt = null } = adoption ?? {};
  return {
    email: tester.email,
    name: tester.name,
    id: tester.id,
    created_at: toTime(tester.createdAt),
    bounced_at: toTime(tester.bouncedAt),
    bounce_code: tester.bounceCode,
    state,
    channels: tester.channels.join('; '),
    ...(lastDownload ? toLastDownload(lastDownload) : NO_DOWNLOAD),
    invited_at: toTime(invitedAt),
    opened_at: toTime(openedAt),
    has_current: hasCurrent === null ? null : String(hasCurrent),
    adoption: step,
    mailed_at: toTime(mailedAt),
  };
}
