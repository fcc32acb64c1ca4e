import { type INestApplicationContext } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { ChannelsService, type ChannelWithUrl } from '#modules/channels';
import { ReleasesService } from '#modules/releases';
import { SubscriptionsService, TestersService } from '#modules/testers';
import { findDemoBuild } from './demo-builds';

const NAME = 'Beta';
/** Reserved (RFC 2606), as the developer's. */
const TESTER = { email: 'tester@agate.example', name: 'Demo Tester' };

/** The demo's channel; null when there is none (any more). */
export async function findDemoChannel(
  app: INestApplicationContext,
  ctx: RequestContext,
  scope: ProjectScope,
): Promise<ChannelWithUrl | null> {
  const { items } = await app.get(ChannelsService).list(ctx, scopeOf(scope), { limit: 100 });
  return items.find(({ name }) => name === NAME) ?? null;
}

/** Makes what is not there yet: a channel, a tester who is subscribed to it, and the demo's builds as its current releases. */
export async function makeDemoChannel(
  app: INestApplicationContext,
  ctx: RequestContext,
  demo: ProjectScope,
): Promise<void> {
  const scope = scopeOf(demo);
  const { id: channelId } =
    (await findDemoChannel(app, ctx, scope)) ?? (await app.get(ChannelsService).create(ctx, scope, NAME));
  // Before the releases: of those there is a mail to look at.
  await app.get(SubscriptionsService).put(ctx, scope, await ensureTester(app, ctx, scope), channelId);
  const releases = app.get(ReleasesService);
  for (const platform of ['ios', 'android'] as const) {
    const build = await findDemoBuild(app, ctx, scope, platform);
    const current = await releases.findCurrent(ctx, { ...scope, channelId }, platform);
    if (build && !current) await releases.promote(ctx, { ...scope, channelId }, { buildId: build.id });
  }
}

async function ensureTester(app: INestApplicationContext, ctx: RequestContext, scope: ProjectScope): Promise<string> {
  const testers = app.get(TestersService);
  const { items } = await testers.list(ctx, scope, { email: TESTER.email }, { limit: 1 });
  return (items[0] ?? (await testers.create(ctx, scope, TESTER))).id;
}
