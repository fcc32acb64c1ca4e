import { maySeeInstallLinks } from '#kernel/access/policy';
import { type RequestContext } from '#kernel/context/request-context';
import { type CurrentBuild, type DescribedChannel } from './channel';
import { type ChannelResponse, type CurrentBuildResponse } from './channels.dto';

export const toChannelResponse = (ctx: RequestContext, channel: DescribedChannel): ChannelResponse => ({
  id: channel.id,
  organization_id: channel.organizationId,
  project_id: channel.projectId,
  name: channel.name,
  install_url: maySeeInstallLinks(ctx) ? channel.installUrl : null,
  qr_url: maySeeInstallLinks(ctx) ? channel.qrUrl : null,
  created_at: channel.createdAt.toISOString(),
  current: channel.current.map(toCurrentBuildResponse),
  subscribers: channel.subscribers,
});

const toCurrentBuildResponse = (current: CurrentBuild): CurrentBuildResponse => ({
  platform: current.platform,
  release_id: current.releaseId,
  sequence: current.sequence,
  promoted_at: current.promotedAt.toISOString(),
  build_id: current.buildId,
  version: current.version,
  build_number: current.buildNumber,
  size_bytes: current.sizeBytes,
  icon_url: current.iconUrl,
  installable: current.installable,
});
