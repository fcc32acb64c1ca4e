/** Where a project is: nothing is ever looked up by its own id alone. */
export interface ProjectScope {
  readonly organizationId: string;
  readonly projectId: string;
}

/** The scope of something that lies in a project, and nothing else of it: safe to spread into a row. */
export const scopeOf = ({ organizationId, projectId }: ProjectScope): ProjectScope => ({ organizationId, projectId });
