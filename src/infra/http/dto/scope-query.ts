import { IdField } from './fields';
import { PageQuery } from './pagination';
import { type ChannelScope, type ProjectScope } from '#kernel/context/scope';

/** Parents are query parameters (specification §4 convention 2). */
export class OrganizationQuery {
  @IdField({ description: 'The organization.' })
  organization_id: string;
}

export class ProjectQuery extends OrganizationQuery {
  @IdField({ description: 'The project.' })
  project_id: string;
}

export class ChannelQuery extends ProjectQuery {
  @IdField({ description: 'The channel.' })
  channel_id: string;
}

export class OrganizationPageQuery extends PageQuery {
  @IdField({ description: 'The organization.' })
  organization_id: string;
}

export class ProjectPageQuery extends OrganizationPageQuery {
  @IdField({ description: 'The project.' })
  project_id: string;
}

export class ChannelPageQuery extends ProjectPageQuery {
  @IdField({ description: 'The channel.' })
  channel_id: string;
}

/** The parents of a query as the domain names them. */
export const projectScope = (query: ProjectQuery): ProjectScope => ({
  organizationId: query.organization_id,
  projectId: query.project_id,
});

export const channelScope = (query: ChannelQuery): ChannelScope => ({
  ...projectScope(query),
  channelId: query.channel_id,
});
