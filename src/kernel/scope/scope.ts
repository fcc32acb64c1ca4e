/** Where a project is: nothing is ever looked up by its own id alone. */
export interface ProjectScope {
  readonly organizationId: string;
  readonly projectId: string;
}
