import { randomUUID } from 'node:crypto';
import { ApiError, type Client } from '@agate/client';
import { connectionErrorOf } from '../output/connection-errors';
import { type ProjectScope } from '../settings/scope';
import { type Check, failed, ok } from './check';

const NAME = 'upload';
const TIMEOUT_MS = 30_000;

/** Sends one byte as an upload does, and drops that upload. */
export async function uploadCheck(client: Client, serviceUrl: string, query: ProjectScope): Promise<Check> {
  let id;
  try {
    id = await begun(client, query);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return failed(NAME, `An upload cannot begin: ${error.message}`, 'See the other checks, or try again in a moment.');
  }
  try {
    return await sent(client, serviceUrl, id, query);
  } finally {
    // If this request fails, the upload expires a day later.
    await client
      .request('DELETE /builds/uploads/{upload_id}', { path: { upload_id: id }, query })
      .catch(() => undefined);
  }
}

async function begun(client: Client, query: ProjectScope): Promise<string> {
  const body = { file_name: 'doctor.AppImage', size_bytes: 1, version: '0', platform: 'linux' as const };
  const headers = { 'Idempotency-Key': randomUUID() };
  return (await client.request('POST /builds/uploads', { query, body, headers })).id;
}

async function sent(client: Client, serviceUrl: string, id: string, query: ProjectScope): Promise<Check> {
  const path = { upload_id: id };
  const body = { part_numbers: [1] };
  const { urls } = await client.request('POST /builds/uploads/{upload_id}/part-urls', { path, query, body });
  const url = new URL(urls[0]?.url ?? '', serviceUrl);
  try {
    const response = await fetch(url, {
      method: 'PUT',
      body: new Blob(['.']),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.ok) return ok(NAME, `A byte could be sent to ${url.host}.`);
    const remedy = 'Check the store of the service, and the clocks of this machine and of the service.';
    return failed(NAME, `${url.host}, where files are sent, responded with status ${response.status}.`, remedy);
  } catch (error) {
    const reason = connectionErrorOf(error) ?? 'unknown error';
    return failed(
      NAME,
      `${url.host}, where files are sent, cannot be reached (${reason}).`,
      'Allow connections to this host, too: the store is not the service.',
    );
  }
}
