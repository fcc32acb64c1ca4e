import { type BuildJson, type ProjectRef } from '../../../support/actors/actors';
import { type Desk } from '../desk';

/** A branch as trackers of tickets name it: 88 characters. */
export const LONG_BRANCH = 'feature/PAY-18231-the-checkout-remembers-the-last-used-card-and-asks-before-replacing-it';

/** Copies a build into a project: versions 1.0.1, 1.0.2 and so on, the first one the oldest, of three months ago. */
export async function insertOldBuilds(desk: Desk, from: BuildJson, project: ProjectRef, count: number, branch: string) {
  await desk.app.sql(
    `INSERT INTO build SELECT copy.* FROM build AS b, generate_series(1, $3::int) AS n, jsonb_populate_record(NULL::build,
       to_jsonb(b) || jsonb_build_object('project_id', $2::uuid, 'version', '1.0.' || n, 'branch', $4::text,
         'id', '0190' || lpad(to_hex(n), 4, '0') || '-0000-7000-8000-' || substr(md5(random()::text), 1, 12),
         'uploaded_at', now() - interval '100 days' + n * interval '1 minute',
         'blob_key', gen_random_uuid(), 'icon_media_type', null)) AS copy
     WHERE b.id = $1`,
    [from.id, project.id, count, branch],
  );
}
