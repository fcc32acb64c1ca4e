import { Injectable } from '@nestjs/common';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { AppError } from '#kernel/errors/app-error';
import { BuildViews, toBuildResponse } from '#modules/builds';
import { ChannelsService, ChannelViews, toChannelResponse } from '#modules/channels';
import { ReleaseLabelsService, ReleasesService, toReleaseResponse } from '#modules/releases';
import { TestersService, toTesterResponse } from '#modules/testers';

type Show = (ctx: RequestContext, scope: ProjectScope, id: string) => Promise<object | null>;

/** Reads the objects of events as the API shows them to the developer of the context. */
@Injectable()
export class EventObjectsService {
  private readonly show: Readonly<Record<'build' | 'release' | 'channel' | 'tester', Show>> = {
    build: async (ctx, scope, id) => toBuildResponse(ctx, await this.buildViews.get(ctx, scope, id)),
    release: async (ctx, scope, id) => {
      const release = await this.releases.find(ctx, scope, id);
      return release && toReleaseResponse(ctx, await this.labels.one(ctx, release));
    },
    channel: async (ctx, scope, id) => {
      const channel = await this.channels.get(ctx, scope, id);
      return toChannelResponse(ctx, await this.channelViews.one(ctx, channel));
    },
    tester: async (ctx, scope, id) => toTesterResponse({ ...(await this.testers.get(ctx, scope, id)), activity: null }),
  };

  constructor(
    private readonly buildViews: BuildViews,
    private readonly releases: ReleasesService,
    private readonly labels: ReleaseLabelsService,
    private readonly channels: ChannelsService,
    private readonly channelViews: ChannelViews,
    private readonly testers: TestersService,
  ) {}

  /** @param ids such as `build_id`. @returns the objects by name; null for one that was deleted. */
  async read(
    ctx: RequestContext,
    scope: ProjectScope,
    ids: Readonly<Record<string, string>>,
  ): Promise<Readonly<Record<string, object | null>>> {
    const objects: Record<string, object | null> = {};
    for (const [name, show] of Object.entries(this.show)) {
      const id = ids[`${name}_id`];
      if (id !== undefined) objects[name] = await ifExists(show(ctx, scope, id));
    }
    return objects;
  }
}

/** Null for an object that was deleted. */
async function ifExists(found: Promise<object | null>): Promise<object | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof AppError && error.errorCase === 'not_found') return null;
    throw error;
  }
}
