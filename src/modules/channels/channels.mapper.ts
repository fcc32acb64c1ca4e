import { maySeeInstallLinks } from '#kernel/access/install-link-access';
import { type RequestContext } from '#kernel/context/request-context';
import { type ChannelWithUrl } from './channel';
import { type ChannelResponse } from './dto/channel.response';

export const toChannelResponse = (ctx: RequestContext, channel: ChannelWithUrl): ChannelResponse => ({
  id: channel.id,
  organization_id: channel.organizationId,
  project_id: channel.projectId,
  name: channel.name,
  install_url: maySeeInstallLinks(ctx) ? channel.installUrl : null,
  created_at: channel.createdAt.toISOString(),
});
