import { queryOptions } from '@tanstack/react-query';
import { type ProjectScope } from '../../session/use-project-place';
import { projectSummaryQuery } from '../organization/projects';

/**
 * Ids and names of the channels of a project, for a choice of one. They are part of its summary, which every screen of the project loads.
 */
export const channelChoicesQuery = (scope: ProjectScope) =>
  queryOptions({ ...projectSummaryQuery(scope), select: ({ channels }) => channels });
