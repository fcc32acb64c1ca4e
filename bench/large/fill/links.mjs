// Install links. Those of the hot organization open: their tokens are sealed with the keys of the installation.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { root } from '../../../scripts/support/project.mjs';

const require = createRequire(import.meta.url);
const dist = (file) => require(join(root, 'dist/src', `${file}.js`));
const { from: copyFrom } = require('pg-copy-streams');
const BATCH = 5_000;
const COLUMNS = '(id, organization_id, project_id, build_id, channel_id, digest, sealed_token, created_at)';

/** The sealer of the service with this DATA_DIR. */
function sealerOf(dataDirectory) {
  const config = dist('infra/config/load-config').loadConfig({ NODE_ENV: 'test', DATA_DIR: dataDirectory });
  return new (dist('infra/crypto/sealer').Sealer)(dist('infra/crypto/secrets').loadSecrets(config).masterKeys);
}

/** The lines of COPY for the links of builds and channels. */
function* sealedLinks(places, dataDirectory) {
  const { digestOf, newLinkToken } = dist('kernel/access/token-format');
  const { newId } = dist('kernel/ids');
  const sealer = sealerOf(dataDirectory);
  const bytes = (buffer) => `\\\\x${buffer.toString('hex')}`;
  for (let start = 0; start < places.length; start += BATCH) {
    yield places
      .slice(start, start + BATCH)
      .map(([time, ...place]) => {
        const [id, token] = [newId(), newLinkToken()];
        const sealed = sealer.seal(Buffer.from(token), `invite|${id}`);
        return `${[id, ...place.map((each) => each ?? '\\N'), bytes(digestOf(token)), bytes(sealed), time].join('\t')}\n`;
      })
      .join('');
  }
}

export async function fillLinks(database, { dataDirectory, organization }) {
  const { rows } = await database.query({
    text: `
      SELECT time::text, organization_id, project_id, id, NULL::uuid FROM new_build WHERE organization_id = $1
      UNION ALL SELECT now()::text, organization_id, id, NULL, channel_id FROM new_project WHERE organization_id = $1 AND NOT is_hot`,
    values: [organization],
    rowMode: 'array',
  });
  await pipeline(sealedLinks(rows, dataDirectory), database.query(copyFrom(`COPY invite ${COLUMNS} FROM STDIN`)));
  // Nobody requests the pages of the other organizations, so their tokens need not open.
  await database.query(
    `INSERT INTO invite ${COLUMNS}
     SELECT gen_random_uuid(), organization_id, project_id, id, NULL::uuid, sha256(('link ' || id)::bytea), '\\x01'::bytea, time
     FROM new_build WHERE organization_id <> $1
     UNION ALL
     SELECT gen_random_uuid(), organization_id, id, NULL, channel_id, sha256(('link ' || id)::bytea), '\\x01', now()
     FROM new_project WHERE organization_id <> $1`,
    [organization],
  );
  // The subscribers of the hot channel were mailed a link; nobody can repeat its token.
  await database.query(`
    INSERT INTO invite (id, organization_id, project_id, tester_id, digest, created_at, last_opened_at)
    SELECT gen_random_uuid(), s.organization_id, s.project_id, s.tester_id, sha256(('mail ' || s.tester_id)::bytea), t.time,
      CASE WHEN t.n % 10 > 3 THEN t.time + interval '1 day' END
    FROM subscription AS s JOIN new_tester AS t ON t.id = s.tester_id WHERE t.is_hot`);
}
