import { type RequestContext } from '#kernel/context/request-context';
import { type ProjectScope } from '#kernel/context/scope';
import { type Page } from '#kernel/cursor';
import { type ChannelWithUrl, type DescribedChannel } from './channel';

/** Adds to channels, for responses, the current builds and the number of subscribers. A read model implements it. */
export abstract class ChannelViews {
  abstract one(ctx: RequestContext, channel: ChannelWithUrl): Promise<DescribedChannel>;

  /** @param page channels of one project. */
  abstract page(ctx: RequestContext, scope: ProjectScope, page: Page<ChannelWithUrl>): Promise<Page<DescribedChannel>>;
}
