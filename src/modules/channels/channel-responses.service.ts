import { Injectable } from '@nestjs/common';
import { AddedFields } from '#kernel/added-fields';
import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type Page } from '#kernel/cursor';
import { toPage } from '#infra/http/dto/pagination';
import { type ChannelRelations, type ChannelWithUrl } from './channel';
import { toChannelResponse } from './channels.mapper';
import { type ChannelPage, type ChannelResponse } from './dto/channel.response';

/** Channels as the API shows them: with what upper modules know about them. */
@Injectable()
export class ChannelResponsesService {
  readonly relations = new AddedFields<ProjectScope, ChannelRelations>({ current: [], subscribers: 0 });

  async one(ctx: RequestContext, channel: ChannelWithUrl): Promise<ChannelResponse> {
    const relationsOf = await this.relations.read(ctx, channel, [channel.id]);
    return toChannelResponse(ctx, { ...channel, ...relationsOf(channel.id) });
  }

  /** @param page channels of one project. */
  async page(ctx: RequestContext, scope: ProjectScope, page: Page<ChannelWithUrl>): Promise<ChannelPage> {
    const ids = page.items.map(({ id }) => id);
    const relationsOf = await this.relations.read(ctx, scope, ids);
    return toPage(page, (channel) => toChannelResponse(ctx, { ...channel, ...relationsOf(channel.id) }));
  }
}
