// Another account of the installation, with a project and a build of its own.
import { clientOf } from '../demo-account.mjs';
import { upload } from '../transfer.mjs';

/** The status of an upload whose connection broke. */
const BROKEN = 599;

/**
 * @param database a connection as the owner of the schema, because a mailed link would verify the address.
 * @returns the requests of the account that the benchmark repeats, by name: each sends one and returns its status.
 */
export async function neighbourOf({ port }, database) {
  const url = `http://127.0.0.1:${port}`;
  const account = { email: `neighbour.${Date.now()}@example.com`, password: 'the neighbour has a garden' };
  const signUp = await fetch(`${url}/api/v1/developers`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(account),
  });
  if (!signUp.ok) throw new Error(`POST /developers: ${signUp.status} ${await signUp.text()}`);
  await database.query('UPDATE developer SET email_verified_at = now() WHERE email_key = $1', [account.email]);
  const call = await clientOf(url, account);
  const organization = await call('POST', '/organizations', { name: 'Neighbour' });
  const project = await call('POST', `/projects?organization_id=${organization.id}`, { name: 'Neighbour' });
  const scope = `organization_id=${organization.id}&project_id=${project.id}`;
  const { token } = await call('POST', `/project-access-tokens?${scope}`, { name: 'CI', role: 'MANAGE_PROJECT' });
  const headers = { Authorization: `Bearer ${token}` };
  const uploadPath = `/api/v1/builds?${scope}`;
  const build = JSON.parse(await upload({ port, uploadPath, headers }, 2_000));
  const send = async (path, options) => (await fetch(`${url}${path}`, options)).status;
  return {
    list: () => send(`${uploadPath}&limit=20`, { headers }),
    'install page': () => send(new URL(build.install_url).pathname),
    mint: () => send(`/api/v1/builds/${build.id}/download-url?${scope}`, { method: 'POST', headers }),
    upload: () =>
      upload({ port, uploadPath, headers }, 2_000).then(
        () => 201,
        ({ message }) => Number(message.slice(0, 3)) || BROKEN,
      ),
    live: () => send('/api/v1/live'),
  };
}
