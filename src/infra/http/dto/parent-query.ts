import { IdField } from './fields';
import { PageQuery } from './page-query';

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
