/** The ids that locate a project. Resources are never looked up by their own id alone. */
export interface ProjectScope {
  readonly organizationId: string;
  readonly projectId: string;
}

/** The ids that locate a channel. */
export interface ChannelScope extends ProjectScope {
  readonly channelId: string;
}

/** Returns only the scope of an object in a project, safe to spread into a row. */
export const scopeOf = ({ organizationId, projectId }: ProjectScope): ProjectScope => ({ organizationId, projectId });

/** Returns only the scope of an object in a channel, safe to spread into a row. */
export const channelScopeOf = ({ organizationId, projectId, channelId }: ChannelScope): ChannelScope => ({
  organizationId,
  projectId,
  channelId,
});
