// Rows that the scheduled jobs delete or change: what a night finds.
const OLD = `now() - interval '3 years'`;

/** @param sizes the number of rows of each kind. */
const statements = ({ channel, sizes: { due } }) => [
  `INSERT INTO build_download (id, organization_id, project_id, build_id, ticket_id, minted_by_kind, device_family, started_at)
   SELECT uuidv7(interval '-3 years'), organization_id, project_id, id, gen_random_uuid(), 'developer', 'other', ${OLD}
   FROM new_build WHERE NOT is_hot LIMIT ${due}`,
  `INSERT INTO invite (id, organization_id, project_id, tester_id, digest, created_at)
   SELECT gen_random_uuid(), organization_id, project_id, id, sha256(('old mail ' || id)::bytea), ${OLD} FROM new_tester LIMIT ${due}`,
  `INSERT INTO release_mail (organization_id, project_id, release_id, tester_id, queued_at)
   SELECT t.organization_id, t.project_id, r.id, t.id, ${OLD} FROM new_tester AS t,
     (SELECT id FROM release WHERE channel_id = '${channel}' ORDER BY sequence LIMIT 3) AS r WHERE t.is_hot LIMIT ${due}`,
  `INSERT INTO idempotency_record (id, fingerprint, state, attempt, leased_until, answer, created_at)
   SELECT sha256(n::text::bytea), '', 'done', gen_random_uuid(), ${OLD}, '\\x00', ${OLD} FROM generate_series(1, ${due}) AS n`,
  `INSERT INTO captcha_solution (digest, expires_at) SELECT sha256(n::text::bytea), ${OLD} FROM generate_series(1, ${due}) AS n`,
  `INSERT INTO failed_login (digest, failures, ends_at) SELECT sha256(n::text::bytea), 3, ${OLD} FROM generate_series(1, ${due}) AS n`,
  // Reservations of nothing: half are old and one in ten is still open; the tickets of the others have just expired.
  `INSERT INTO reservation (id, organization_id, principal, kind, size_bytes, amount_micro_usd, metered, state, actual_bytes, created_at,
     expires_at, resolved_at)
   SELECT gen_random_uuid(), id, 'filled', 'download', 0, 0, true, CASE WHEN k = 0 THEN 'active' ELSE 'released' END, NULL,
     ago - interval '1 hour', ago, CASE WHEN k > 0 THEN ago END
   FROM new_organization, generate_series(0, 9) AS k,
     LATERAL (SELECT now() - CASE WHEN k < 5 THEN interval '59 days' ELSE interval '2 hours' END AS ago) AS t LIMIT ${due}`,
  `INSERT INTO download_ticket (id, organization_id, project_id, build_id, digest, reservation_id, served_bytes, created_at, expires_at)
   SELECT gen_random_uuid(), organization_id, b.project_id, b.id, sha256(('ticket ' || r.id)::bytea), r.id, 0, r.created_at, r.expires_at
   FROM reservation AS r JOIN (
     SELECT DISTINCT ON (organization_id) organization_id, project_id, id FROM new_build WHERE NOT is_hot) AS b USING (organization_id)
   WHERE r.principal = 'filled' AND r.created_at > now() - interval '1 day'`,
];

export async function fillDue(database, subject) {
  for (const statement of statements(subject)) await database.query(statement);
}
