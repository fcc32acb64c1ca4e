import { type ChannelScope, type ProjectScope } from '#kernel/context/scope';
import { type ChannelQuery, type ProjectQuery } from './parent-query';

/** The parents of a query as the domain names them. */
export const projectScope = (query: ProjectQuery): ProjectScope => ({
  organizationId: query.organization_id,
  projectId: query.project_id,
});

export const channelScope = (query: ChannelQuery): ChannelScope => ({
  ...projectScope(query),
  channelId: query.channel_id,
});
