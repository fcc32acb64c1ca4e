import { Injectable } from '@nestjs/common';
import { AddedFields } from '#kernel/added-fields';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type Page } from '#kernel/cursor';
import { type ChannelRelations, type ChannelWithUrl, type DescribedChannel } from './channel';

/** Adds to channels, for responses, what upper modules know about them. */
@Injectable()
export class ChannelRelationsService {
  readonly fields = new AddedFields<ProjectScope, ChannelRelations>({ current: [], subscribers: 0 });

  async one(ctx: RequestContext, channel: ChannelWithUrl): Promise<DescribedChannel> {
    const relationsOf = await this.fields.read(ctx, channel, [channel.id]);
    return { ...channel, ...relationsOf(channel.id) };
  }

  /** @param page channels of one project. */
  async page(ctx: RequestContext, scope: ProjectScope, page: Page<ChannelWithUrl>): Promise<Page<DescribedChannel>> {
    const ids = page.items.map(({ id }) => id);
    const relationsOf = await this.fields.read(ctx, scope, ids);
    return { ...page, items: page.items.map((channel) => ({ ...channel, ...relationsOf(channel.id) })) };
  }
}
