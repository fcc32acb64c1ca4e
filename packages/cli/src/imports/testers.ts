import { type ChannelResponse } from '@agate/client';
import { type Context } from '../context';
import { type PlannedTester } from './plan/import-plan';

const MAX_BATCH = 1_000;

/** Adds testers and subscribes them to their channels. No mail is sent. @returns how many the project did not have. */
export async function addTesters(
  context: Context,
  testers: readonly PlannedTester[],
  channels: ReadonlyMap<string, ChannelResponse>,
): Promise<number> {
  if (testers.length === 0) return 0;
  let count = await addTo(context, testers, undefined);
  for (const { id, name } of channels.values()) {
    const subscribed = testers.filter((tester) => tester.channels.includes(name));
    if (subscribed.length > 0) count += await addTo(context, subscribed, id);
  }
  return count;
}

async function addTo(
  context: Context,
  testers: readonly PlannedTester[],
  channelId: string | undefined,
): Promise<number> {
  const [client, scope] = await Promise.all([context.client(), context.scope()]);
  let count = 0;
  for (let start = 0; start < testers.length; start += MAX_BATCH) {
    const batch = testers.slice(start, start + MAX_BATCH).map(({ email, name }) => ({ email, name }));
    const { created } = await client.request('POST /testers/batch', {
      query: { ...scope, ...(channelId !== undefined && { channel_id: channelId }) },
      body: { testers: batch },
    });
    count += created;
  }
  return count;
}
