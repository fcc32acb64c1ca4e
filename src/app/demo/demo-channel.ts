import { type INestApplicationContext } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope, scopeOf } from '#kernel/context/scope';
import { ChannelsService, type ChannelWithUrl } from '#modules/channels';
import { ReleasesService } from '#modules/releases';
import { SubscriptionsService, TestersService } from '#modules/testers';
import { findDemoBuild } from './demo-builds';

const NAME = 'Beta';
/** The domain is reserved (RFC 2606), so no mail reaches a person. */
const TESTER = { email: 'tester@agate.example', name: 'Demo Tester' };

/** The demo's channel; null when there is none. */
export async function findDemoChannel(
  app: INestApplicationContext,
  ctx: RequestContext,
  scope: ProjectScope,
): Promise<ChannelWithUrl | null> {
  const { items } = await app.get(ChannelsService).list(ctx, scopeOf(scope), { name: NAME }, { limit: 1 });
  return items[0] ?? null;
}

/** Makes what does not exist yet: a channel, a subscribed tester, and a release of each demo build. */
export async function makeDemoChannel(
  app: INestApplicationContext,
  ctx: RequestContext,
  demo: ProjectScope,
): Promise<void> {
  const scope = scopeOf(demo);
  const { id: channelId } =
    (await findDemoChannel(app, ctx, scope)) ?? (await app.get(ChannelsService).create(ctx, scope, NAME));
  // Before the releases, so that the demo has a release mail to show.
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
