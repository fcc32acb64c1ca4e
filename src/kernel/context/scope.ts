/** Where a project is: nothing is ever looked up by its own id alone. */
export interface ProjectScope {
  readonly organizationId: string;
  readonly projectId: string;
}

/** Where a channel is. */
export interface ChannelScope extends ProjectScope {
  readonly channelId: string;
}

/** The scope of something that lies in a project, and nothing else of it: safe to spread into a row. */
export const scopeOf = ({ organizationId, projectId }: ProjectScope): ProjectScope => ({ organizationId, projectId });

/** The same for something that lies in a channel. */
export const channelScopeOf = ({ organizationId, projectId, channelId }: ChannelScope): ChannelScope => ({
  organizationId,
  projectId,
  channelId,
});
