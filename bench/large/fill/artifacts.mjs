// Builds, testers and what they do with each other.
import { copies } from '../../many-rows.mjs';

const IN_PROJECT = `'id', x.id, 'organization_id', x.organization_id, 'project_id', x.project_id`;
/** The time of row `n` of `count` in the last year, before the rows that the service made. */
const timeOf = (n, count) =>
  `now() - interval '1 hour' - interval '365 days' * (1 - ${n}::float8 / greatest(${count}, 1))`;

/** One tenth of the builds contains a common word in its notes; the oldest one of a project contains a word that no other one does. */
const NOTES = `CASE WHEN x.n = 1 THEN 'the oldest build' WHEN x.n % 10 = 0 THEN 'fixes a crash' END`;
const BUILD = `${IN_PROJECT}, 'platform', x.platform, 'version', '1.' || x.n / 1000, 'build_number', x.n::text,
  'notes', ${NOTES}, 'branch', CASE WHEN x.n % 2 = 0 THEN 'main' ELSE 'feature/' || x.n % 1000 END,
  'commit', left(encode(sha256(x.id::text::bytea), 'hex'), 40), 'sha256', sha256(x.id::text::bytea), 'blob_key', 'builds/' || x.id,
  'uploaded_at', x.time, 'icon_media_type', NULL, 'downloads_total', x.downloads, 'downloads_unique_testers', x.testers`;

const PLATFORMS = ['ios', 'android', 'linux'];
/** Builds of three platforms in turns. Downloads of other projects are anonymous. */
const builds = ({ sizes }) => `
  CREATE TEMP TABLE new_build AS
  SELECT uuidv7(x.time - now()) AS id, x.* FROM (
    SELECT k AS n, p.id AS project_id, p.organization_id, p.channel_id, p.is_hot, ${timeOf('k', 'p.builds')} AS time,
      (ARRAY['${PLATFORMS.join("', '")}'])[k % 3 + 1] AS platform,
      CASE WHEN p.is_hot THEN ${sizes.hot.downloadsPerBuild} ELSE least(k % 3, 1) END AS downloads,
      CASE WHEN p.is_hot THEN ${sizes.hot.downloadsPerBuild} ELSE 0 END AS testers, p.builds AS of
    FROM new_project AS p, generate_series(1, p.builds) AS k ORDER BY time) AS x`;

async function fillBuilds(database, subject) {
  await database.query(builds(subject));
  await database.query('ANALYZE new_build');
  for (const platform of PLATFORMS)
    await database.query(
      copies(
        'build',
        `(SELECT * FROM new_build WHERE platform = '${platform}') AS x`,
        BUILD,
        `WHERE t.project_id = '${subject.project}' AND t.platform = '${platform}'`,
      ),
    );
  await database.query(`
    INSERT INTO stored_build (build_id, organization_id, size_bytes)
    SELECT b.id, b.organization_id, b.size_bytes FROM build AS b JOIN new_build USING (id)`);
  await database.query(`
    INSERT INTO storage_interval (id, organization_id, build_id, size_bytes, started_at)
    SELECT uuidv7(n.time - now()), b.organization_id, b.id, b.size_bytes, n.time FROM build AS b JOIN new_build AS n USING (id)`);
  // One build of four was deleted after thirty days.
  await database.query(`
    INSERT INTO storage_interval (id, organization_id, build_id, size_bytes, started_at, ended_at)
    SELECT uuidv7(time - now()), organization_id, gen_random_uuid(), 200000, time - interval '30 days', time
    FROM new_build WHERE n % 3 = 0`);
  // A channel serves its newest releases, those that the service made.
  const { project, channel, sizes } = subject;
  await database.query(`UPDATE release SET sequence = sequence + 1000000 WHERE channel_id = '${channel}'`);
  await database.query(`UPDATE channel SET last_sequence = last_sequence + 1000000 WHERE id = '${channel}'`);
  const promoted = `(
    SELECT uuidv7(time - now()) AS id, id AS build_id, organization_id, project_id, channel_id, platform, time,
      row_number() OVER (PARTITION BY channel_id ORDER BY id) AS sequence
    FROM new_build WHERE n > of - CASE WHEN is_hot THEN ${sizes.hot.releases} ELSE ${sizes.releasesPerProject} END) AS x`;
  await database.query(
    copies(
      'release',
      promoted,
      `${IN_PROJECT}, 'channel_id', x.channel_id, 'build_id', x.build_id, 'platform', x.platform, 'sequence', x.sequence,
       'promoted_at', x.time`,
      `WHERE t.project_id = '${project}'`,
    ),
  );
  await database.query(`
    INSERT INTO current_release (channel_id, platform, release_id)
    SELECT DISTINCT ON (channel_id, platform) channel_id, platform, id FROM release
    WHERE channel_id <> '${channel}' AND channel_id IN (SELECT channel_id FROM new_project)
    ORDER BY channel_id, platform, sequence DESC`);
}

/** A tenth of the testers was only added, three tenths were invited, the others opened their link; one of a hundred bounced. */
const TESTER = `${IN_PROJECT}, 'email', x.email, 'email_key', x.email, 'name', CASE WHEN x.n = 1 THEN 'Rarely Named' ELSE 'Tester ' || x.n END,
  'address_digest', CASE WHEN x.n % 50 > 0 THEN sha256(x.email::bytea) END, 'created_at', x.time,
  'invited_at', CASE WHEN x.n % 10 > 0 THEN x.time END, 'opened_at', CASE WHEN x.n % 10 > 3 THEN x.time + interval '1 day' END,
  'bounced_at', CASE WHEN x.n % 100 = 99 THEN x.time END`;

async function fillTesters(database, { project, sizes }) {
  await database.query(`
    CREATE TEMP TABLE new_tester AS
    SELECT uuidv7(x.time - now()) AS id, x.*, 't' || n || '.' || left(project_id::text, 13) || '@example.com' AS email FROM (
      SELECT k AS n, p.id AS project_id, p.organization_id, p.channel_id, p.is_hot, ${timeOf('k', 'p.testers')} AS time
      FROM new_project AS p, generate_series(1, p.testers) AS k ORDER BY time) AS x`);
  await database.query('ANALYZE new_tester');
  await database.query(copies('tester', 'new_tester AS x', TESTER, `WHERE t.project_id = '${project}'`));
  const subscribed = `(
    SELECT * FROM new_tester WHERE NOT is_hot OR n % ${Math.round(sizes.hot.testers / sizes.hot.subscribers)} = 0) AS x`;
  await database.query(
    copies(
      'subscription',
      subscribed,
      `'organization_id', x.organization_id, 'project_id', x.project_id, 'channel_id', x.channel_id, 'tester_id', x.id,
       'created_at', x.time`,
    ),
  );
}

async function fillDownloads(database, { project, sizes }) {
  await database.query(`CREATE TEMP TABLE hot_tester AS SELECT n - 1 AS n, id FROM new_tester WHERE is_hot`);
  await database.query('ANALYZE hot_tester');
  // Each build of the hot project is downloaded by three testers, in the days after its upload.
  const rows = `(
    SELECT uuidv7(d.time - now()) AS id, d.*, t.id AS tester_id FROM (
      SELECT b.id AS build_id, b.organization_id, b.project_id, b.channel_id, b.is_hot,
        b.time + (now() - b.time) * least(1, k * 0.01) AS time, ((b.n::bigint * 7919 + k) % ${sizes.hot.testers}) AS slot
      FROM new_build AS b, generate_series(1, b.downloads) AS k ORDER BY time) AS d
    LEFT JOIN hot_tester AS t ON d.is_hot AND t.n = d.slot) AS x`;
  await database.query(
    copies(
      'build_download',
      rows,
      `${IN_PROJECT}, 'build_id', x.build_id, 'ticket_id', gen_random_uuid(), 'tester_id', x.tester_id,
       'channel_id', CASE WHEN x.is_hot THEN x.channel_id END, 'started_at', x.time, 'completed_at', x.time + interval '4 seconds'`,
      `WHERE t.project_id = '${project}'`,
    ),
  );
}

export async function fillArtifacts(database, subject) {
  await fillBuilds(database, subject);
  await fillTesters(database, subject);
  await fillDownloads(database, subject);
}
