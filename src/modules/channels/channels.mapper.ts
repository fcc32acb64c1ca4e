import { type ChannelWithUrl } from './channel';
import { type ChannelResponse } from './dto/channel.response';

export const toChannelResponse = (channel: ChannelWithUrl): ChannelResponse => ({
  id: channel.id,
  organization_id: channel.organizationId,
  project_id: channel.projectId,
  name: channel.name,
  install_url: channel.installUrl,
  created_at: channel.createdAt.toISOString(),
});
