import { type ChannelScope, type ProjectScope } from '#kernel/context/scope';
import { IdField } from './fields';
import { PageQuery } from './pagination';

/** Parent ids are query parameters: the path of a resource holds only its own id. */
export class OrganizationQuery {
  @IdField({ of: 'organization' })
  organization_id: string;
}

export class ProjectQuery extends OrganizationQuery {
  @IdField({ of: 'project' })
  project_id: string;
}

export class ChannelQuery extends ProjectQuery {
  @IdField({ of: 'channel' })
  channel_id: string;
}

export class OrganizationPageQuery extends PageQuery {
  @IdField({ of: 'organization' })
  organization_id: string;
}

export class ProjectPageQuery extends OrganizationPageQuery {
  @IdField({ of: 'project' })
  project_id: string;
}

export class ChannelPageQuery extends ProjectPageQuery {
  @IdField({ of: 'channel' })
  channel_id: string;
}

/** Converts the parent ids of a query to a scope. */
export const projectScope = (query: ProjectQuery): ProjectScope => ({
  organizationId: query.organization_id,
  projectId: query.project_id,
});

export const channelScope = (query: ChannelQuery): ChannelScope => ({
  ...projectScope(query),
  channelId: query.channel_id,
});
