// Organizations with their members, projects and channels: the frame of the large installation.
import { copies } from '../../many-rows.mjs';

const IN_PROJECT = `'id', x.id, 'organization_id', x.organization_id, 'project_id', x.project_id`;
const HISTORY = `interval '400 days'`;

/** The tables of new ids, from which all other rows are derived. `n` numbers the rows, `is_hot` marks the hot organization or project. */
const ids = ({ organization, project, sizes }) => [
  `CREATE TEMP TABLE new_organization AS
   SELECT n, uuidv7(n * interval '1 second' - ${HISTORY}) AS id, CASE WHEN n % 5 = 0 THEN 'business' ELSE 'team' END AS plan
   FROM generate_series(1, ${sizes.organizations}) AS n`,
  `CREATE TEMP TABLE new_developer AS
   SELECT o.id AS organization_id, uuidv7(n * interval '1 second' - ${HISTORY}) AS id, o.n * 3 + m AS n,
          CASE WHEN m = 0 THEN '{ADMIN}' ELSE '{MEMBER}' END AS roles
   FROM new_organization AS o, generate_series(0, 2) AS m
   UNION ALL SELECT '${organization}', uuidv7(n * interval '1 second' - ${HISTORY}), -n, '{MEMBER}'
   FROM generate_series(1, ${sizes.hot.members}) AS n`,
  `CREATE TEMP TABLE new_project AS
   SELECT row_number() OVER (ORDER BY p, o.n)::int AS n, uuidv7(p * interval '1 second' - ${HISTORY}) AS id, o.id AS organization_id,
          uuidv7(p * interval '1 second' - ${HISTORY}) AS channel_id, false AS is_hot
   FROM new_organization AS o, generate_series(1, ${sizes.projectsPerOrganization}) AS p
   UNION ALL SELECT -n, uuidv7(n * interval '1 second' - ${HISTORY}), '${organization}', uuidv7(n * interval '1 second' - ${HISTORY}), false
   FROM generate_series(1, ${sizes.projects}) AS n`,
  `ALTER TABLE new_project ADD builds int, ADD testers int`,
  `UPDATE new_project SET testers = ${sizes.testersPerProject},
     builds = CASE WHEN n BETWEEN 1 AND ${sizes.largeProjects} THEN ${sizes.buildsPerLargeProject} ELSE ${sizes.buildsPerProject} END`,
  `INSERT INTO new_project SELECT 0, '${project}', organization_id, NULL, true, ${sizes.hot.builds}, ${sizes.hot.testers}
   FROM project WHERE id = '${project}'`,
  `ANALYZE new_organization, new_developer, new_project`,
];

/** Copies rows of the hot organization, so that each column has a value that the service wrote. */
export async function fillTenants(database, subject) {
  for (const statement of ids(subject)) await database.query(statement);
  const { organization, project, channel } = subject;
  const ofHot = `WHERE t.organization_id = '${organization}'`;
  const created = `'created_at', now() - ${HISTORY}`;
  await database.query(
    copies(
      'organization',
      'new_organization AS x',
      `'id', x.id, 'name', 'Organization ' || x.n, ${created}`,
      `WHERE t.id = '${organization}'`,
    ),
  );
  const empty = `'balance_micro_usd', 0, 'reserved_micro_usd', 0, 'spent_micro_usd', 0, 'plan_since', now() - ${HISTORY},
    'spend_cap_micro_usd', CASE WHEN x.plan = 'business' THEN 1000000000000 END`;
  const now = `to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM')`;
  await database.query(
    copies(
      'billing_account',
      'new_organization AS x',
      `'organization_id', x.id, 'plan', x.plan, 'open_period', ${now}, 'spent_period', ${now}, ${empty}`,
      ofHot,
    ),
  );
  const address = `'developer' || x.n || '@example.com'`;
  await database.query(
    copies('developer', 'new_developer AS x', `'id', x.id, 'email', ${address}, 'email_key', ${address}`),
  );
  await database.query(
    copies(
      'membership',
      'new_developer AS x',
      `'organization_id', x.organization_id, 'developer_id', x.id, 'roles', x.roles::text[], ${created}`,
    ),
  );
  const isNew = `(SELECT * FROM new_project WHERE NOT is_hot) AS x`;
  await database.query(
    copies(
      'project',
      isNew,
      `'id', x.id, 'organization_id', x.organization_id, 'name', 'Project ' || x.n, ${created}`,
      `WHERE t.id = '${project}'`,
    ),
  );
  await database.query(`
    INSERT INTO project_membership (organization_id, project_id, developer_id, role)
    SELECT organization_id, '${project}', id, 'VIEW_PROJECT' FROM new_developer WHERE organization_id = '${organization}'`);
  await database.query(
    copies(
      'channel',
      `(SELECT channel_id AS id, id AS project_id, organization_id FROM new_project WHERE NOT is_hot) AS x`,
      `${IN_PROJECT}, 'name', 'Beta', 'last_sequence', ${subject.sizes.releasesPerProject}, ${created}`,
      `WHERE t.id = '${channel}'`,
    ),
  );
  await database.query(`UPDATE new_project SET channel_id = '${channel}' WHERE is_hot`);
}
