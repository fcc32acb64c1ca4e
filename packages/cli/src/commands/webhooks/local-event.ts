import { createHmac, randomBytes } from 'node:crypto';
import { ApiError, type Client } from '@agate/client';
import { type StreamMessage } from './event-stream';

/** An event in the form in which webhooks send it. */
export interface LocalEvent {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly organization_id: string;
  readonly project_id: string | null;
  readonly position: number;
  readonly actor: { readonly kind: string; readonly name: null };
  readonly data: Readonly<Record<string, unknown>>;
}

/** Reads the objects of a change, so that it becomes the event that a webhook would send. */
export async function localEvent(
  client: Client,
  organizationId: string,
  { id: position, data }: StreamMessage,
  now: Date,
): Promise<LocalEvent> {
  const { type, project_id = null } = data;
  return {
    // The stream does not contain the id of the audit event. The position identifies it as well.
    id: `evt_${organizationId}_${position}`,
    type,
    timestamp: now.toISOString(),
    organization_id: organizationId,
    project_id,
    position: Number(position),
    // The stream does not name the actor.
    actor: { kind: 'unknown', name: null },
    data: await objectsOf(client, organizationId, data),
  };
}

async function objectsOf(
  client: Client,
  organizationId: string,
  data: StreamMessage['data'],
): Promise<Readonly<Record<string, unknown>>> {
  const { project_id, build_id, channel_id, tester_id, release_id } = data;
  const query = { organization_id: organizationId, project_id: project_id ?? '' };
  const objects: Record<string, unknown> = {};
  const read = async (
    name: string,
    id: string | undefined,
    request: (id: string) => Promise<unknown>,
  ): Promise<void> => {
    if (id !== undefined) objects[name] = await request(id).catch(nullWhenGone);
  };
  await Promise.all([
    read('build', build_id, (id) => client.request('GET /builds/{build_id}', { path: { build_id: id }, query })),
    read('channel', channel_id, (id) =>
      client.request('GET /channels/{channel_id}', { path: { channel_id: id }, query }),
    ),
    read('tester', tester_id, (id) => client.request('GET /testers/{tester_id}', { path: { tester_id: id }, query })),
    read('release', channel_id === undefined ? undefined : release_id, async (id) => {
      const list = { ...query, channel_id: channel_id ?? '', limit: 50 };
      const { items } = await client.request('GET /releases', { query: list });
      return items.find((release) => release.id === id) ?? null;
    }),
  ]);
  return Object.values(objects).includes(null) ? { ...objects, gone: true } : objects;
}

/** An object that was deleted, or that the credential may not see, is null. */
function nullWhenGone(error: unknown): null {
  if (error instanceof ApiError && [403, 404].includes(error.status)) return null;
  throw error;
}

export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** The headers of Standard Webhooks (https://www.standardwebhooks.com). */
export function signedHeaders(secret: string, id: string, body: string, now: Date): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'Content-Type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}
